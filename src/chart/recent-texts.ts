/** Texts by key, the least recently used forgotten first when they are too long together. */
export class RecentTexts {
  readonly #texts = new Map<string, string>()
  readonly #most: number
  #length = 0

  /** @param most characters of all texts together */
  constructor(most: number) {
    this.#most = most
  }

  get(key: string): string | undefined {
    const text = this.#texts.get(key)
    if (text === undefined) return undefined
    this.#texts.delete(key)
    this.#texts.set(key, text)
    return text
  }

  /** The key is one that has no text. */
  add(key: string, text: string): void {
    this.#texts.set(key, text)
    this.#length += text.length
    for (const [oldest, old] of this.#texts) {
      if (this.#length <= this.#most) return
      this.#texts.delete(oldest)
      this.#length -= old.length
    }
  }
}
