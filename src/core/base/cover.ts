/** Which characters of a text are part of others. */
export class Cover {
  readonly #text: string
  readonly #covered: Uint8Array

  constructor(text: string) {
    this.#text = text
    this.#covered = new Uint8Array(text.length)
  }

  add(start: number, end: number): void {
    this.#covered.fill(1, start, end)
  }

  replace(by: (part: string) => string): string {
    let [replaced, end] = ['', 0]
    for (let start = this.#covered.indexOf(1); start !== -1; start = this.#covered.indexOf(1, end)) {
      replaced += this.#text.slice(end, start)
      end = this.#covered.indexOf(0, start)
      if (end === -1) end = this.#text.length
      replaced += by(this.#text.slice(start, end))
    }
    return replaced + this.#text.slice(end)
  }
}
