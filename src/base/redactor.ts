import { bareTextOf, Cover, SHORTEST } from './cover.ts'

/** What stands in the place of a text that nobody may see. */
export const REDACTED = '<redacted>'

/**
 * Takes texts out of others: whole, in part, as base64, JSON, URLs and Go print them, and as names are made of them.
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
  readonly #forms = new Map<string, Forms>()

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
      if (this.#formsOf(hidden).printed.some((form) => text.includes(form) && !this.#isShown(form))) return true
    }
    return false
  }

  redact(text: string): string {
    if (this.#hidden.size === 0 || text.length < SHORTEST) return text
    const cover = new Cover(text)
    for (const hidden of this.#hidden) {
      const { printed, bare } = this.#formsOf(hidden)
      for (const form of printed) cover.add(form)
      if (bare.length >= SHORTEST) cover.addBare(bare)
    }
    return cover.replace((part) => (this.#isShown(part) ? part : REDACTED))
  }

  #formsOf(hidden: string): Forms {
    const known = this.#forms.get(hidden)
    if (known) return known
    const forms = { printed: printedFormsOf(hidden), bare: bareTextOf(hidden) }
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

interface Forms {
  readonly printed: readonly string[]
  readonly bare: string
}

/** A text, and how it is printed by what quotes or encodes it. */
function printedFormsOf(text: string): readonly string[] {
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
