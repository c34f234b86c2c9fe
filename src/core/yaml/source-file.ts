export interface Position {
  /** 1-based. */
  readonly line: number
  /** 1-based, in UTF-16 units, as editors count. */
  readonly column: number
}

/** A text file that knows where its lines begin. */
export class SourceFile {
  /** As messages show it. */
  readonly path: string
  readonly text: string
  #lineStarts: readonly number[] | undefined

  constructor(path: string, text: string) {
    this.path = path
    this.text = text
  }

  /** `offset` counts UTF-16 units from 0; one outside the text means its nearest end. */
  position(offset: number): Position {
    const starts = this.#starts()
    const inside = Math.min(Math.max(offset, 0), this.text.length)
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] as number) <= inside) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: inside - (starts[low] as number) + 1 }
  }

  /** The text of a line without its break, or `undefined` when there is no such line. */
  line(number: number): string | undefined {
    const starts = this.#starts()
    const start = starts[number - 1]
    if (start === undefined) return undefined
    return this.text.slice(start, starts[number] ?? this.text.length).replace(/\r?\n$/, '')
  }

  #starts(): readonly number[] {
    this.#lineStarts ??= [0, ...Array.from(this.text.matchAll(/\n/g), (match) => match.index + 1)]
    return this.#lineStarts
  }
}
