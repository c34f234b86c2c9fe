/** What stands in the place of a text that must not be shown. */
export const REDACTED = '<redacted>'

/** Shorter texts are words of ordinary messages as often as secrets: redaction would spoil the message and show where they were. */
const SHORTEST = 6
/** How many comparisons, of up to `COMPARED` characters each, one search may take. Only texts that are made for it take more. */
const MOST_COMPARISONS = 1_000_000
const COMPARED = 64

/**
 * Removes whole texts from other texts: as they are, as JSON quotes them, and in base64.
 *
 * A hidden text that is also a shown one stays: its author knows it, and `<redacted>` would reveal that a Secret holds it.
 */
export class Redactor {
  readonly #hidden: Set<string>
  /** Those of `#hidden` that the constructor was not given. */
  readonly #own = new Set<string>()
  readonly #shown = new Set<string>()
  #shownLength = 0
  /** Spellings of hidden texts by their first `SHORTEST` characters. */
  readonly #spellings = new Map<string, string[]>()
  /** Their first characters: where few texts are hidden, most places of a text are passed by after one look. */
  readonly #firsts = new Set<number>()
  /** Hidden texts that are not in `#spellings` yet: many redactors never search. */
  #unindexed: string[]

  /** @param former texts that are hidden from the start */
  constructor(former: Iterable<string> = []) {
    this.#hidden = new Set(former)
    this.#unindexed = [...this.#hidden]
  }

  /** The hidden texts to begin another redactor with: all, or only those hidden here. */
  texts(which: 'all' | 'own'): ReadonlySet<string> {
    return which === 'all' ? this.#hidden : this.#own
  }

  hide(text: string): void {
    if (text.length < SHORTEST) return
    if (!this.#hidden.has(text)) this.#unindexed.push(text)
    this.#hidden.add(text)
    this.#own.add(text)
  }

  show(text: string): void {
    if (text.length < SHORTEST || this.#shown.has(text)) return
    this.#shown.add(text)
    this.#shownLength += text.length
  }

  redact(text: string): string {
    for (const hidden of this.#unindexed.splice(0)) for (const spelling of spellingsOf(hidden)) this.#index(spelling)
    let [redacted, end] = ['', -1]
    for (const place of this.#placesIn(text)) {
      if (place.start > end) redacted += text.slice(Math.max(end, 0), place.start) + REDACTED
      end = Math.max(end, place.end)
    }
    return end === -1 ? text : redacted + text.slice(end)
  }

  /** Where hidden texts stand that are not shown, in order; they may overlap. What is beyond the limit of a search counts as one. */
  *#placesIn(text: string): Generator<{ readonly start: number; readonly end: number }> {
    let comparisons = 0
    for (let start = 0; start + SHORTEST <= text.length; start++) {
      if (!this.#firsts.has(text.charCodeAt(start))) continue
      for (const spelling of this.#spellings.get(text.slice(start, start + SHORTEST)) ?? []) {
        const end = start + spelling.length
        if (++comparisons > MOST_COMPARISONS) return yield { start, end: text.length }
        if (text.charCodeAt(end - 1) !== spelling.charCodeAt(spelling.length - 1)) continue
        comparisons += spelling.length / COMPARED
        if (!text.startsWith(spelling, start)) continue
        comparisons += this.#shownLength / COMPARED
        if (![...this.#shown].some((shown) => shown.includes(spelling))) yield { start, end }
      }
    }
  }

  #index(spelling: string): void {
    const beginning = spelling.slice(0, SHORTEST)
    const known = this.#spellings.get(beginning)
    if (known) known.push(spelling)
    else this.#spellings.set(beginning, [spelling])
    this.#firsts.add(beginning.charCodeAt(0))
  }
}

/** Of a text, and of what it decodes to from base64. */
function spellingsOf(hidden: string): readonly string[] {
  const texts = [hidden, ...decoded(hidden)].flatMap((text) => [text, text.trim()]).filter(isLong)
  const spellings = texts.flatMap((text) => {
    const bytes = Buffer.from(text)
    return [text, JSON.stringify(text).slice(1, -1), bytes.toString('base64'), bytes.toString('base64url')]
  })
  return [...new Set(spellings)]
}

function isLong(text: string): boolean {
  return text.length >= SHORTEST
}

/** The text that this one is the base64 of, if it is that of any. */
function decoded(text: string): readonly string[] {
  const bytes = Buffer.from(text, 'base64')
  const isText = bytes.toString('base64') === text && !NOT_TEXT.test(bytes.toString('utf8'))
  return isText ? [bytes.toString('utf8')] : []
}

/** What decoding makes of bytes that are not UTF-8, and control characters that no text has. */
const NOT_TEXT = /\uFFFD|(?![\t\n\r])\p{Cc}/u
