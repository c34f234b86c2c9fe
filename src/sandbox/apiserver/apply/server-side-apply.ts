import { explain } from '../../../core/base/coded-error.ts'
import { isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import { formatGvk, type Gvk, gvkOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../../core/kube/object.ts'
import type { FieldSet } from '../../../core/schema/field-set.ts'
import { mergeTypeOf } from '../../../core/schema/merge-type.ts'
import { isBuiltin, type Schema } from '../../../core/schema/schema.ts'
import { zeroObject } from '../../../core/schema/zero-value.ts'
import { textOf } from '../kinds/common/fields.ts'
import { badRequest, internalError, PatchError } from '../patch/patch-error.ts'
import { checkType } from './check-type.ts'
import { createdFields } from './created-fields.ts'
import { type FieldConflict, toFieldConflicts } from './field-conflict.ts'
import { type FieldManagerInput, identityOf, updaterFor } from './field-manager-input.ts'
import type { Conflicts, FieldUpdater } from './field-updater.ts'
import { allowedByLastApplied, withLastApplied } from './last-applied.ts'
import {
  decodeManagedFields,
  encodeManagedFields,
  type ManagedFields,
  managerId,
  NO_MANAGED_FIELDS,
  withManagedFields,
} from './managed-fields.ts'
import { trackWrite } from './track-write.ts'
import { strip } from './untracked-fields.ts'

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
 * Server-side apply. The object of the answer is merged and carries the new managedFields; defaults are not applied, and
 * nulls stand where fields were removed. `changed` is false when nothing but perhaps managedFields differs from the live
 * object.
 *
 * @throws PatchError for a body that does not fit
 */
export function applyPatch(input: ApplyInput): ApplyResult {
  checkBody(input)
  const live = input.live ?? emptyObject(input)
  const managed = trackedSoFar(input, live)
  const result = applyOrTakeOver(input, live, managed)
  if (result.conflicts !== undefined) return { conflicts: toFieldConflicts(result.conflicts) }
  const { value, owners } = result
  const id = managerId(identityOf(input, 'Apply'))
  const times = value === undefined ? managed.times : new Map(managed.times).set(id, input.now)
  const merged = (value ?? withManagedFields(live, undefined)) as KubeObject
  const object = withManagedFields(merged, encodeManagedFields({ owners: strip(owners, id), times }))
  return { object: withLastApplied(object, input.applied, input.manager), changed: value !== undefined }
}

/** `updated` with the managedFields that a create, update or patch by `manager` leads to. Never throws. */
export function trackUpdate(input: UpdateInput): KubeObject {
  const updated = withManagedFields(input.updated, undefined)
  const tracked = isCreation(input) ? trackCreation(input, updated) : trackChange(input, updated)
  return tracked === undefined ? updated : withManagedFields(updated, encodeManagedFields(tracked))
}

/** A creation whose client says nothing about managers. */
function isCreation({ live, updated }: UpdateInput): boolean {
  return live === undefined && updated.metadata?.managedFields === undefined
}

/** Objects of one shape are created with the same fields. */
function trackCreation(input: UpdateInput, created: KubeObject): ManagedFields | undefined {
  const id = managerId(identityOf(input, 'Update'))
  const fields = createdFields(created, input, () => trackChange(input, created)?.owners.get(id)?.fields)
  if (fields === undefined) return undefined
  const owned = { fields, apiVersion: input.apiVersion, applied: false }
  return { owners: new Map([[id, owned]]), times: new Map([[id, input.now]]) }
}

/** Managers after a write of `updated`; `undefined` when they cannot or need not be tracked. */
function trackChange(input: UpdateInput, updated: KubeObject): ManagedFields | undefined {
  const managed = managedBefore(input)
  const untracked = managed.owners.size === 0 && input.live !== undefined
  if (untracked) return undefined
  const live = withManagedFields(input.live ?? emptyObject(input), undefined)
  const type = mergeTypeOf(input.schema)
  const problem = [updated, live].some((object) => checkType(object, type, { allowDuplicates: true }) !== undefined)
  return problem ? undefined : unlessRefused(() => trackWrite(input, { live, updated, managed }))
}

/** An entry of a version that does not exist, for example, costs an object its managers, but does not block updates. */
function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof PatchError) return undefined
    throw error
  }
}

/** Names the fields of objects that were written before managers were tracked. */
const BEFORE_FIRST_APPLY = 'before-first-apply'

function checkBody({ applied, apiVersion, live }: ApplyInput): void {
  if (applied.apiVersion !== apiVersion || (live !== undefined && applied.kind !== live.kind)) {
    throw otherType(applied)
  }
  if (applied.metadata?.managedFields !== undefined && applied.metadata.managedFields !== null) {
    throw badRequest('metadata.managedFields must be nil')
  }
}

