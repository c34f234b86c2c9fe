import { isHumped, isMixed, PartIndex, SHORTEST } from './part-index.ts'
import { bareReading, bareTextOf, foldAscii, foldCase, foldedReading, isAscii, readingsOf } from './text-readings.ts'
import { WholeTexts } from './whole-texts.ts'

/** A few hundred kilobytes of Secrets have as many; a table of more takes the memory and the time of others. */
const MOST_PARTS = 3_000_000

/**
 * Finds texts in others, whole or in part, however they are spelled there: in whatever case, as JSON, Go and URLs print
 * them, in base64, and as names are made of them.
 */
export class HiddenTexts {
  /** From when somebody asks for a whole one: most runs do not. */
  #wholes: WholeTexts | undefined
  /** Not in `#wholes` yet. */
  readonly #unindexed: string[] = []
  readonly #parts = new PartIndex(isMixed)
  readonly #humps = new PartIndex(isHumped)
  readonly #bareParts = new PartIndex(isMixed)

  /** Whether no more can be added: what was added before is found all the same. */
  get isFull(): boolean {
    return this.#parts.size + this.#humps.size + this.#bareParts.size > MOST_PARTS
  }

  add(text: string): void {
    this.#unindexed.push(text)
    for (const told of textsTold(text)) {
      if (this.isFull) return
      for (const spelling of spellingsOf(told)) this.#parts.add(spelling)
      this.#humps.addTelling(told)
      this.#bareParts.add(bareTextOf(told))
    }
  }

  /** Where parts of the texts stand in another one. */
  findParts(text: string, onFound: (start: number, end: number) => void): void {
    for (const reading of readingsOf(text)) {
      const searched = [
        [this.#parts, foldedReading(reading)],
        [this.#humps, reading],
        ...(reading.isBytes ? [] : [[this.#bareParts, bareReading(reading)] as const]),
      ] as const
      for (const [index, { text: read, startOf, endOf }] of searched)
        index.find(read, (start, end) => onFound(startOf(start), endOf(end - 1)))
    }
  }

  /** Whether one of the texts stands in another one as a whole, at a place that counts. */
  standIn(text: string, counts: (start: number, end: number) => boolean): boolean {
    const wholes = this.#wholes ?? new WholeTexts()
    this.#wholes = wholes
    for (const one of this.#unindexed.splice(0)) for (const spelling of spellingsOf(one)) wholes.add(spelling)
    for (const reading of readingsOf(text)) {
      const { text: read, startOf, endOf } = foldedReading(reading)
      if (wholes.standIn(read, (start, end) => counts(startOf(start), endOf(end - 1)))) return true
    }
    return false
  }
}

/** A text without the case of its letters, and so the bytes that base64 may be of: UTF-8, and what JSONata takes texts for. */
function spellingsOf(text: string): readonly string[] {
  if (isAscii(text)) return [foldCase(text)]
  const bytes = [Buffer.from(text, 'utf8'), Buffer.from(text, 'latin1')]
  return [foldCase(text), ...bytes.map((one) => foldAscii(one.toString('latin1')))]
}

const PEM_ARMOUR = /-----(?:BEGIN|END) [A-Z0-9 ]+-----/g

/** What of a text tells something: not the names of fields, where it is JSON, nor what each certificate begins with. */
function textsTold(text: string): readonly string[] {
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
