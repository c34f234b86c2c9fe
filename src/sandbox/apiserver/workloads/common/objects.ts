import { type JsonObject, jsonEquals } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { CONTROLLER_MANAGER } from '../../controller-manager.ts'
import { objectAt } from '../../kinds/common/fields.ts'
import type { ObjectApi } from '../../object-api.ts'

export function specOf(object: KubeObject): JsonObject {
  return objectAt(object, 'spec')
}

export function statusOf(object: KubeObject): JsonObject {
  return objectAt(object, 'status')
}

/** Every object that the server shows has one. */
export function uidOf({ metadata }: KubeObject): string {
  return metadata.uid as string
}

export function isDeleting(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined
}

/** Writes a status unless it is that already. */
export function putStatus(
  api: ObjectApi,
  object: KubeObject,
  status: JsonObject,
  manager = CONTROLLER_MANAGER,
): KubeObject {
  if (jsonEquals(statusOf(object), status)) return object
  return api.update({ ...object, status }, manager, 'status')
}

/** The object with some annotations changed; the very object when they are that already. */
export function withAnnotations(object: KubeObject, change: { readonly [name: string]: string }): KubeObject {
  const { annotations = {} } = object.metadata
  if (Object.entries(change).every(([name, value]) => annotations[name] === value)) return object
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, ...change } } }
}

export function withoutAnnotation(object: KubeObject, name: string): KubeObject {
  const { [name]: dropped, ...annotations } = object.metadata.annotations ?? {}
  if (dropped === undefined) return object
  const { annotations: _old, ...metadata } = object.metadata
  const isEmpty = Object.keys(annotations).length === 0
  return { ...object, metadata: isEmpty ? metadata : { ...metadata, annotations } }
}

export function withoutFinalizer(object: KubeObject, finalizer: string): KubeObject {
  const finalizers = object.metadata.finalizers?.filter((name) => name !== finalizer)
  return { ...object, metadata: { ...object.metadata, finalizers } }
}

/** `2026-01-01T00:00:00Z`. */
export function timestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}

/** Fields that are 0 are left out of a status, as Go does it. */
export function withoutZeros(status: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(status).filter(([, value]) => value !== 0 && value !== undefined))
}

/** The oldest first; objects of one second by name. */
export function byAge({ metadata: left }: KubeObject, { metadata: right }: KubeObject): number {
  const isSame = left.creationTimestamp === right.creationTimestamp
  const isFirst = isSame
    ? String(left.name) < String(right.name)
    : String(left.creationTimestamp) < String(right.creationTimestamp)
  return isFirst ? -1 : 1
}