/** What is applied is of another kind or version than the path. */
export function otherType(applied: KubeObject): Error {
  const isReadable = applied.apiVersion.split('/').length < 3
  return badRequest(`invalid object type: ${isReadable ? goGvk(gvkOf(applied)) : '/, Kind='}`)
}

function trackedSoFar(input: ApplyInput, live: KubeObject): ManagedFields {
  const managed = readManagedFields(live)
  if (managed.owners.size > 0 || input.live === undefined) return managed
  const problem = checkType(live, mergeTypeOf(input.schema), { allowDuplicates: true })
  if (problem !== undefined) {
    const failed = 'failed to create manager for existing fields: failed to convert new object'
    throw internalError(`${failed} ${describe(live)} to smd typed: ${problem}`)
  }
  const first = { ...input, manager: BEFORE_FIRST_APPLY, live: undefined }
  return trackWrite(first, { live: emptyObject(first), updated: live, managed })
}

function readManagedFields(live: KubeObject): ManagedFields {
  try {
    return decodeManagedFields(live.metadata?.managedFields)
  } catch (error) {
    throw internalError(`failed to decode managed fields: ${explain(error)}`)
  }
}

type UpdaterResult = ReturnType<FieldUpdater['apply']>

/** Fields that `kubectl apply` set on the client side are its own, also when applied on the server side. */
function applyOrTakeOver(input: ApplyInput, live: KubeObject, managed: ManagedFields): UpdaterResult {
  const type = mergeTypeOf(input.schema)
  assertType(input.applied, checkType(input.applied, type, { allowDuplicates: false }), 'patch')
  assertType(live, checkType(live, type, { allowDuplicates: true }), 'live')
  const updater = updaterFor(input)
  const write = { owners: managed.owners, manager: managerId(identityOf(input, 'Apply')) }
  const result = updater.apply(live, input.applied, { ...write, force: input.force })
  if (result.conflicts === undefined || input.manager !== 'kubectl') return result
  const allowed = allowedByLastApplied(live, type)
  if (allowed === undefined) return result
  const left = withoutFields(result.conflicts, allowed)
  return left.size > 0 ? { conflicts: left } : updater.apply(live, input.applied, { ...write, force: true })
}

function withoutFields(conflicts: Conflicts, fields: FieldSet): Conflicts {
  const left = [...conflicts].map(([id, set]) => [id, set.difference(fields)] as const)
  return new Map(left.filter(([, set]) => !set.isEmpty()))
}

function assertType(object: KubeObject, problem: string | undefined, role: 'patch' | 'live'): void {
  if (problem === undefined) return
  throw internalError(`failed to create typed ${role} object ${describe(object)}: ${problem}`)
}

/** `(default/web; apps/v1, Kind=Deployment)`. */
function describe(object: KubeObject): string {
  const { namespace, name } = object.metadata
  return `(${textOf(namespace)}/${textOf(name)}; ${goGvk(gvkOf(object))})`
}

/** In an update, the client's entries count if there are any; `[]` and `[{}]` ask for a fresh start. */
function managedBefore({ live, updated, subresource, schema }: UpdateInput): ManagedFields {
  const sent = updated.metadata?.managedFields
  if (subresource === '' && Array.isArray(sent)) {
    if (isReset(sent, schema)) return NO_MANAGED_FIELDS
    const managed = decodeOrNone(sent)
    if (managed.owners.size > 0) return managed
  }
  return decodeOrNone(live?.metadata?.managedFields)
}

/** Metadata of a custom resource lose empty lists before they are looked at, so there `[]` means nothing. */
function isReset(entries: readonly ManagedFieldsEntry[], schema: Schema | undefined): boolean {
  if (entries.length === 0) return schema !== undefined && isBuiltin(schema)
  return entries.length === 1 && isEmptyEntry(entries[0])
}

function isEmptyEntry(entry: JsonValue | ManagedFieldsEntry | undefined): boolean {
  return isJsonObject(entry) && Object.values(entry).every((value) => value === undefined)
}

function decodeOrNone(entries: readonly ManagedFieldsEntry[] | undefined): ManagedFields {
  try {
    return decodeManagedFields(entries)
  } catch {
    return NO_MANAGED_FIELDS
  }
}

function emptyObject({
  schema,
  apiVersion,
  ...input
}: FieldManagerInput & { applied?: KubeObject; updated?: KubeObject }): KubeObject {
  const { kind = '' } = { ...(input.applied ?? input.updated) }
  const { metadata, ...rest } = zeroObject(schema)
  return { apiVersion, kind, ...(metadata !== undefined && { metadata }), ...rest } as KubeObject
}

/** `apps/v1, Kind=Deployment`, as Go prints it; `/v1, Kind=Pod` for the core group. */
export function goGvk(gvk: Gvk): string {
  const [apiVersion = '', kind = ''] = formatGvk(gvk).split(' ')
  return `${gvk.group === '' ? '/' : ''}${apiVersion}, Kind=${kind}`
}
