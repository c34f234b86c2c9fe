/** What stands in the place of a text that nobody may see. */
export const REDACTED = '<redacted>'

/** Shorter texts are words of everyday messages as often as secrets: taken out, they would spoil the message and show where they were. */
const SHORTEST = 6
/** A part of a hidden text counts from this length on: a line of a key, a value that somebody has cut. */
const SHORTEST_PART = 8
/** One that is no word of a language counts sooner: letters with digits, or small ones before a capital. */
const TELLING = /\d.*[A-Za-z]|[A-Za-z].*\d|[a-z].*[A-Z]/s

/**
 * Takes texts out of others: whole, in part, and as base64, JSON, URLs and Go print them.
 *
 * A hidden text that is shown as well stays: whoever gave it knows it, and taking it out would give it away.
 */
export class Redactor {
  /** All hidden texts. */
  readonly #hidden: Set<string>
  /** Those hidden here, and not before. */
  readonly #own = new Set<string>()
  readonly #shown = new Set<string>()
  /** By hidden text, from when it is first looked for. */
  readonly #forms = new Map<string, readonly string[]>()

  /** @param former texts that are hidden already */
  constructor(former: Iterable<string> = []) {
    this.#hidden = new Set(former)
  }

  /** The hidden texts to begin another redactor with: all, or only those hidden here. */
  texts(which: 'all' | 'own'): ReadonlySet<string> {
    return which === 'all' ? this.#hidden : this.#own
  }

  /** Whether nothing is hidden. */
  get isIdle(): boolean {
    return this.#hidden.size === 0
  }

  hide(text: string): void {
    for (const one of spellingsOf(text).map((each) => each.trim())) {
      if (one.length < SHORTEST) continue
      this.#hidden.add(one)
      this.#own.add(one)
    }
  }

  show(text: string): void {
    if (text.length >= SHORTEST) this.#shown.add(text)
  }

  /** Whether a hidden text stands in this one as a whole. */
  holds(text: string): boolean {
    for (const hidden of this.#hidden) {
      if (this.#formsOf(hidden).some((form) => text.includes(form) && !this.#isShown(form))) return true
    }
    return false
  }

  redact(text: string): string {
    if (this.#hidden.size === 0 || text.length < SHORTEST) return text
    const cover = new Cover(text)
    for (const hidden of this.#hidden) for (const form of this.#formsOf(hidden)) cover.add(form)
    return cover.replace((part) => (this.#isShown(part) ? part : REDACTED))
  }

  #formsOf(hidden: string): readonly string[] {
    const known = this.#forms.get(hidden)
    if (known) return known
    const forms = formsOf(hidden)
    this.#forms.set(hidden, forms)
    return forms
  }

  #isShown(part: string): boolean {
    for (const shown of this.#shown) if (shown.includes(part)) return true
    return false
  }
}

/**
 * A text, and what it decodes to from base64. Where one of these is JSON, as the login of a registry is, also what the
 * texts in it decode to.
 */
function spellingsOf(text: string): readonly string[] {
  const whole = [text, ...decodings(text)]
  return [...whole, ...whole.flatMap(textsWithin).flatMap(decodings)]
}

/** The texts that stand in a text of JSON; none in any other. */
function textsWithin(text: string): readonly string[] {
  if (!/^\s*[[{]/.test(text)) return []
  const texts: string[] = []
  try {
    JSON.parse(text, (_key, value: unknown) => {
      if (typeof value === 'string') texts.push(value)
      return value
    })
  } catch {
    return []
  }
  return texts
}

/** A text, and how it is printed by what quotes or encodes it. */
function formsOf(text: string): readonly string[] {
  const wellFormed = text.toWellFormed()
  const quoted = JSON.stringify(text).slice(1, -1)
  const base64 = ENCODINGS.flatMap((encoding) => [
    toBase64(wellFormed, encoding),
    ...BEFORE.map((before) => withinBase64(before, wellFormed, encoding)),
  ])
  const forms = [
    text,
    quoted,
    // JSON in a text of JSON, such as an annotation that is quoted.
    JSON.stringify(quoted).slice(1, -1),
    encodeURIComponent(wellFormed),
    encodeURI(wellFormed),
    ...[text.toLowerCase(), text.toUpperCase()].flatMap((cased) => [cased, JSON.stringify(cased).slice(1, -1)]),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')),
  ]
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST)
}

/** What may stand before a text in something that is encoded as a whole, such as `user:`; only how long it is counts. */
const BEFORE = ['', 'x', 'xy']

/** UTF-8 as everywhere, and what `$base64encode` of JSONata takes texts for. */
const ENCODINGS = ['utf8', 'latin1'] as const

/** The characters of base64 that a text alone decides, whatever is around it. */
function withinBase64(before: string, text: string, encoding: (typeof ENCODINGS)[number]): string {
  const bytes = Buffer.byteLength(before + text, encoding)
  return toBase64(before + text, encoding).slice(Math.ceil((before.length * 8) / 6), Math.floor((bytes * 8) / 6))
}

function toBase64(text: string, encoding: (typeof ENCODINGS)[number]): string {
  return Buffer.from(text, encoding).toString('base64')
}

const BASE64 = /^[A-Za-z0-9+/]{4,}={0,2}$/

/** The texts that another one is the base64 of. */
function decodings(text: string): readonly string[] {
  if (text.length % 4 !== 0 || !BASE64.test(text)) return []
  const bytes = Buffer.from(text, 'base64')
  return NOT_TEXT.test(bytes.toString('utf8')) ? [] : ENCODINGS.map((encoding) => bytes.toString(encoding))
}

/** What decoding makes of bytes that are not UTF-8, and control characters that no text has. */
const NOT_TEXT = /\uFFFD|(?![\t\n\r])\p{Cc}/u

/** Which characters of a text are part of others. */
class Cover {
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
