/** Shorter texts are words of everyday messages as often as secrets: taken out, they would spoil the message and show where they were. */
export const SHORTEST = 6
/** A part of a hidden text counts from this length on: a line of a key, a value that somebody has cut. */
const SHORTEST_PART = 8
/** One that is no word of a language counts sooner: letters with digits, or small ones before a capital. */
const TELLING = /\d.*[A-Za-z]|[A-Za-z].*\d|[a-z].*[A-Z]/s

/** Which characters of a text are part of others. */
export class Cover {
  readonly #text: string
  readonly #covered: Uint8Array
  /** Where each run of so many characters begins. */
  readonly #runs = new Map([SHORTEST, SHORTEST_PART].map((length) => [length, new Map<string, number[]>()]))
  /** Which two characters follow each other somewhere: keys and certificates are long, and little of them stands in any text. */
  readonly #pairs = new Uint8Array(1 << 14)

  constructor(text: string) {
    this.#text = text
    this.#covered = new Uint8Array(text.length)
    for (let start = 0; start + 1 < text.length; start++) this.#pairs[pairAt(text, start)] = 1
    for (const [length, runs] of this.#runs)
      for (let start = 0; start + length <= text.length; start++) {
        const run = text.slice(start, start + length)
        const starts = runs.get(run)
        if (starts) starts.push(start)
        else runs.set(run, [start])
      }
  }

  add(form: string): void {
    if (form.length < SHORTEST_PART) this.#addRun(form.length, form)
    for (let start = 0; start + SHORTEST <= form.length; start++)
      if (this.#mayHold(form, start)) this.#addPart(form, start)
  }

  replace(by: (part: string) => string): string {
    let [replaced, end] = ['', 0]
    for (let start = this.#covered.indexOf(1); start !== -1; start = this.#covered.indexOf(1, end)) {
      replaced += this.#text.slice(end, start)
      end = this.#covered.indexOf(0, start)
      if (end === -1) end = this.#text.length
      replaced += by(this.#text.slice(start, end))
    }
    return replaced + this.#text.slice(end)
  }

  /** Whether the first characters of a part may stand somewhere. */
  #mayHold(form: string, start: number): boolean {
    for (let at = start; at + 1 < start + SHORTEST; at += 2) if (this.#pairs[pairAt(form, at)] === 0) return false
    return true
  }

  #addPart(form: string, start: number): void {
    for (const [length, runs] of this.#runs) {
      const run = form.slice(start, start + length)
      if (run.length === length && runs.has(run) && (length === SHORTEST_PART || TELLING.test(run)))
        this.#addRun(length, run)
    }
  }

  /** Each is looked at once: what is covered stays so. */
  #addRun(length: number, run: string): void {
    const runs = this.#runs.get(length)
    for (const start of runs?.get(run) ?? this.#startsOf(run)) this.#covered.fill(1, start, start + length)
    runs?.set(run, [])
  }

  #startsOf(run: string): readonly number[] {
    const starts: number[] = []
    for (let at = this.#text.indexOf(run); at !== -1; at = this.#text.indexOf(run, at + 1)) starts.push(at)
    return starts
  }
}

/** A number for two characters that follow each other; others may share it. */
function pairAt(text: string, start: number): number {
  return ((text.charCodeAt(start) & 127) << 7) | (text.charCodeAt(start + 1) & 127)
}
