import type { Gvk } from '../../../kube/group-version-kind.ts'
import type { KubeObject } from '../../../kube/object.ts'
import type { ObjectApi, ObjectEvent } from '../../object-api.ts'

type Labels = { readonly [name: string]: string }

/** Objects of one kind, found by labels without looking at all of them. */
export class LabelIndex {
  readonly stop: () => void
  readonly #byPair = new Map<string, Map<string, KubeObject>>()
  readonly #labelsOf: (object: KubeObject) => Labels

  /** `labelsOf` are the pairs an object is found by. Defaults to its labels. */
  constructor(
    api: ObjectApi,
    gvk: Gvk,
    onChange: (event: ObjectEvent) => void,
    labelsOf: (object: KubeObject) => Labels = ({ metadata }) => metadata.labels ?? {},
  ) {
    this.#labelsOf = labelsOf
    this.stop = api.subscribe(gvk, (event) => {
      if (event.old) this.#remove(event.old)
      if (event.type === 'DELETED') this.#remove(event.object)
      else this.#add(event.object)
      onChange(event)
    })
    for (const object of api.list(gvk)) this.#add(object)
  }

  /** Objects of a namespace that have all of these labels; none for no labels. */
  select(namespace: string, labels: Labels): readonly KubeObject[] {
    const sets = Object.entries(labels).map((pair) => this.#byPair.get(keyOfPair(namespace, pair)))
    if (sets.length === 0) return []
    const [smallest, ...others] = sets.sort((left, right) => (left?.size ?? 0) - (right?.size ?? 0))
    return [...(smallest?.values() ?? [])].filter(({ metadata }) =>
      others.every((set) => set?.has(metadata.name ?? '')),
    )
  }

  /** Objects of a namespace whose pairs are all among these labels. */
  coveredBy(namespace: string, labels: Labels): readonly KubeObject[] {
    const found = new Set<KubeObject>()
    for (const pair of Object.entries(labels)) {
      for (const object of this.#byPair.get(keyOfPair(namespace, pair))?.values() ?? []) found.add(object)
    }
    return [...found].filter((object) =>
      Object.entries(this.#labelsOf(object)).every(([name, value]) => labels[name] === value),
    )
  }

  #add(object: KubeObject): void {
    const { name = '', namespace = '' } = object.metadata
    for (const pair of Object.entries(this.#labelsOf(object))) {
      const key = keyOfPair(namespace, pair)
      this.#byPair.set(key, (this.#byPair.get(key) ?? new Map()).set(name, object))
    }
  }

  #remove(object: KubeObject): void {
    const { name = '', namespace = '' } = object.metadata
    for (const pair of Object.entries(this.#labelsOf(object))) {
      const key = keyOfPair(namespace, pair)
      const objects = this.#byPair.get(key)
      objects?.delete(name)
      if (objects?.size === 0) this.#byPair.delete(key)
    }
  }
}

function keyOfPair(namespace: string, [name, value]: readonly [string, string]): string {
  return `${namespace}/${name}=${value}`
}
