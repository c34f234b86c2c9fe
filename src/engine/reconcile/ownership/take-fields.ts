import { getPath } from '../../../core/base/json.ts'
import type { KubeClient } from '../../../core/kube/client.ts'
import { isTerminating } from '../../../core/kube/finalizer.ts'
import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import { isCut } from '../../../core/kube/nesting.ts'
import { formatObject, type KubeObject, keyOf, type ManagedFieldsEntry } from '../../../core/kube/object.ts'
import { FieldSet } from '../../../core/schema/field-set.ts'
import { TaskFailure } from '../../role/task-outcome.ts'
import type { ApplyRequest } from '../apply/apply-request.ts'
import { attempt, isOtherObject } from '../apply/request-failure.ts'
import { fieldsOf } from './held-fields.ts'
import { ADOPT_FROM_ANNOTATION, applyEntryOf, FIELD_MANAGER } from './marks.ts'
import { checkMayEnsure } from './ownership.ts'

export interface TakenFields {
  /** As it is once the fields are ours. */
  readonly object: KubeObject
  /** Whose fields were taken. */
  readonly managers: readonly string[]
}

type AdoptRequest = Pick<ApplyRequest, 'adoptFrom' | 'desired'>

/** Whether the managers that the role names may still hold fields of the object: no apply of ours has noted that they do not. */
export function isTakeDue(object: KubeObject, { adoptFrom = [], desired }: AdoptRequest): boolean {
  if (adoptFrom.length === 0) return false
  const noted = ['f:metadata', 'f:annotations', `f:${ADOPT_FROM_ANNOTATION}`]
  if (getPath(applyEntryOf(object, FIELD_MANAGER)?.fieldsV1, noted) === undefined) return true
  const [is, wanted] = [object, desired].map(({ metadata }) => metadata.annotations?.[ADOPT_FROM_ANNOTATION])
  return is !== wanted
}

/**
 * Makes the fields of the managers that the role names ours, by one patch of `managedFields`, so that the apply that follows
 * removes those of them that the role does not set. `live` has the entries of all managers.
 *
 * The patch comes before the apply, and the note that it was done comes with the apply: whoever finds the patch done and the
 * note missing has nothing to take and applies.
 *
 * @throws TaskFailure when the object may not be ensured, or has changed meanwhile
 */
export async function takeFields(client: KubeClient, live: KubeObject, request: ApplyRequest): Promise<TakenFields> {
  const { owner, adoptFrom = [], mapping, signal } = request
  const nothing = { object: live, managers: [] }
  if (!isTakeDue(live, request)) return nothing
  checkMayEnsure(live, owner, request)
  // Of one that is nested too deeply not all entries are known.
  if (isTerminating(live) || isCut(live)) return nothing
  const taken = entriesAfter(live, adoptFrom)
  if (!taken) return nothing
  await request.beforeWrite()
  const { uid, resourceVersion } = live.metadata
  const body = { metadata: { uid, resourceVersion, managedFields: taken.entries } }
  const [gvk, key] = [gvkOf(live), keyOf(live)]
  try {
    const object = await attempt({ verb: 'patch', mapping, key, object: live }, () =>
      client.patch(gvk, key, { type: 'merge', body }, { fieldManager: FIELD_MANAGER, signal }),
    )
    return { object, managers: taken.managers }
  } catch (error) {
    if (!isOtherObject(error)) throw error
    const message = `${formatObject(live)} changed while its fields were taken over`
    throw new TaskFailure('Failed', message, { retriable: true, cause: error })
  }
}

/**
 * What stays where it is, whoever is named: a finalizer is the word of its author to clean up, and the status belongs to the
 * controller of the object.
 */
const LEFT = FieldSet.fromFieldsV1({ 'f:metadata': { 'f:finalizers': {} }, 'f:status': {} })

/**
 * The entries of an object once ours holds what the named managers hold of it. Subresources are left alone, and so is what
 * was written in another version of the kind: its fields may have other names. `undefined`: there is nothing to take.
 */
function entriesAfter(
  { metadata: { managedFields = [] } }: KubeObject,
  names: readonly string[],
): { readonly entries: readonly ManagedFieldsEntry[]; readonly managers: readonly string[] } | undefined {
  const ours = managedFields.find((entry) => isMain(entry) && isOurs(entry))
  const named = managedFields.filter((entry) => isMain(entry) && isNamed(entry, names))
  const joined = ours ?? latestOf(named)
  const former = named.filter((entry) => entry.apiVersion === joined?.apiVersion && !takenOf(entry).isEmpty())
  if (!joined || former.length === 0) return undefined
  const fields = former.map(takenOf).reduce((all, one) => all.union(one), ours ? fieldsOf(ours) : FieldSet.empty)
  const others = managedFields.filter((entry) => entry !== ours && !former.includes(entry))
  const rest = former.map((entry) => withFields(entry, fieldsOf(entry).difference(takenOf(entry))))
  const entry = withFields({ ...joined, manager: FIELD_MANAGER, operation: 'Apply' }, fields)
  return {
    entries: [entry, ...others, ...rest.filter((one) => !fieldsOf(one).isEmpty())],
    managers: [...new Set(former.map(({ manager = '' }) => manager))].sort(),
  }
}

function isMain({ subresource = '' }: ManagedFieldsEntry): boolean {
  return subresource === ''
}

function isOurs({ manager, operation }: ManagedFieldsEntry): boolean {
  return manager === FIELD_MANAGER && operation === 'Apply'
}

/** Each command of kubectl is a manager of its own: `kubectl-client-side-apply`, `kubectl-edit`, and for a server-side apply `kubectl`. */
function isNamed({ manager = '' }: ManagedFieldsEntry, names: readonly string[]): boolean {
  return names.includes(manager) || (manager.startsWith('kubectl-') && names.includes('kubectl'))
}

function latestOf(entries: readonly ManagedFieldsEntry[]): ManagedFieldsEntry | undefined {
  return entries.toSorted((left, right) => ((left.time ?? '') < (right.time ?? '') ? 1 : -1))[0]
}

function takenOf(entry: ManagedFieldsEntry): FieldSet {
  return fieldsOf(entry).recursiveDifference(LEFT)
}

function withFields(entry: ManagedFieldsEntry, fields: FieldSet): ManagedFieldsEntry {
  return { ...entry, fieldsV1: fields.toFieldsV1() }
}
