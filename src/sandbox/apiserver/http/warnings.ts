const MOST_CHARACTERS = 4096
const SHORTENED_TO = 256

/** The `Warning` headers of one answer: each text once, and all of them shortened where they are too long together. */
export class Warnings {
  readonly #texts = new Set<string>()

  add(text: string): void {
    if (text !== '') this.#texts.add(text)
  }

  clear(): void {
    this.#texts.clear()
  }

  /** A text with control characters is no warning at all. */
  headers(): readonly string[] {
    const texts = [...this.#texts].filter((text) => !/\p{Cc}/u.test(text)).map((text) => [...text])
    const total = texts.reduce((sum, { length }) => sum + length, 0)
    if (total <= MOST_CHARACTERS) return texts.map(headerOf)
    let written = 0
    return texts.flatMap((characters) => {
      if (written >= MOST_CHARACTERS) return []
      const shortened = characters.slice(0, SHORTENED_TO)
      written += shortened.length
      return [headerOf(shortened)]
    })
  }
}

/** UTF-8, as bytes. */
function headerOf(characters: readonly string[]): string {
  const text = characters.join('').replace(/["\\]/g, '\\$&')
  return Buffer.from(`299 - "${text}"`).toString('latin1')
}
