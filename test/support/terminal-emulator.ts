import xterm from '@xterm/headless'
import type { ScreenSize } from '../../src/rolebook/cli/screen-device.ts'

/** A piece of a line that looks alike. */
export interface StyledText {
  readonly text: string
  readonly isBold: boolean
  readonly isDim: boolean
  readonly isInverse: boolean
  /** One of the eight colours of a terminal, from 0. Absent: that of ordinary text. */
  readonly color?: number | undefined
}

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

  /** The lines that are seen, with their colours. */
  async styledLines(): Promise<readonly (readonly StyledText[])[]> {
    await this.#written
    const { active } = this.#terminal.buffer
    return Array.from({ length: this.#terminal.rows }, (_, index) => piecesOf(active.getLine(active.viewportY + index)))
  }

  /** Whether a program has taken the whole screen. */
  async isTaken(): Promise<boolean> {
    await this.#written
    return this.#terminal.buffer.active.type === 'alternate'
  }
}

function piecesOf(line: xterm.IBufferLine | undefined): readonly StyledText[] {
  const pieces: StyledText[] = []
  for (let column = 0; column < (line?.length ?? 0); column++) {
    const cell = line?.getCell(column)
    if (!cell || cell.getWidth() === 0) continue
    const piece = styleOf(cell)
    const last = pieces.at(-1)
    if (last && looksLike(last, piece)) pieces[pieces.length - 1] = { ...last, text: last.text + piece.text }
    else pieces.push(piece)
  }
  return pieces
}

function styleOf(cell: xterm.IBufferCell): StyledText {
  return {
    text: cell.getChars() || ' ',
    isBold: cell.isBold() !== 0,
    isDim: cell.isDim() !== 0,
    isInverse: cell.isInverse() !== 0,
    color: cell.isFgPalette() ? cell.getFgColor() : undefined,
  }
}

function looksLike(one: StyledText, other: StyledText): boolean {
  return (['isBold', 'isDim', 'isInverse', 'color'] as const).every((key) => one[key] === other[key])
}
