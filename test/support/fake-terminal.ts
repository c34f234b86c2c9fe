import type { Terminal } from '../../src/rolebook/cli/terminal.ts'

/** A terminal that keeps what is written to it. */
export class FakeTerminal implements Terminal {
  readonly interactive: boolean
  readonly color: boolean
  readonly columns: number
  readonly rows: number
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly #stop = new AbortController()
  readonly #listeners = new Set<() => void>()
  /** Questions are asked only when there are answers. */
  readonly ask: Terminal['ask']
  stdout = ''
  stderr = ''

  constructor(
    options: Partial<Pick<Terminal, 'interactive' | 'color' | 'columns' | 'rows' | 'environment' | 'ask'>> = {},
  ) {
    this.interactive = options.interactive ?? false
    this.color = options.color ?? false
    this.columns = options.columns ?? 120
    this.rows = options.rows ?? 40
    this.environment = options.environment ?? {}
    this.ask = options.ask
  }

  get stopped(): AbortSignal {
    return this.#stop.signal
  }

  out(text: string): void {
    this.stdout += text
    for (const listener of this.#listeners) listener()
  }

  err(text: string): void {
    this.stderr += text
    for (const listener of this.#listeners) listener()
  }

  /** As a person who presses Ctrl-C. */
  stop(): void {
    this.#stop.abort()
  }

  /** Resolves once everything written so far satisfies `seen`. */
  until(seen: (terminal: FakeTerminal) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!seen(this)) return
        this.#listeners.delete(look)
        resolve()
      }
      this.#listeners.add(look)
      look()
    })
  }
}
