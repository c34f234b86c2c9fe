import type { WorkerMessage } from './worker.ts'

interface Count {
  plans: number
  fired: number
  divergences: number
}

/** The figures of a proof. */
export class ProofReport {
  fired = 0
  failures = 0
  readonly #begun = performance.now()
  readonly #byKind = new Map<string, Count>()
  readonly #byRole = new Map<string, Count>()
  readonly #allowed = new Map<string, number>()
  #plans = 0
  #megabytes = 0

  add({ role, kinds, hasFired, allowed, failure, megabytes }: WorkerMessage): void {
    this.#plans++
    if (hasFired) this.fired++
    if (failure) this.failures++
    if (allowed !== undefined) this.#allowed.set(allowed, (this.#allowed.get(allowed) ?? 0) + 1)
    this.#megabytes = Math.max(this.#megabytes, megabytes)
    for (const [counts, name] of [
      ...kinds.map((kind) => [this.#byKind, kind] as const),
      [this.#byRole, role] as const,
    ]) {
      const count = counts.get(name) ?? { plans: 0, fired: 0, divergences: 0 }
      count.plans++
      if (hasFired) count.fired++
      if (failure) count.divergences++
      counts.set(name, count)
    }
  }

  progress(): string {
    const seconds = (performance.now() - this.#begun) / 1000
    return `${this.#plans} plans in ${seconds.toFixed(0)} s, ${this.failures} diverge, ${this.#megabytes} MB`
  }

  printFailure({ plan, divergences }: NonNullable<WorkerMessage['failure']>): string {
    return [
      `\nnpm run proof:plans -- '${plan}'`,
      ...divergences.slice(0, MOST_SHOWN).map((what) => `  ${what}`),
      '',
    ].join('\n')
  }

  summary(): string {
    return [
      table('Fault', this.#byKind),
      table('Role', this.#byRole),
      ...[...this.#allowed].map(([name, count]) => `${count} end otherwise, and may: ${name}`),
      `${this.progress()}; ${this.fired} have fired, ${this.#plans - this.fired} have not\n`,
    ].join('\n')
  }
}

const MOST_SHOWN = 4

function table(title: string, counts: ReadonlyMap<string, Count>): string {
  const rows = [...counts].sort(([left], [right]) => (left < right ? -1 : 1))
  const width = Math.max(title.length, ...rows.map(([name]) => name.length))
  const line = (name: string, cells: readonly (string | number)[]): string =>
    `${name.padEnd(width)}${cells.map((cell) => String(cell).padStart(13)).join('')}\n`
  const body = rows.map(([name, { plans, fired, divergences }]) => line(name, [plans, fired, divergences]))
  return line(title, ['plans', 'fired', 'divergences']) + body.join('')
}
