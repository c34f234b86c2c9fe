import { isDeepStrictEqual } from 'node:util'
import { keyOf, type ResourceRow } from '../ui/model.ts'

/** What changed after a version of the table. */
export interface RowChanges {
  readonly rows: readonly ResourceRow[]
  /** Keys of rows that are gone. */
  readonly gone: readonly string[]
  /** The version up to which these are all changes. */
  readonly version: number
}

/** How many keys of removed rows are remembered. A reader that has not seen a forgotten one must read all rows again. */
const MOST_GONE = 1_000

interface Kept {
  readonly row: ResourceRow
  readonly version: number
}

/**
 * The rows of all resources, each with the version of the table in which it last changed. A reader needs no queue of its own: it asks for what
 * is newer than what it has, and many changes of a row between two questions are one.
 */
export class RowTable {
  #version = 0
  /** The version of the newest key that is forgotten. */
  #forgotten = 0
  /** In the order of their versions. */
  readonly #rows = new Map<string, Kept>()
  /** Versions by key, in their order. */
  readonly #gone = new Map<string, number>()

  get version(): number {
    return this.#version
  }

  /** Takes these rows for all that there are. Returns whether anything has changed. */
  replace(rows: Iterable<ResourceRow>): boolean {
    const before = this.#version
    const present = new Set<string>()
    for (const row of rows) {
      const key = keyOf(row)
      present.add(key)
      this.#put(key, row)
    }
    for (const key of this.#rows.keys()) if (!present.has(key)) this.#remove(key)
    return this.#version > before
  }

  /** Whether a reader that has a version can go on from there. */
  knows(version: number): boolean {
    return version >= this.#forgotten && version <= this.#version
  }

  /** What changed after a version that the table knows: at most so many rows, the earliest changes. */
  since(version: number, most: number): RowChanges {
    const changed: Kept[] = []
    for (const kept of this.#rows.values()) if (kept.version > version && changed.length < most) changed.push(kept)
    const last = changed.length === most ? (changed.at(-1)?.version ?? version) : this.#version
    const gone = [...this.#gone].filter(([, at]) => at > version && at <= last).map(([key]) => key)
    return { rows: changed.map(({ row }) => row), gone, version: last }
  }

  #put(key: string, row: ResourceRow): void {
    const known = this.#rows.get(key)?.row
    if (known === row || isDeepStrictEqual(known, row)) return
    this.#rows.delete(key)
    this.#gone.delete(key)
    this.#rows.set(key, { row, version: ++this.#version })
  }

  #remove(key: string): void {
    this.#rows.delete(key)
    this.#gone.set(key, ++this.#version)
    const [oldest] = this.#gone
    if (this.#gone.size <= MOST_GONE || !oldest) return
    this.#gone.delete(oldest[0])
    this.#forgotten = oldest[1]
  }
}
