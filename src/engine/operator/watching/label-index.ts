import type { LabelSelector } from '../../../core/kube/label-selector.ts'
import { formatKey, type KubeObject, keyOf } from '../../../core/kube/object.ts'
import type { Informer } from '../../runtime/informer.ts'

/** Indexes the objects of an informer by label, so that a list of few among many is fast. */
export class LabelIndex {
  readonly #objects = new Map<string, Map<string, KubeObject>>()
  readonly stop: () => void

  constructor(informer: Informer) {
    this.stop = informer.subscribe((event) => {
      if (event.type === 'updated') this.#remove(event.old)
      if (event.type === 'deleted') this.#remove(event.object)
      else this.#add(event.object)
    })
  }

  /** The objects with the rarest label of the selector, among which are all that it matches; `undefined` if it names no label. */
  candidates({ matchLabels = {} }: LabelSelector): readonly KubeObject[] | undefined {
    const pairs = Object.entries(matchLabels)
    if (pairs.length === 0) return undefined
    const found = pairs.map((pair) => this.#objects.get(pair.join('=')) ?? NONE)
    return [...found.reduce((rarest, one) => (one.size < rarest.size ? one : rarest)).values()]
  }

  #add(object: KubeObject): void {
    for (const pair of Object.entries(object.metadata.labels ?? {})) {
      const place = this.#objects.get(pair.join('=')) ?? new Map<string, KubeObject>()
      this.#objects.set(pair.join('='), place.set(formatKey(keyOf(object)), object))
    }
  }

  #remove(object: KubeObject): void {
    for (const pair of Object.entries(object.metadata.labels ?? {})) {
      const place = this.#objects.get(pair.join('='))
      place?.delete(formatKey(keyOf(object)))
      if (place?.size === 0) this.#objects.delete(pair.join('='))
    }
  }
}

const NONE: ReadonlyMap<string, KubeObject> = new Map()
