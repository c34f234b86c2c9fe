import type { KubeObject } from '../../kube/object.ts'
import type { FieldSet } from '../../schema/field-set.ts'
import type { Schema } from '../../schema/schema.ts'
import type { FieldConflict } from './field-conflict.ts'

/** What both kinds of write have in common. */
export interface FieldManagerInput {
  /** The stored object as this version shows it (nothing removed), or `undefined` when it is being created. */
  readonly live: KubeObject | undefined
  /** The `fieldManager` of the request, or what the caller makes of the user agent. Empty counts as `unknown`. */
  readonly manager: string
  /** Empty for the main endpoint. */
  readonly subresource: string
  /** Of this version. Absent for a custom resource without one: all types are deduced. */
  readonly schema: Schema | undefined
  readonly apiVersion: string
  /** RFC 3339, in seconds. */
  readonly now: string
  /** Fields that this endpoint ignores (`status` on the main one): they are never tracked. */
  readonly resetFields?: FieldSet | undefined
  /** The other versions of the kind; absent when entries of other versions are to be read like those of this one. */
  readonly versions?: OtherVersions | undefined
}

export interface OtherVersions {
  /** Fields of entries of a version that is not served any more are dropped. */
  isServed(apiVersion: string): boolean
  schema(apiVersion: string): Schema | undefined
  convert(object: KubeObject, apiVersion: string): KubeObject
}

export interface ApplyInput extends FieldManagerInput {
  /** The body of the request. */
  readonly applied: KubeObject
  readonly force: boolean
}

export interface UpdateInput extends FieldManagerInput {
  /** The object to store, decoded and defaulted, but before allocation and before what the endpoint ignores is reset. */
  readonly updated: KubeObject
}

export type ApplyResult =
  | { readonly object: KubeObject; readonly changed: boolean; readonly conflicts?: undefined }
  | { readonly conflicts: readonly FieldConflict[]; readonly object?: undefined }

/**
 * Server-side apply. The object of the answer is merged and carries the new managedFields; defaults are not applied.
 * `changed` is false when nothing but perhaps managedFields differs from the live object.
 *
 * @throws PatchError for a body that does not fit
 */
export function applyPatch(_input: ApplyInput): ApplyResult {
  throw new Error('not written yet')
}

/** `updated` with the managedFields that a create, update or patch by `manager` leads to. Never throws. */
export function trackUpdate(_input: UpdateInput): KubeObject {
  throw new Error('not written yet')
}
