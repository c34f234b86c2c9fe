import type { JsonValue } from '../base/json.ts'

export type OwnerReference = {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean | undefined
  readonly blockOwnerDeletion?: boolean | undefined
}

export type ManagedFieldsEntry = {
  readonly manager?: string | undefined
  readonly operation?: string | undefined
  readonly apiVersion?: string | undefined
  readonly time?: string | undefined
  readonly fieldsType?: string | undefined
  readonly fieldsV1?: { readonly [field: string]: JsonValue | undefined } | undefined
  readonly subresource?: string | undefined
}

export type ObjectMeta = {
  readonly name?: string | undefined
  readonly generateName?: string | undefined
  readonly namespace?: string | undefined
  readonly uid?: string | undefined
  readonly resourceVersion?: string | undefined
  readonly generation?: number | undefined
  readonly creationTimestamp?: string | undefined
  readonly deletionTimestamp?: string | undefined
  readonly deletionGracePeriodSeconds?: number | undefined
  readonly labels?: { readonly [key: string]: string } | undefined
  readonly annotations?: { readonly [key: string]: string } | undefined
  readonly finalizers?: readonly string[] | undefined
  readonly ownerReferences?: readonly OwnerReference[] | undefined
  readonly managedFields?: readonly ManagedFieldsEntry[] | undefined
}

/** Any object of the API, as plain JSON. */
export type KubeObject = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
  readonly [field: string]: JsonValue | undefined
}

/** Name and namespace of an object; the namespace is empty for a cluster-scoped one. */
export type ObjectKey = { readonly namespace: string; readonly name: string }

export function keyOf(object: KubeObject): ObjectKey {
  return { namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' }
}

/** `default/web`, or `web` for a cluster-scoped object. */
export function formatKey({ namespace, name }: ObjectKey): string {
  return namespace === '' ? name : `${namespace}/${name}`
}

/** `Deployment default/web`. */
export function formatObject(object: KubeObject): string {
  return `${object.kind} ${formatKey(keyOf(object))}`
}
