import {
  getPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
} from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'

/** A Pod as a workload makes it. */
export interface PodTemplate {
  readonly object: KubeObject
  /** Of the template in the object. */
  readonly path: JsonPath
  readonly labels: JsonObject
  readonly spec: JsonObject
}

/** A container of a Pod, with its path in the object. */
export interface Container {
  readonly path: JsonPath
  readonly value: JsonObject
}

/** All objects that one run of a role makes, as they ask for each other. */
export class OwnObjects {
  readonly templates: readonly PodTemplate[]
  readonly #objects: readonly KubeObject[]

  constructor(objects: readonly KubeObject[]) {
    this.#objects = objects
    this.templates = objects.flatMap(templatesOf)
  }

  /** By kind and name, in the namespace of the object that refers to it. */
  find(kind: string, name: JsonValue | undefined, from: KubeObject): KubeObject | undefined {
    return this.#of(kind, from).find(({ metadata }) => metadata.name === name)
  }

  /** Names of a kind, in the namespace of an object. */
  names(kind: string, from: KubeObject): readonly string[] {
    return this.#of(kind, from).map(({ metadata }) => metadata.name ?? '')
  }

  /** Templates whose labels a plain selector selects. */
  selected(selector: JsonObject, from: KubeObject): readonly PodTemplate[] {
    return this.near(from).filter(({ labels }) =>
      Object.entries(selector).every(([key, value]) => labels[key] === value),
    )
  }

  /** Templates in the namespace of an object. */
  near(from: KubeObject): readonly PodTemplate[] {
    return this.templates.filter(({ object }) => object.metadata.namespace === from.metadata.namespace)
  }

  #of(kind: string, { metadata: { namespace } }: KubeObject): readonly KubeObject[] {
    return this.#objects.filter(
      (object) => object.kind === kind && (object.metadata.namespace ?? namespace) === namespace,
    )
  }
}

const TEMPLATE_PATHS: readonly JsonPath[] = [
  ['spec', 'template'],
  ['spec', 'jobTemplate', 'spec', 'template'],
]

/** The Pods that an object makes, or is. */
export function templatesOf(object: KubeObject): readonly PodTemplate[] {
  const paths = object.kind === 'Pod' ? [[]] : TEMPLATE_PATHS
  return paths.flatMap((path) => {
    const template = getPath(object as JsonObject, path)
    const spec = getPath(template, ['spec'])
    if (!isJsonObject(spec) || !isJsonArray(spec.containers)) return []
    return [{ object, path, labels: objectAt(template, ['metadata', 'labels']), spec }]
  })
}

export function containersOf({ path, spec }: PodTemplate): readonly Container[] {
  return ['initContainers', 'containers'].flatMap((field) =>
    listAt(spec, [field]).map((value, index) => ({ path: [...path, 'spec', field, index], value })),
  )
}

export function objectAt(value: JsonValue | undefined, path: JsonPath): JsonObject {
  const found = getPath(value, path)
  return isJsonObject(found) ? found : {}
}

/** The objects of a list; of anything else, none. */
export function listAt(value: JsonValue | undefined, path: JsonPath): readonly JsonObject[] {
  const found = getPath(value, path)
  return isJsonArray(found) ? found.map((item) => (isJsonObject(item) ? item : {})) : []
}
