import type { GroupKind, Gvk } from '../../core/kube/group-version-kind.ts'
import type { ServedResource } from './served-resource.ts'

/** Which resources are served right now: the built-in ones and those of CRDs. */
export class ResourceRegistry {
  readonly #byPath = new Map<string, ServedResource>()
  /** By its name alone, because this is asked all the time: few groups and versions have the same one. */
  readonly #byKind = new Map<string, readonly ServedResource[]>()
  readonly #byTable = new Map<string, ServedResource>()
  readonly #listeners = new Set<(tables: ReadonlySet<string>) => void>()
  #generation = 0

  /** Grows with every change: what documents about the resources may be cached under. */
  get generation(): number {
    return this.#generation
  }

  /** All resources in the order in which they were added. */
  all(): Iterable<ServedResource> {
    return this.#byPath.values()
  }

  at(group: string, version: string, plural: string): ServedResource | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`)
  }

  ofKind({ group, version, kind }: Gvk): ServedResource | undefined {
    return this.#byKind.get(kind)?.find((each) => each.group === group && each.version === version)
  }

  /** Any version of a kind. */
  ofGroupKind({ group, kind }: GroupKind): ServedResource | undefined {
    for (const resource of this.all()) if (resource.group === group && resource.kind === kind) return resource
    return undefined
  }

  /** The resource of a table, in the version that is stored when that one is served. */
  ofTable(table: string): ServedResource | undefined {
    return this.#byTable.get(table)
  }

  hasGroupVersion(group: string, version: string): boolean {
    for (const resource of this.all()) if (resource.group === group && resource.version === version) return true
    return false
  }

  /** Whether the server itself, not a CRD, brings a group. */
  isBuiltin(group: string): boolean {
    for (const each of this.all()) if (each.group === group && !each.custom) return true
    return false
  }

  /** Replaces the resources of some tables: `added` may be empty. */
  replace(tables: ReadonlySet<string>, added: readonly ServedResource[]): void {
    for (const table of tables) this.#byTable.delete(table)
    for (const [path, resource] of this.#byPath) if (tables.has(resource.table)) this.#byPath.delete(path)
    for (const [kind, resources] of this.#byKind) {
      const left = resources.filter(({ table }) => !tables.has(table))
      if (left.length > 0) this.#byKind.set(kind, left)
      else this.#byKind.delete(kind)
    }
    for (const resource of added) this.#add(resource)
    this.#generation++
    for (const listener of this.#listeners) listener(tables)
  }

  /** Calls `listener` with the tables of each `replace`, after it. */
  subscribe(listener: (tables: ReadonlySet<string>) => void): void {
    this.#listeners.add(listener)
  }

  #add(resource: ServedResource): void {
    const { group, version, plural, kind } = resource
    this.#byPath.set(`${group}/${version}/${plural}`, resource)
    const others = this.#byKind.get(kind)?.filter((each) => each.group !== group || each.version !== version) ?? []
    this.#byKind.set(kind, [...others, resource])
    const isStored = version === resource.storageVersion && !resource.convert
    if (isStored || !this.#byTable.has(resource.table)) this.#byTable.set(resource.table, resource)
  }
}
