const MARK = 'data-pointed'
/** What changes when another control is shown. The mark itself is not among it. */
const CHANGES = { childList: true, subtree: true, attributeFilter: ['aria-pressed', 'aria-current', 'class'] }

/** Marks the first of the controls that is shown, also when others appear, until the function returned is called. */
export function markControl(controls: readonly string[]): () => void {
  const mark = (): void => moveMark(shownControl(controls))
  const observer = new MutationObserver(mark)
  if (controls.length > 0) observer.observe(document.body, CHANGES)
  mark()
  return () => {
    observer.disconnect()
    moveMark(undefined)
  }
}

/** Takes a person to the first of the controls that is shown. */
export function focusControl(controls: readonly string[]): void {
  const control = shownControl(controls)
  control?.scrollIntoView({ block: 'center' })
  // The text of an editor is what takes the focus, in its shadow tree.
  const target = control?.shadowRoot?.querySelector<HTMLElement>('[contenteditable]') ?? control
  target?.focus({ preventScroll: true })
}

function shownControl(controls: readonly string[]): HTMLElement | undefined {
  for (const selector of controls) {
    const shown = [...document.querySelectorAll<HTMLElement>(selector)].find((control) => control.checkVisibility())
    if (shown) return shown
  }
  return undefined
}

function moveMark(control: HTMLElement | undefined): void {
  for (const marked of document.querySelectorAll(`[${MARK}]`)) if (marked !== control) marked.removeAttribute(MARK)
  if (control && !control.hasAttribute(MARK)) control.setAttribute(MARK, '')
}
