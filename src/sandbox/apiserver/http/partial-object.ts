import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'

/** `PartialObjectMetadata`: an object without what makes its kind. */
export function partialObject({ metadata }: KubeObject, apiVersion = 'meta.k8s.io/v1'): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata }
}

export function partialObjectList(
  objects: readonly KubeObject[],
  metadata: JsonObject,
  apiVersion = 'meta.k8s.io/v1',
): JsonObject {
  const items = objects.length === 0 ? null : objects.map((object) => partialObject(object, apiVersion))
  return { kind: 'PartialObjectMetadataList', apiVersion, metadata, items }
}
