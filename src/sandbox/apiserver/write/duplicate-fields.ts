/** A key that stood in the same object before. */
export interface DuplicateField {
  /** `spec.replicas`. */
  readonly path: string
  readonly key: string
  /** Counted from 1. */
  readonly line: number
}

/**
 * Keys that stand twice in one object of a JSON text. The text is known to be valid JSON.
 *
 * `JSON.parse` takes the last of them silently, but the real server reports them.
 */
export function findDuplicateFields(text: string): readonly DuplicateField[] {
  return new DuplicateFinder(text).find()
}

interface Level {
  /** Absent for an array. */
  readonly keys: Set<string> | undefined
  /** The present key, or the index. */
  at: string | number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

class DuplicateFinder {
  readonly #text: string
  readonly #levels: Level[] = []
  readonly #found: DuplicateField[] = []
  #position = 0
  /** The next string is a key. */
  #expectsKey = false

  constructor(text: string) {
    this.#text = text
  }

  find(): readonly DuplicateField[] {
    const text = this.#text
    for (; this.#position < text.length; this.#position++) this.#step(text.charCodeAt(this.#position))
    return this.#found
  }

  #step(code: number): void {
    if (code === QUOTE) this.#readString()
    else if (code === OPEN_OBJECT) this.#open({ keys: new Set(), at: '' })
    else if (code === OPEN_ARRAY) this.#open({ keys: undefined, at: 0 })
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) this.#levels.pop()
    else if (code === COMMA) this.#nextMember()
  }

  #open(level: Level): void {
    this.#levels.push(level)
    this.#expectsKey = level.keys !== undefined
  }

  #nextMember(): void {
    const level = this.#levels.at(-1)
    this.#expectsKey = level?.keys !== undefined
    if (typeof level?.at === 'number') level.at++
  }

  #readString(): void {
    const start = this.#position
    const text = this.#text
    let position = start + 1
    for (; text.charCodeAt(position) !== QUOTE; position++) if (text.charCodeAt(position) === BACKSLASH) position++
    this.#position = position
    if (!this.#expectsKey) return
    this.#expectsKey = false
    const raw = text.slice(start + 1, position)
    this.#addKey(raw.includes('\\') ? JSON.parse(`"${raw}"`) : raw)
  }

  #addKey(key: string): void {
    const level = this.#levels.at(-1) as Level
    const keys = level.keys as Set<string>
    level.at = key
    if (keys.has(key)) this.#found.push({ path: this.#path(), key, line: this.#line() })
    keys.add(key)
  }

  #line(): number {
    return this.#text.slice(0, this.#position).split('\n').length
  }

  #path(): string {
    let path = ''
    for (const { at } of this.#levels) path += typeof at === 'number' ? `[${at}]` : path === '' ? at : `.${at}`
    return path
  }
}
