const CLOSED = 'rolebook playground: the tour was closed'
const STEP = 'rolebook playground: step of the tour'

/** Whether a person has closed the tour, on this visit or an earlier one. */
export function isTourClosed(): boolean {
  return kept(() => localStorage.getItem(CLOSED)) !== null
}

export function keepTourClosed(): void {
  kept(() => localStorage.setItem(CLOSED, 'yes'))
}

/** The step is kept for when the tab is loaded again. */
export function keepTourStep(step: number): void {
  kept(() => sessionStorage.setItem(STEP, String(step)))
}

export function keptTourStep(): number {
  const step = Number(kept(() => sessionStorage.getItem(STEP)))
  return Number.isInteger(step) && step >= 0 ? step : 0
}

/** A browser that keeps nothing is no mistake: then the tour is offered again. */
function kept<Value>(use: () => Value): Value | null {
  try {
    return use()
  } catch {
    return null
  }
}
