/** A text as it may be read, and which characters of the original each of its characters stands for. */
export interface Reading {
  readonly text: string
  /** Each character is a byte, of whatever encoding. */
  readonly isBytes: boolean
  startOf(index: number): number
  /** Behind the character. */
  endOf(index: number): number
}

/** JSON in a text of JSON, such as an annotation that is quoted, and once more where that is told of. */
const MOST_LEVELS = 3

/** A text as it stands, what its escapes of JSON, Go and URLs mean, and what may be base64 in one of those, decoded. */
export function* readingsOf(text: string): Generator<Reading> {
  let reading: Reading | undefined = { text, isBytes: false, startOf: (index) => index, endOf: (index) => index + 1 }
  for (let level = 0; reading !== undefined && level <= MOST_LEVELS; level++) {
    yield reading
    for (const decoded of base64Readings(reading)) {
      yield decoded
      const unescaped = unescapedReading(decoded)
      if (unescaped) yield unescaped
    }
    reading = unescapedReading(reading)
  }
}

/** A reading in which the case of letters does not count. */
export function foldedReading(reading: Reading): Reading {
  const { text, isBytes } = reading
  const folded = isBytes ? foldAscii(text) : foldCase(text)
  // No letter gets shorter.
  if (folded.length === text.length) return { ...reading, text: folded }
  const building = new ReadingBuilder(reading)
  for (let at = 0; at < text.length; at++) building.add(foldCase(text.charAt(at)), at, at + 1)
  return building.built()
}

/** What a name of an object can have of a text, whatever it puts between: its letters and digits of ASCII, in small letters. */
export function bareReading(reading: Reading): Reading {
  const text = bareTextOf(reading.text)
  const folded = foldAscii(reading.text)
  let places: Uint32Array | undefined
  const placeOf = (index: number): number => {
    places ??= placesOf(text, folded)
    return places[index] as number
  }
  return {
    text,
    isBytes: false,
    startOf: (index) => reading.startOf(placeOf(index)),
    endOf: (index) => reading.endOf(placeOf(index)),
  }
}

/** Where the characters of a text stand in another one that has others between them. */
function placesOf(text: string, other: string): Uint32Array {
  const places = new Uint32Array(text.length)
  for (let index = 0, at = 0; index < text.length; at++) if (other[at] === text[index]) places[index++] = at
  return places
}

export function bareTextOf(text: string): string {
  return foldAscii(text.replace(/[^A-Za-z0-9]+/g, ''))
}

/** A text in which the case of letters does not count any more. `ß` is `ss`, as in capitals. */
export function foldCase(text: string): string {
  return isAscii(text) ? text.toLowerCase() : text.toUpperCase().toLowerCase()
}

/** The same of a text of bytes, where nothing else is known to be a letter. */
export function foldAscii(text: string): string {
  return isAscii(text) ? text.toLowerCase() : text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
}

export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}

