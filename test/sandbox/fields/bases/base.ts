import type { JsonObject } from '../../../../src/core/base/json.ts'
import { apiVersionOf } from '../../../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'

/** An object that the server takes as it is, and whose fields are spoiled one at a time. */
export interface Base {
  readonly name: string
  readonly kind: string
  readonly apiVersion: string
  /** Without its namespace. */
  readonly object: KubeObject
}

/** By name, in the order in which fields are looked for. The first has every field of metadata that lasts. */
export function basesOf(
  group: string,
  version: string,
  kind: string,
  objects: Readonly<Record<string, JsonObject>>,
): readonly Base[] {
  const apiVersion = apiVersionOf({ group, version })
  return Object.entries(objects).map(([name, { metadata, ...rest }], index) => ({
    name,
    kind,
    apiVersion,
    object: {
      apiVersion,
      kind,
      metadata: (metadata as JsonObject) ?? { name, ...(index === 0 && COMPLETE_META) },
      ...rest,
    } as KubeObject,
  }))
}

/** With every field that conditions of the API conventions have. */
export const CONDITION = {
  type: 'Ready',
  status: 'True',
  reason: 'A',
  message: 'a',
  observedGeneration: 1,
  lastTransitionTime: '2020-01-01T00:00:00Z',
}

export const COMPLETE_META = {
  labels: { app: 'fields' },
  annotations: { note: 'fields' },
  finalizers: ['example.com/fields'],
}
