import type { ScreenDevice, ScreenSize, ScreenUser } from '../../src/rolebook/cli/screen-device.ts'
import type { Terminal } from '../../src/rolebook/cli/terminal.ts'

type FakeOptions = Partial<Pick<Terminal, 'interactive' | 'color' | 'environment' | 'ask'>> & {
  /** Of a screen that can be taken. Absent: there is none. */
  readonly screen?: ScreenSize
}

/** A terminal that keeps what is written to it. */
export class FakeTerminal implements Terminal {
  readonly interactive: boolean
  readonly color: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly #stop = new AbortController()
  readonly #listeners = new Set<() => void>()
  /** Questions are asked only when there are answers. */
  readonly ask: Terminal['ask']
  readonly takeScreen: Terminal['takeScreen']
  /** The lines on the screen, while it is taken. */
  drawn: readonly string[] | undefined
  #user: ScreenUser | undefined
  stdout = ''
  stderr = ''

  constructor(options: FakeOptions = {}) {
    this.interactive = options.interactive ?? options.screen !== undefined
    this.color = options.color ?? false
    this.environment = options.environment ?? {}
    this.ask = options.ask
    const { screen } = options
    this.takeScreen = screen && ((user) => this.#take(user, screen))
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

  /** As a person who presses keys, one after the other. */
  press(...names: readonly string[]): void {
    for (const name of names) this.#user?.key(name)
  }

  resize(size: ScreenSize): void {
    this.#user?.resized(size)
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

  #take(user: ScreenUser, size: ScreenSize): ScreenDevice {
    this.#user = user
    return {
      hasKeys: true,
      size,
      draw: (lines) => {
        this.drawn = lines
        for (const listener of this.#listeners) listener()
      },
      interrupt: () => this.stop(),
      release: () => {
        this.drawn = undefined
        this.#user = undefined
      },
    }
  }
}
