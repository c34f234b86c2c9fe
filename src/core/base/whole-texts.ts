import { PartIndex, SHORTEST } from './part-index.ts'

/** Characters that one search may compare: only texts that are made for it take more. */
const MOST_COMPARED = 20_000_000

/** Finds texts as a whole in another one. Those of fewer than `SHORTEST` characters are not looked for. */
export class WholeTexts {
  readonly #beginnings = new PartIndex(() => false)
  readonly #byBeginning = new Map<string, string[]>()
  readonly #texts = new Set<string>()

  add(text: string): void {
    if (text.length < SHORTEST || this.#texts.has(text)) return
    this.#texts.add(text)
    const beginning = text.slice(0, SHORTEST)
    this.#beginnings.add(beginning)
    const known = this.#byBeginning.get(beginning)
    if (known) known.push(text)
    else this.#byBeginning.set(beginning, [text])
  }

  /** Where they stand in a text; they may overlap. From where it takes too long to search it, all of it is one. */
  find(text: string, onFound: (start: number, end: number) => void): void {
    let compared = 0
    this.#beginnings.find(text, (start) => {
      if (compared > MOST_COMPARED) return
      for (const one of this.#byBeginning.get(text.slice(start, start + SHORTEST)) as string[]) {
        compared += one.length
        if (text.startsWith(one, start)) onFound(start, start + one.length)
      }
      if (compared > MOST_COMPARED) onFound(start, text.length)
    })
  }
}
