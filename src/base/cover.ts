/** Shorter texts are words of everyday messages as often as secrets: taken out, they would spoil the message and show where they were. */
export const SHORTEST = 6
/** A part of a hidden text counts from this length on: a line of a key, a value that somebody has cut. */
const SHORTEST_PART = 8
/** One that is no word of a language counts sooner: letters with digits, or small ones before a capital. */
const TELLING = /\d.*[A-Za-z]|[A-Za-z].*\d|[a-z].*[A-Z]/s

/** Which characters of a text are part of others, as they are or with nothing left of them but what names of objects can have. */
export class Cover {
  readonly #text: string
  readonly #covered: Uint8Array
  readonly #parts: Parts
  readonly #bareParts: Parts

  constructor(text: string) {
    this.#text = text
    this.#covered = new Uint8Array(text.length)
    this.#parts = new Parts(text, (start, end) => void this.#covered.fill(1, start, end))
    const positions = positionsOfBare(text)
    this.#bareParts = new Parts(bareTextOf(text), (start, end) => {
      this.#covered.fill(1, positions[start], (positions[end - 1] as number) + 1)
    })
  }

  add(form: string): void {
    this.#parts.find(form)
  }

  /** What is between the letters of the text or of this one does not count, nor which of them are capitals. */
  addBare(bareText: string): void {
    this.#bareParts.find(bareText)
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
}

/** What a name of an object leaves of a text, whatever it puts between: its letters and digits of ASCII, in small letters. */
export function bareTextOf(text: string): string {
  return text.replace(/[^A-Za-z0-9]+/g, '').toLowerCase()
}

function positionsOfBare(text: string): readonly number[] {
  return Array.from(text.matchAll(/[A-Za-z0-9]/g), ({ index }) => index)
}

/** Finds parts of other texts in one, and says where they begin and end. Each is told once. */
class Parts {
  readonly #text: string
  readonly #onFound: (start: number, end: number) => void
  /** Where each run of so many characters begins. Most texts hold nothing, and need none. */
  #runs: ReadonlyMap<number, Map<string, number[]>> | undefined
  /** Which two characters follow each other somewhere: keys and certificates are long, and little of them stands in any text. */
  readonly #pairs = new Uint8Array(1 << 14)

  constructor(text: string, onFound: (start: number, end: number) => void) {
    this.#text = text
    this.#onFound = onFound
    for (let start = 0; start + 1 < text.length; start++) this.#pairs[pairAt(text, start)] = 1
  }

  find(form: string): void {
    if (form.length < SHORTEST_PART) this.#tell(form.length, form)
    for (let start = 0; start + SHORTEST <= form.length; start++)
      if (this.#mayHold(form, start)) this.#findAt(form, start)
  }

  /** Whether the first characters of a part may stand somewhere. */
  #mayHold(form: string, start: number): boolean {
    for (let at = start; at + 1 < start + SHORTEST; at += 2) if (this.#pairs[pairAt(form, at)] === 0) return false
    return true
  }

  #findAt(form: string, start: number): void {
    this.#runs ??= runsIn(this.#text)
    for (const [length, runs] of this.#runs) {
      const run = form.slice(start, start + length)
      if (run.length === length && runs.has(run) && (length === SHORTEST_PART || TELLING.test(run)))
        this.#tell(length, run)
    }
  }

  #tell(length: number, run: string): void {
    const runs = this.#runs?.get(length)
    for (const start of runs?.get(run) ?? this.#startsOf(run)) this.#onFound(start, start + length)
    runs?.set(run, [])
  }

  #startsOf(run: string): readonly number[] {
    const starts: number[] = []
    for (let at = this.#text.indexOf(run); at !== -1; at = this.#text.indexOf(run, at + 1)) starts.push(at)
    return starts
  }
}

/** Where each run of a length that counts begins in a text, by that length. */
function runsIn(text: string): ReadonlyMap<number, Map<string, number[]>> {
  return new Map([SHORTEST, SHORTEST_PART].map((length) => [length, runsOf(length, text)]))
}

function runsOf(length: number, text: string): Map<string, number[]> {
  const runs = new Map<string, number[]>()
  for (let start = 0; start + length <= text.length; start++) {
    const run = text.slice(start, start + length)
    const starts = runs.get(run)
    if (starts) starts.push(start)
    else runs.set(run, [start])
  }
  return runs
}

/** A number for two characters that follow each other; others may share it. */
function pairAt(text: string, start: number): number {
  return ((text.charCodeAt(start) & 127) << 7) | (text.charCodeAt(start + 1) & 127)
}
