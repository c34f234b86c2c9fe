/** Shorter texts are ordinary words as often as secrets, and are not covered. */
const SHORTEST = 6

const quoted = (text: string): string => JSON.stringify(text).slice(1, -1)

/** The spellings of a text that SECURITY.md covers. */
export const SPELLINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'quoted in JSON': quoted,
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
}

/** Finds texts in others, in every spelling that is covered. */
export class Traces {
  readonly #spellings = new Map<string, string>()

  constructor(texts: readonly string[]) {
    for (const text of texts.filter(({ length }) => length >= SHORTEST))
      for (const [name, spell] of Object.entries(SPELLINGS)) this.#spellings.set(spell(text), name)
  }

  /** In which spelling one of the texts stands in a published text. */
  in(published: string): { readonly form: string; readonly around: string } | undefined {
    for (const [spelling, form] of this.#spellings) {
      const start = published.indexOf(spelling)
      if (start !== -1) return { form, around: published.slice(Math.max(0, start - 300), start + 200) }
    }
    return undefined
  }
}
