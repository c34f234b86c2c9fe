import { CodedError } from '../../core/base/coded-error.ts'
import type { Labels } from '../../core/kube/label-selector.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../../core/kube/object.ts'

/** The values under which an index finds an object. They must depend only on the object. */
export type IndexFunction = (object: KubeObject) => readonly string[]

export interface ObjectCacheOptions {
  readonly indexes?: { readonly [name: string]: IndexFunction } | undefined
}

export interface CacheQuery {
  /** Empty or absent: all namespaces. */
  readonly namespace?: string | undefined
  readonly labels?: ((labels: Labels | undefined) => boolean) | undefined
}

/** Objects of one kind by key, with named indexes. The objects are shared and must not be changed. */
export class ObjectCache {
  /** The cache has everything up to this version. Empty before the first list. */
  resourceVersion = ''
  readonly #namespaces = new Map<string, Map<string, KubeObject>>()
  readonly #indexes = new Map<string, Index>()
  #size = 0

  constructor({ indexes = {} }: ObjectCacheOptions = {}) {
    for (const [name, valuesOf] of Object.entries(indexes)) this.#indexes.set(name, new Index(valuesOf))
  }

  get size(): number {
    return this.#size
  }

  get({ namespace, name }: ObjectKey): KubeObject | undefined {
    return this.#namespaces.get(namespace)?.get(name)
  }

  list({ namespace, labels }: CacheQuery = {}): readonly KubeObject[] {
    const found = namespace ? [...(this.#namespaces.get(namespace)?.values() ?? [])] : [...this.values()]
    return labels ? found.filter((object) => labels(object.metadata.labels)) : found
  }

  *values(): IterableIterator<KubeObject> {
    for (const objects of this.#namespaces.values()) yield* objects.values()
  }

  /** @throws CodedError `UnknownIndex` */
  byIndex(name: string, value: string): readonly KubeObject[] {
    const index = this.#indexes.get(name)
    if (!index) throw new CodedError('UnknownIndex', `cannot look up objects: there is no index "${name}"`)
    return index.get(value)
  }

  /** Returns the object that was there before. */
  put(object: KubeObject): KubeObject | undefined {
    const { namespace, name } = keyOf(object)
    const old = this.delete({ namespace, name })
    let objects = this.#namespaces.get(namespace)
    if (!objects) {
      objects = new Map()
      this.#namespaces.set(namespace, objects)
    }
    objects.set(name, object)
    this.#size++
    for (const index of this.#indexes.values()) index.add(object)
    return old
  }

  /** Returns the object that was there. */
  delete({ namespace, name }: ObjectKey): KubeObject | undefined {
    const objects = this.#namespaces.get(namespace)
    const object = objects?.get(name)
    if (!objects || !object) return undefined
    objects.delete(name)
    if (objects.size === 0) this.#namespaces.delete(namespace)
    this.#size--
    for (const index of this.#indexes.values()) index.delete(object)
    return object
  }
}

class Index {
  readonly #valuesOf: IndexFunction
  readonly #objects = new Map<string, Set<KubeObject>>()

  constructor(valuesOf: IndexFunction) {
    this.#valuesOf = valuesOf
  }

  get(value: string): readonly KubeObject[] {
    return [...(this.#objects.get(value) ?? [])]
  }

  add(object: KubeObject): void {
    for (const value of this.#valuesOf(object)) {
      const objects = this.#objects.get(value)
      if (objects) objects.add(object)
      else this.#objects.set(value, new Set([object]))
    }
  }

  delete(object: KubeObject): void {
    for (const value of this.#valuesOf(object)) {
      const objects = this.#objects.get(value)
      objects?.delete(object)
      if (objects?.size === 0) this.#objects.delete(value)
    }
  }
}
