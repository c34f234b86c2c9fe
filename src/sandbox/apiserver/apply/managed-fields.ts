import { isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../../core/kube/object.ts'
import { FieldSet } from '../../../core/schema/field-set.ts'
import { compareText, goJson } from '../../../core/schema/go-json.ts'

/** What one manager owns. */
export interface OwnedFields {
  readonly fields: FieldSet
  readonly apiVersion: string
  readonly applied: boolean
}

/** Managers by their identifier; see `managerId`. */
export type Owners = ReadonlyMap<string, OwnedFields>

/** `metadata.managedFields`, read. */
export interface ManagedFields {
  readonly owners: Owners
  /** RFC 3339, by identifier. */
  readonly times: ReadonlyMap<string, string>
}

export const NO_MANAGED_FIELDS: ManagedFields = { owners: new Map(), times: new Map() }

/** Identifies a manager. An applier has one entry for all versions that it applies, an updater has one for each version. */
export interface ManagerIdentity {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly subresource: string
}

/** The identifier under which the real server sorts managers. */
export function managerId({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  const version = operation === 'Apply' ? '' : field('apiVersion', apiVersion)
  const fields = `${field('manager', manager)}${field('operation', operation)}${version}${field('subresource', subresource)}`
  return `{${fields.slice(1)}}`
}

/** With a comma before it; what is empty is left out. */
function field(name: keyof ManagerIdentity, value: string): string {
  return value === '' ? '' : `,"${name}":${goJson(value)}`
}

/** The inverse of `managerId`; `apiVersion` is empty for appliers. */
export function parseManagerId(id: string): ManagerIdentity {
  const { manager = '', operation = 'Update', apiVersion = '', subresource = '' } = JSON.parse(id)
  return { manager, operation, apiVersion, subresource }
}

/** @throws Error when an entry cannot be read */
export function decodeManagedFields(entries: readonly ManagedFieldsEntry[] | undefined): ManagedFields {
  const owners = new Map<string, OwnedFields>()
  const times = new Map<string, string>()
  for (const [index, entry] of (entries ?? []).entries()) {
    const { operation, apiVersion = '', time } = entry
    if (operation !== 'Apply' && operation !== 'Update') throw new Error('operation must be `Apply` or `Update`')
    if (apiVersion === '') throw new Error('apiVersion must not be empty')
    checkFieldsType(entry, index)
    const { manager = '', subresource = '', fieldsV1 } = entry
    const id = managerId({ manager, operation, apiVersion, subresource })
    owners.set(id, { fields: decodeFields(fieldsV1), apiVersion, applied: operation === 'Apply' })
    if (typeof time === 'string') times.set(id, time)
    else times.delete(id)
  }
  return { owners, times }
}

function decodeFields(fieldsV1: JsonValue | undefined): FieldSet {
  if (fieldsV1 === undefined || fieldsV1 === null) return FieldSet.empty
  if (isJsonObject(fieldsV1)) return FieldSet.fromFieldsV1(fieldsV1)
  throw new Error('fieldsV1 must be an object')
}

function checkFieldsType({ fieldsType = '' }: ManagedFieldsEntry, index: number): void {
  if (fieldsType === 'FieldsV1') return
  if (fieldsType === '') throw new Error(`missing fieldsType in managed fields entry ${index}`)
  throw new Error(`invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`)
}

/** Entries in the order of the server: Apply before Update, then by time, manager, version, subresource. */
export function encodeManagedFields({ owners, times }: ManagedFields): readonly ManagedFieldsEntry[] | undefined {
  if (owners.size === 0) return undefined
  const entries = [...owners].map(([id, owned]) => encodeEntry(id, owned, times.get(id)))
  return entries.sort(compareEntries)
}

function encodeEntry(id: string, owned: OwnedFields, time: string | undefined): ManagedFieldsEntry {
  const { manager, operation, subresource } = parseManagerId(id)
  return {
    ...(manager !== '' && { manager }),
    operation: owned.applied ? 'Apply' : operation,
    apiVersion: owned.apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: owned.fields.toFieldsV1(),
    ...(subresource !== '' && { subresource }),
  }
}

function compareEntries(left: ManagedFieldsEntry, right: ManagedFieldsEntry): number {
  const by = (field: 'operation' | 'manager' | 'apiVersion' | 'subresource'): number => {
    const [{ [field]: ours = '' }, { [field]: theirs = '' }] = [left, right]
    return compareText(ours, theirs)
  }
  const byTime = secondsOf(left.time) - secondsOf(right.time)
  return by('operation') || byTime || by('manager') || by('apiVersion') || by('subresource')
}

/** Seconds since 1970; an absent time is older than all others. */
export function secondsOf(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000)
}

/** An object with these entries in its metadata; with none for `undefined`. */
export function withManagedFields<T extends KubeObject>(
  object: T,
  managedFields: readonly ManagedFieldsEntry[] | undefined,
): T {
  const { managedFields: old, ...metadata } = object.metadata ?? {}
  if (old === undefined && managedFields === undefined) return object
  return { ...object, metadata: managedFields === undefined ? metadata : { ...metadata, managedFields } }
}
