import { PartIndex, SHORTEST } from './part-index.ts'

/** Characters that one search may compare: only texts that are made for it take more. */
const MOST_COMPARED = 20_000_000

/** Finds texts as a whole in another one. Each has at least `SHORTEST` characters. */
export class WholeTexts {
  readonly #beginnings = new PartIndex(() => false)
  readonly #byBeginning = new Map<string, string[]>()
  readonly #texts = new Set<string>()

  add(text: string): void {
    if (this.#texts.has(text)) return
    this.#texts.add(text)
    const beginning = text.slice(0, SHORTEST)
    this.#beginnings.add(beginning)
    const known = this.#byBeginning.get(beginning)
    if (known) known.push(text)
    else this.#byBeginning.set(beginning, [text])
  }

  /** Whether one of them stands in a text, at a place that counts. A text that would take too long to be searched holds one. */
  standIn(text: string, counts: (start: number, end: number) => boolean): boolean {
    let compared = 0
    let isFound = false
    this.#beginnings.find(text, (start) => {
      if (isFound) return
      for (const one of this.#byBeginning.get(text.slice(start, start + SHORTEST)) as string[]) {
        compared += one.length
        isFound ||= compared > MOST_COMPARED || (text.startsWith(one, start) && counts(start, start + one.length))
      }
    })
    return isFound
  }
}
