import { isHumped, isMixed, PartIndex, SHORTEST, SHORTEST_PART } from './part-index.ts'
import {
  bareReading,
  bareTextOf,
  foldAscii,
  foldCase,
  foldedReading,
  isAscii,
  type Reading,
  readingsOf,
} from './text-readings.ts'
import { WholeTexts } from './whole-texts.ts'

/**
 * A few hundred kilobytes of Secrets have as many; a table of more takes the memory and the time of others. Of texts beyond it,
 * only whole values, lines and words are looked for.
 */
const MOST_PARTS = 3_000_000

/**
 * Finds texts in others, whole or in part, however they are spelled there: in whatever case, as JSON, Go and URLs print
 * them, in base64, and as names are made of them.
 */
export class HiddenTexts {
  /** Made when a whole one is first needed: most runs need none. */
  #wholes: WholeTexts | undefined
  /** Not in `#wholes` yet. */
  readonly #unindexed: string[] = []
  readonly #parts = new PartIndex(isMixed)
  readonly #humps = new PartIndex(isHumped)
  readonly #bareParts = new PartIndex(isMixed)
  /** Of what the others have no room for. */
  readonly #beyond = new WholeTexts()
  readonly #bareBeyond = new WholeTexts()

  add(text: string): void {
    this.#unindexed.push(text)
    for (const hidden of distinctTexts(text)) {
      if (this.#isFull) this.#addBeyond(hidden)
      else this.#addParts(hidden)
    }
  }

  /** Where parts of the texts stand in another one. */
  findParts(text: string, onFound: OnFound): void {
    for (const reading of readingsOf(text)) {
      const folded = foldedReading(reading)
      for (const index of [this.#parts, this.#beyond]) findIn(index, folded, onFound)
      findIn(this.#humps, reading, onFound)
      if (reading.isBytes) continue
      const bare = bareReading(reading)
      for (const index of [this.#bareParts, this.#bareBeyond]) findIn(index, bare, onFound)
    }
  }

  /** Whether one of the texts stands in another one as a whole, at a place that counts. */
  standIn(text: string, counts: (start: number, end: number) => boolean): boolean {
    const wholes = this.#wholes ?? new WholeTexts()
    this.#wholes = wholes
    for (const one of this.#unindexed.splice(0)) for (const spelling of spellingsOf(one)) wholes.add(spelling)
    let isFound = false
    for (const reading of readingsOf(text)) {
      findIn(wholes, foldedReading(reading), (start, end) => {
        isFound ||= counts(start, end)
      })
      if (isFound) return true
    }
    return false
  }

  get #isFull(): boolean {
    return this.#parts.size + this.#humps.size + this.#bareParts.size > MOST_PARTS
  }

  #addParts(hidden: string): void {
    for (const spelling of spellingsOf(hidden)) this.#parts.add(spelling)
    this.#humps.addDistinctive(hidden)
    this.#bareParts.add(bareTextOf(hidden))
  }

  /** So much is mostly lists, keys and settings: a line of them is a whole, too, and so is a word, which may be the value of a setting. */
  #addBeyond(hidden: string): void {
    const lines = hidden.split('\n').map((line) => line.trim())
    const words = hidden.split(BETWEEN_WORDS).filter((word) => word.length >= SHORTEST_PART)
    for (const whole of new Set([hidden, ...lines, ...words])) {
      for (const spelling of spellingsOf(whole)) this.#beyond.add(spelling)
      this.#bareBeyond.add(bareTextOf(whole))
    }
  }
}

const BETWEEN_WORDS = /[\s"'=:,;]+/

type OnFound = (start: number, end: number) => void

function findIn(index: PartIndex | WholeTexts, { text, startOf, endOf }: Reading, onFound: OnFound): void {
  index.find(text, (start, end) => onFound(startOf(start), endOf(end - 1)))
}

/** A text without the case of its letters, and so the bytes that base64 may be of: UTF-8, and what JSONata takes texts for. */
function spellingsOf(text: string): readonly string[] {
  if (isAscii(text)) return [foldCase(text)]
  const bytes = [Buffer.from(text, 'utf8'), Buffer.from(text, 'latin1')]
  return [foldCase(text), ...bytes.map((one) => foldAscii(one.toString('latin1')))]
}

const PEM_ARMOUR = /-----(?:BEGIN|END) [A-Z0-9 ]+-----/g

/** What of a text tells something: not the names of fields, where it is JSON, nor what each certificate begins with. */
function distinctTexts(text: string): readonly string[] {
  const values = valuesWithin(text)
  const texts = values ?? text.split(PEM_ARMOUR)
  return texts.map((one) => one.trim()).filter((one) => one.length >= SHORTEST)
}

/** The texts and numbers that stand in a text of JSON; absent for any other. */
export function valuesWithin(text: string): readonly string[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  const values: string[] = []
  try {
    JSON.parse(text, (_key, value: unknown) => {
      if (typeof value === 'string' || typeof value === 'number') values.push(String(value))
      return value
    })
  } catch {
    return undefined
  }
  return values
}
