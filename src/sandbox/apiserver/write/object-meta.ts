import type { KubeObject, ObjectMeta } from '../../../core/kube/object.ts'
import { badRequest } from '../api-status.ts'
import type { WriteRequest } from './write-request.ts'

/** An object with some of its metadata replaced; an `undefined` removes the field. */
export function withMeta(
  object: KubeObject,
  change: Partial<Record<keyof ObjectMeta | 'selfLink', unknown>>,
): KubeObject {
  const merged: Record<string, unknown> = { ...object.metadata, ...change }
  const removesNone = Object.values(change).every((value) => value !== undefined)
  return { ...object, metadata: (removesNone ? merged : withoutRemoved(merged, change)) as ObjectMeta }
}

/** Deleting fields would make a slow object. */
function withoutRemoved(merged: Record<string, unknown>, change: object): Record<string, unknown> {
  const metadata: Record<string, unknown> = {}
  for (const key of Object.keys(merged)) {
    if (merged[key] !== undefined || !Object.hasOwn(change, key)) metadata[key] = merged[key]
  }
  return metadata
}

/** What only the server sets is dropped from an object to create. */
export function wipeSystemFields(object: KubeObject): KubeObject {
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, selfLink, ...rest } = {
    selfLink: undefined,
    ...object.metadata,
  }
  return { ...object, metadata: rest }
}

/**
 * The namespace of an object is that of the path.
 *
 * @throws ApiError 400 when it names another
 */
export function ensureNamespace(object: KubeObject, request: WriteRequest): KubeObject {
  const { namespace } = object.metadata
  if (request.namespace === '') return namespace === undefined ? object : withMeta(object, { namespace: undefined })
  if (namespace === undefined || namespace === '') return withMeta(object, { namespace: request.namespace })
  if (namespace === request.namespace) return object
  throw otherNamespace()
}

export function otherNamespace(): Error {
  return badRequest('the namespace of the provided object does not match the namespace sent on the request')
}

/** Fields of the metadata that an update cannot change, taken over from the stored object. */
export function keepSystemFields(object: KubeObject, old: KubeObject): KubeObject {
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation } = old.metadata
  const given = object.metadata
  return withMeta(object, {
    uid: given.uid ?? uid,
    creationTimestamp,
    deletionTimestamp: deletionTimestamp ?? given.deletionTimestamp,
    deletionGracePeriodSeconds: given.deletionGracePeriodSeconds ?? deletionGracePeriodSeconds,
    generation,
  })
}
