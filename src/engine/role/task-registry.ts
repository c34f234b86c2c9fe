import { MODIFIER_SCHEMAS } from './parse/modifier-schemas.ts'
import type { TaskKind } from './task-kind.ts'

/** The kinds of task that roles may use, by name. */
export class TaskRegistry {
  readonly #kinds: ReadonlyMap<string, TaskKind>

  /** @throws Error when two kinds have one name, or a kind has the name of a modifier: a defect, not a mistake of a user */
  constructor(kinds: readonly TaskKind[]) {
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]))
    if (this.#kinds.size < kinds.length) throw new Error('cannot register task kinds: two have the same name')
    const clash = kinds.find(({ name }) => Object.hasOwn(MODIFIER_SCHEMAS, name))
    if (clash) throw new Error(`cannot register task kind "${clash.name}": a modifier has this name`)
  }

  get kinds(): readonly TaskKind[] {
    return [...this.#kinds.values()]
  }

  get(name: string): TaskKind | undefined {
    return this.#kinds.get(name)
  }
}
