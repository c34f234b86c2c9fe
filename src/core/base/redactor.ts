import { Cover } from './cover.ts'
import { HiddenTexts, valuesWithin } from './hidden-texts.ts'
import { SHORTEST } from './part-index.ts'

/** Characters of what is shown that one search may compare: only texts that are made for it take more. */
const MOST_COMPARED = 50_000_000

/** What stands in the place of a text that must not be shown. */
export const REDACTED = '<redacted>'

/**
 * Takes texts out of others: whole, in part, as base64, JSON, URLs and Go print them, and as names are made of them.
 *
 * A hidden text that is shown as well stays: its author knows it, and taking it out would give it away.
 */
export class Redactor {
  /** All hidden texts. */
  readonly #hidden: Set<string>
  /** Those hidden here, and not before. */
  readonly #own = new Set<string>()
  readonly #shown = new Set<string>()
  /** Those of `#hidden` that were looked for once. Most runs look for none, and must not hold what that takes. */
  #sought: HiddenTexts | undefined
  /** Those that were not. */
  #unsought: string[]

  /** @param former texts that are hidden already */
  constructor(former: Iterable<string> = []) {
    this.#hidden = new Set(former)
    this.#unsought = [...this.#hidden]
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
      if (!this.#hidden.has(one)) this.#unsought.push(one)
      this.#hidden.add(one)
      this.#own.add(one)
    }
  }

  show(text: string): void {
    if (text.length >= SHORTEST) this.#shown.add(text)
  }

  /** Whether a hidden text stands in this one as a whole. */
  holds(text: string): boolean {
    if (this.#isShort(text)) return false
    const isShown = this.#shownOnes()
    return this.#seek().standIn(text, (start, end) => !isShown(text.slice(start, end)))
  }

  redact(text: string): string {
    if (this.#isShort(text)) return text
    const isShown = this.#shownOnes()
    const cover = new Cover(text)
    this.#seek().findParts(text, (start, end) => cover.add(start, end))
    return cover.replace((part) => (isShown(part) ? part : REDACTED))
  }

  #isShort(text: string): boolean {
    return this.#hidden.size === 0 || text.length < SHORTEST
  }

  #seek(): HiddenTexts {
    const sought = this.#sought ?? new HiddenTexts()
    this.#sought = sought
    for (const text of this.#unsought) sought.add(text)
    this.#unsought = []
    return sought
  }

  /** Whether a part is shown elsewhere. Once that has taken long, it is not. */
  #shownOnes(): (part: string) => boolean {
    let compared = 0
    return (part) => {
      for (const shown of this.#shown) {
        compared += shown.length
        if (compared > MOST_COMPARED) return false
        if (shown.includes(part)) return true
      }
      return false
    }
  }
}

/**
 * A text, and what it decodes to from base64. Where one of these is JSON, as the login of a registry is, also what the
 * texts in it decode to.
 */
function spellingsOf(text: string): readonly string[] {
  const whole = [text, ...decodings(text)]
  return [...whole, ...whole.flatMap((one) => valuesWithin(one) ?? []).flatMap(decodings)]
}

const BASE64 = /^[A-Za-z0-9+/]{4,}={0,2}$/

/** The texts that another one is the base64 of. */
function decodings(text: string): readonly string[] {
  if (text.length % 4 !== 0 || !BASE64.test(text)) return []
  const bytes = Buffer.from(text, 'base64')
  return NOT_TEXT.test(bytes.toString('utf8')) ? [] : [bytes.toString('utf8'), bytes.toString('latin1')]
}

/** What decoding makes of bytes that are not UTF-8, and control characters that no text has. */
const NOT_TEXT = /\uFFFD|(?![\t\n\r])\p{Cc}/u
