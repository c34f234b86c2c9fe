import { getPath, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { ApplyOptions, JsonPatchBody, JsonPatchOperation, KubeClient } from '../../../core/kube/client.ts'
import { isTerminating } from '../../../core/kube/finalizer.ts'
import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import { isCut } from '../../../core/kube/nesting.ts'
import { formatObject, type KubeObject, keyOf, type ManagedFieldsEntry } from '../../../core/kube/object.ts'
import { objectId } from '../../../core/kube/object-id.ts'
import { FieldSet } from '../../../core/schema/field-set.ts'
import { TaskFailure } from '../../role/task-outcome.ts'
import { fieldsOf, stepTo } from '../apply/managed-fields.ts'
import { attempt, isOtherObject } from '../apply/request-failure.ts'
import type { ApplyRequest } from '../apply/write-decision.ts'
import { ADOPT_FROM_ANNOTATION, applyEntryOf, checkMayEnsure, FIELD_MANAGER } from './ownership.ts'

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
 * The patch comes before the apply, and the note that it was done comes with the apply: a run that finds the patch done and the
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
 * What stays where it is, whichever manager is named: a finalizer is the word of its author to clean up, and the status belongs to the
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

/**
 * A client whose dry runs show what an adoption would remove. Fields are taken over by a patch, and the apply after it removes
 * those that the role does not set; a server that has forgotten the patch keeps them. So the patch is remembered here, and what
 * the apply would have removed is taken from its answer, which a second dry run completes by the defaults of the server.
 */
export function foreseeingAdoption(client: KubeClient): KubeClient {
  const taken = new Map<string, readonly ManagedFieldsEntry[]>()
  return {
    get: (...args) => client.get(...args),
    list: (...args) => client.list(...args),
    watch: (...args) => client.watch(...args),
    create: (...args) => client.create(...args),
    delete: (...args) => client.delete(...args),
    async patch(gvk, key, patch, options) {
      const answer = await client.patch(gvk, key, patch, options)
      const entries = options.dryRun ? entriesIn(patch) : undefined
      if (entries) taken.set(objectId(gvk, key), entries)
      return answer
    },
    async apply(object, options) {
      const answer = await client.apply(object, options)
      const isOurs = options.fieldManager === FIELD_MANAGER && options.subresource === undefined
      const entries = options.dryRun && isOurs ? taken.get(objectId(gvkOf(object), keyOf(object))) : undefined
      return entries ? afterTaking(client, { answer, entries, options }) : answer
    },
  }
}

function entriesIn({ type, body }: JsonPatchBody): readonly ManagedFieldsEntry[] | undefined {
  const metadata = type === 'merge' ? body.metadata : undefined
  const entries = isJsonObject(metadata) ? metadata.managedFields : undefined
  return isJsonArray(entries) ? (entries as readonly ManagedFieldsEntry[]) : undefined
}

interface DryApply {
  readonly answer: KubeObject
  /** As the patch would have left them. */
  readonly entries: readonly ManagedFieldsEntry[]
  readonly options: ApplyOptions
}

async function afterTaking(client: KubeClient, { answer, entries, options }: DryApply): Promise<KubeObject> {
  const ours = applyEntryOf(answer, FIELD_MANAGER)
  const before = applyEntryOf({ ...answer, metadata: { managedFields: entries } }, FIELD_MANAGER)
  const others = entries.filter((entry) => entry !== before)
  const kept = others.map(fieldsOf).reduce((all, one) => all.union(one), fieldsOf(ours ?? {}))
  const dropped = fieldsOf(before ?? {}).difference(kept)
  const left = without(answer as JsonObject, dropped, kept) as KubeObject
  const body = [...replacements(answer, left)]
  const { fieldManager, signal } = options
  const send = { fieldManager, dryRun: true, signal }
  const whole =
    body.length === 0 ? left : await client.patch(gvkOf(answer), keyOf(answer), { type: 'json', body }, send)
  return { ...whole, metadata: { ...whole.metadata, managedFields: ours ? [ours, ...others] : others } }
}

/** A value without the fields of a set; what stands below one of them goes with it, unless another manager keeps something there. */
function without(value: JsonValue, dropped: FieldSet, kept: FieldSet): JsonValue {
  const gone = new Set<string | number>()
  const changed = new Map<string | number, JsonValue>()
  for (const [element, { member, children }] of dropped.entries()) {
    const step = stepTo(element, value)
    if (step === undefined) continue
    const keptBelow = kept.child(element)
    if (member && !keptBelow && !kept.isMember(element)) gone.add(step)
    else if (children) changed.set(step, without(fieldAt(value, step), children, keptBelow ?? FieldSet.empty))
  }
  const next = (step: string | number, old: JsonValue): JsonValue => changed.get(step) ?? old
  if (isJsonArray(value)) return value.flatMap((item, index) => (gone.has(index) ? [] : [next(index, item)]))
  const fields = Object.entries(value as JsonObject).filter(([name]) => !gone.has(name))
  return Object.fromEntries(fields.map(([name, field]) => [name, next(name, field as JsonValue)]))
}

function fieldAt(value: JsonValue, step: string | number): JsonValue {
  return (value as { readonly [step: string | number]: JsonValue })[step] as JsonValue
}

const METADATA = ['labels', 'annotations', 'ownerReferences']
const HEAD = ['apiVersion', 'kind', 'metadata', 'status']

/** What makes of the object as the server has it the one that it would be. It has no more parts than `answer`. */
function* replacements(answer: KubeObject, left: KubeObject): Iterable<JsonPatchOperation> {
  const metadata = left.metadata as JsonObject
  for (const name of METADATA) {
    if (metadata[name] !== undefined) yield { op: 'add', path: `/metadata/${name}`, value: metadata[name] }
  }
  for (const name of Object.keys(answer).filter((one) => !HEAD.includes(one))) {
    const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (left[name] !== undefined) yield { op: 'add', path, value: left[name] }
    else yield { op: 'remove', path }
  }
}
