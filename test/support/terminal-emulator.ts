import xterm from '@xterm/headless'
import type { ScreenSize } from '../../src/rolebook/cli/screen-device.ts'

/** What a person would see: a terminal without a window. */
export class TerminalEmulator {
  readonly #terminal: xterm.Terminal
  #written: Promise<void> = Promise.resolve()

  constructor({ columns, rows }: ScreenSize) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true })
  }

  write(text: string): void {
    const done = new Promise<void>((resolve) => this.#terminal.write(text, resolve))
    this.#written = this.#written.then(() => done)
  }

  resize({ columns, rows }: ScreenSize): void {
    this.#terminal.resize(columns, rows)
  }

  /** The lines that are seen, once all that was written is drawn. */
  async lines(): Promise<readonly string[]> {
    await this.#written
    const { active } = this.#terminal.buffer
    const lineAt = (index: number): string => active.getLine(active.viewportY + index)?.translateToString(true) ?? ''
    return Array.from({ length: this.#terminal.rows }, (_, index) => lineAt(index))
  }

  /** Whether a program has taken the whole screen. */
  async isTaken(): Promise<boolean> {
    await this.#written
    return this.#terminal.buffer.active.type === 'alternate'
  }
}
