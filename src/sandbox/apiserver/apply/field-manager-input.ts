import type { KubeObject } from '../../../core/kube/object.ts'
import type { FieldSet } from '../../../core/schema/field-set.ts'
import type { Schema } from '../../../core/schema/schema.ts'
import { FieldUpdater } from './field-updater.ts'
import type { ManagerIdentity } from './managed-fields.ts'
import { ObjectVersions, type OtherVersions } from './object-versions.ts'

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
  /** Absent for a kind with one version. */
  readonly versions?: OtherVersions | undefined
}

export function updaterFor(input: FieldManagerInput): FieldUpdater {
  return new FieldUpdater(input.apiVersion, new ObjectVersions(input), input.resetFields)
}

export function identityOf(input: FieldManagerInput, operation: 'Apply' | 'Update'): ManagerIdentity {
  const { manager, apiVersion, subresource } = input
  return { manager: manager === '' ? 'unknown' : manager, operation, apiVersion, subresource }
}
