/** The flags of a program in Go, as `--name=value` or `--name value`; a name may come more than once. */
export class ProgramFlags {
  readonly #values = new Map<string, string[]>()

  constructor(args: readonly string[]) {
    for (let index = 0; index < args.length; index++) {
      const [, name = '', joined] = /^--?([^=]+)(?:=(.*))?$/s.exec(args[index] ?? '') ?? []
      if (name === '') continue
      const next = args[index + 1]
      const hasNext = joined === undefined && next !== undefined && !next.startsWith('-')
      if (hasNext) index++
      const value = joined ?? (hasNext ? next : 'true')
      this.#values.set(name, [...(this.#values.get(name) ?? []), value])
    }
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  /** The last one counts; `undefined` when it is missing or empty. */
  text(name: string): string | undefined {
    return this.#values.get(name)?.at(-1) || undefined
  }

  /** All values, also those between commas. */
  list(name: string): readonly string[] {
    const texts = this.#values.get(name) ?? []
    return texts.flatMap((text) => text.split(',')).filter((text) => text !== '')
  }
}
