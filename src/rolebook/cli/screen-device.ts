/** The whole screen of a terminal, for as long as it is taken. */
export interface ScreenDevice {
  /** Whether keys arrive: standard input is a terminal as well. */
  readonly hasKeys: boolean
  readonly size: ScreenSize
  /** Writes the lines that are others than before. None before: all. */
  draw(lines: readonly string[], before: readonly string[]): void
  /** Asks the process to stop, as Ctrl-C does. */
  interrupt(): void
  /** Gives screen, cursor and keys back. May be called again. */
  release(): void
}

export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

/** What is called about a screen that was taken. */
export interface ScreenUser {
  /** A character, or the name of another key: `up`, `return`, `ctrl+u`. */
  key(name: string): void
  /** The screen has another size now, or is to be drawn again from nothing. */
  resized(size: ScreenSize): void
  /** Text for standard error, which would destroy what is drawn. */
  say(text: string): void
}