const ESCAPE = /\\u([0-9A-Fa-f]{4})|\\x([0-9A-Fa-f]{2})|\\([abefnrtv0"'/\\])|(?:%[0-9A-Fa-f]{2})+/g
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  0: '\0',
}

/** Absent where nothing is escaped. */
function unescapedReading(reading: Reading): Reading | undefined {
  const { text, isBytes } = reading
  let building: ReadingBuilder | undefined
  let end = 0
  for (const { 0: escaped, 1: unit, 2: byte, 3: short, index } of text.matchAll(ESCAPE)) {
    building ??= new ReadingBuilder(reading)
    building.addPlain(text.slice(end, index), end)
    end = index + escaped.length
    const code = unit ?? byte
    if (code !== undefined) building.add(unitOf(code, isBytes), index, end)
    else if (short !== undefined) building.add(SHORT_ESCAPES[short] ?? short, index, end)
    else addBytes(building, escaped, { index, isBytes })
  }
  building?.addPlain(text.slice(end), end)
  return building?.built()
}

/** What `\u00e4` means: a character, or among bytes its UTF-8. */
function unitOf(code: string, isBytes: boolean): string {
  const unit = String.fromCharCode(Number.parseInt(code, 16))
  return isBytes ? Buffer.from(unit).toString('latin1') : unit
}

/** What `%C3%A4` means: UTF-8. Where that is cut, and among bytes, it stays bytes. */
function addBytes(
  building: ReadingBuilder,
  escaped: string,
  { index, isBytes }: { readonly index: number; readonly isBytes: boolean },
): void {
  const bytes = Buffer.from(escaped.replaceAll('%', ''), 'hex')
  const decoded = bytes.toString('utf8')
  const staysBytes = isBytes || decoded.includes('\ufffd')
  let at = index
  for (const character of staysBytes ? bytes.toString('latin1') : decoded) {
    const end = at + 3 * (staysBytes ? 1 : Buffer.byteLength(character))
    building.add(character, at, end)
    at = end
  }
}

/** Less of it decides no text that is looked for. */
const BASE64 = /[A-Za-z0-9+/_-]{8,}={0,2}/g

/**
 * What may be base64, as bytes, wherever it begins: something else may stand before it, such as the `n` of a line's end in
 * JSON.
 */
function* base64Readings(reading: Reading): Generator<Reading> {
  for (const { 0: token, index } of reading.text.matchAll(BASE64))
    for (let skipped = 0; skipped < 4; skipped++) yield base64Reading(reading, token, { index, skipped })
}

/** A byte stands for the characters that it decides alone, or with the bytes beside it; the last one also for what fills up. */
function base64Reading(
  reading: Reading,
  token: string,
  { index, skipped }: { readonly index: number; readonly skipped: number },
): Reading {
  const text = Buffer.from(token.slice(skipped), 'base64').toString('latin1')
  const first = index + skipped
  const last = index + token.length - 1
  return {
    text,
    isBytes: true,
    startOf: (at) => reading.startOf(Math.min(first + Math.ceil((at * 4) / 3), last)),
    endOf: (at) => reading.endOf(at + 1 === text.length ? last : first + Math.floor(((at + 1) * 4) / 3) - 1),
  }
}

/** Characters of a reading that follow each other, and where they come from. */
interface Stretch {
  /** Where it begins in the reading. */
  readonly at: number
  /** From where to where in the other one, all of it for each character; without an end, character by character. */
  readonly start: number
  readonly end?: number
}

/** Puts together what a reading makes of another one. */
class ReadingBuilder {
  readonly #stretches: Stretch[] = []
  readonly #texts: string[] = []
  readonly #from: Reading
  #length = 0

  constructor(from: Reading) {
    this.#from = from
  }

  /** A text for what stands between two places of the other reading. */
  add(text: string, start: number, end: number): void {
    this.#add(text, { at: this.#length, start, end })
  }

  /** Characters as they stand in the other reading. */
  addPlain(text: string, start: number): void {
    this.#add(text, { at: this.#length, start })
  }

  built(): Reading {
    const from = this.#from
    return {
      text: this.#texts.join(''),
      isBytes: from.isBytes,
      startOf: (index) => {
        const { at, start, end } = this.#stretchAt(index)
        return from.startOf(end === undefined ? start + index - at : start)
      },
      endOf: (index) => {
        const { at, start, end } = this.#stretchAt(index)
        return from.endOf(end === undefined ? start + index - at : end - 1)
      },
    }
  }

  #add(text: string, stretch: Stretch): void {
    if (text === '') return
    this.#texts.push(text)
    this.#stretches.push(stretch)
    this.#length += text.length
  }

  #stretchAt(index: number): Stretch {
    let [low, high] = [0, this.#stretches.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#stretches[middle] as Stretch).at <= index) low = middle
      else high = middle - 1
    }
    return this.#stretches[low] as Stretch
  }
}
