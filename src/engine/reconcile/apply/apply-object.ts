import { hashJson } from '../../../core/base/hash.ts'
import { getPath, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { ApiError, isConflict, isInvalid } from '../../../core/kube/api-error.ts'
import type { KubeClient } from '../../../core/kube/client.ts'
import { conditionsOf, findCondition } from '../../../core/kube/condition.ts'
import { isTerminating } from '../../../core/kube/finalizer.ts'
import { formatObject, type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { idOf } from '../../../core/kube/object-id.ts'
import { isOwnedBy } from '../../../core/kube/owner-reference.ts'
import type { ResourceMapping } from '../../../core/kube/resource-mapper.ts'
import type { FieldPath } from '../../role/field-path.ts'
import { recreationProblem } from '../../role/recreatable-kinds.ts'
import type { WriteResult } from '../../role/run/run-context.ts'
import { TaskFailure } from '../../role/task-outcome.ts'
import { isTakeDue, takeFields } from '../ownership/adoption.ts'
import {
  APPLIED_ANNOTATION,
  applyEntryOf,
  checkMayEnsure,
  deletionMessage,
  FIELD_MANAGER,
  isProvenOurs,
  marksOf,
  OWNER_UID_LABEL,
  type Owner,
  uidOf,
} from '../ownership/ownership.ts'
import type { GivenUp } from './drift-fights.ts'
import { keptFields, sharedFields, uncoveredFields, valuesAt, withoutHandedOver } from './managed-fields.ts'
import { attempt, isOtherObject } from './request-failure.ts'
import { ApplyMemories, type ApplyRequest, type ApplyTools, markStateOf, WRITE_DECISIONS } from './write-decision.ts'

/**
 * Makes objects what they should be by server-side apply, and sends nothing that changes nothing.
 *
 * The first write of an object must not merge into a foreign one, so it is an apply that can only create. A new object needs no read before
 * it: if the server has one of that name, it answers 409, and only then the object is read. Every later write carries the live uid, so
 * that it cannot hit another object of that name, and forces.
 */
export class ObjectApplier {
  readonly #tools: ApplyTools
  readonly #memories: ApplyMemories

  constructor(tools: ApplyTools) {
    this.#tools = tools
    this.#memories = new ApplyMemories((uid) => tools.fights.forget(uid))
  }

  async apply(request: ApplyRequest): Promise<WriteResult> {
    const { uid, resource } = request.owner
    this.#memories.meet(uid, findCondition(conditionsOf(resource), 'Ready') !== undefined)
    try {
      return await this.#apply(request)
    } catch (error) {
      const removed =
        request.onImmutable === 'recreate' ? await deleteForRecreation(this.#tools, request, error) : undefined
      if (!removed) throw error
      this.forget(request.owner, removed.object)
      if (removed.isGone) return (await this.#create(request)) ?? this.#replaced(request.desired)
      return { object: removed.object, changed: true, isGoing: true }
    }
  }

  async #apply(request: ApplyRequest): Promise<WriteResult> {
    const { desired, seen } = request
    const cached = seen ? undefined : await this.#readCached(request)
    // Caches do not know what other managers hold.
    const done = cached && !isTakeDue(cached, request) && (await this.#updateCached(cached, request))
    if (done) return this.#withNote(done, request)
    // The object that is to be adopted is probably there, although the cache lacks it.
    const isNew = !cached && !seen && request.adopt === 'never'
    const made = isNew ? await this.#create(request) : undefined
    if (made) return made
    const live = seen ? seen.object : await this.#readLive(request)
    if (!live) return (await this.#create(request)) ?? this.#replaced(desired)
    const { object, managers } = await takeFields(this.#tools.client, live, request)
    const result = await this.#updateLive(object, { ...request, taken: managers })
    if (!result) return this.#replaced(desired)
    // It is ours, and the caches do not have it yet, as after a write whose answer was lost: they have to reach it.
    if (!result.changed) this.#tools.caches.wrote(result.object)
    return this.#withNote(result, request)
  }

  /** Whether this process has made the object, a process before it may have, or the resource says that everything was there once. */
  #mayHaveBeenThere(owner: Owner, id: string): boolean {
    return this.#memories.has(owner.uid, id) || this.#memories.isInherited(owner.uid) || saysComplete(owner.resource)
  }

  #replaced(desired: KubeObject): never {
    const message = `${formatObject(desired)} was replaced by another object of that name while it was written`
    throw new TaskFailure('Failed', message, { retriable: true })
  }

  async #withNote(result: WriteResult, { owner, signal }: ApplyRequest): Promise<WriteResult> {
    if (!result.isGoing) await this.#tools.jobs?.keepNote(result.object, owner, signal)
    return result
  }

  /** The object is to go, or is not ours any more. */
  forget(owner: Pick<Owner, 'uid'>, object: KubeObject): void {
    this.#memories.forget(owner.uid, idOf(object))
    this.#tools.fights.forget(vanishedId(owner, idOf(object)))
    this.#tools.seenJobs?.noteRemoval(owner.uid, object)
  }

  /** The owner is gone, and with it all of its objects. */
  forgetOwner(uid = ''): void {
    this.#memories.forgetOwner(uid)
    this.#tools.seenJobs?.forgetOwner(uid)
  }

  #readCached({ mapping, desired }: ApplyRequest): Promise<KubeObject | undefined> {
    const key = keyOf(desired)
    return attempt({ verb: 'list', mapping, key }, () => this.#tools.caches.child(mapping.gvk, key))
  }

  #readLive({ mapping, desired, signal }: ApplyRequest): Promise<KubeObject | undefined> {
    const key = keyOf(desired)
    return attempt({ verb: 'get', mapping, key }, () => this.#tools.client.get(mapping.gvk, key, { signal }))
  }

  /** `undefined`: the server has an object of that name. */
  async #create(request: ApplyRequest): Promise<WriteResult | undefined> {
    const { desired, owner, signal } = request
    const { fights, jobs } = this.#tools
    const completed = await jobs?.find(desired, owner, signal)
    if (completed) return { object: completed, changed: false }
    const id = idOf(desired)
    const isMadeAgain = this.#memories.has(owner.uid, id)
    if (this.#mayHaveBeenThere(owner, id)) await this.#checkMakeAgain(request)
    await request.beforeWrite()
    const object = await this.#sendNew(request)
    if (!object) return undefined
    if (isMadeAgain) fights.count(vanishedId(owner, id), VANISHED)
    await jobs?.made(object, owner, signal)
    request.tell?.({ before: undefined, after: object })
    return { object, changed: true }
  }

  /**
   * An object that another client keeps deleting is left alone for a growing while, as a field that is fought for. It is not
   * made at all for an owner that is gone: the garbage collector would take each one, as after a restore of the server's data. A process that
   * has just started may see an owner that was deleted while it started, and none of its objects.
   *
   * @throws TaskFailure
   */
  async #checkMakeAgain({ owner, desired, signal }: ApplyRequest): Promise<void> {
    // What `finalize` tasks make is made for an owner that goes.
    if (!isTerminating(owner.resource)) await checkStays(this.#tools.client, owner, signal)
    const fight = this.#tools.fights.check(vanishedId(owner, idOf(desired)), VANISHED)
    if (!fight) return
    const message = `${formatObject(desired)} keeps being deleted by another client: it is not made again for a while`
    throw new TaskFailure('DriftFight', message, { retryAfter: fight.milliseconds })
  }

  /** Caches do not know what others have: where that matters, the server is asked before anything is written. */
  async #updateCached(cached: KubeObject, request: ApplyRequest): Promise<WriteResult | undefined> {
    const { owner, handOver = [] } = request
    if (handOver.length === 0) return this.#update(cached, request)
    checkMayEnsure(cached, owner, request)
    const memory = this.#memories.get(owner.uid, idOf(cached), uidOf(cached))
    const reason = isTerminating(cached) ? undefined : this.#reasonFor(cached, request)
    const isKnown = reason?.kind === 'drift' && memory?.handedOver === handOverOf(cached, handOver)
    const isDone = reason === undefined || isKnown
    return isDone ? { object: cached, changed: false, isGoing: isTerminating(cached) } : undefined
  }

  async #updateLive(live: KubeObject, request: ApplyRequest): Promise<WriteResult | undefined> {
    const { owner, handOver = [] } = request
    if (handOver.length === 0) return this.#update(live, request)
    const result = await this.#update(live, { ...request, desired: withoutHandedOver(request.desired, live, handOver) })
    if (!result) return undefined
    const { object } = result
    const known = this.#memories.get(owner.uid, idOf(object), uidOf(object))
    const memory = known ?? { uid: uidOf(object), applied: undefined, entry: undefined }
    this.#memories.set(owner.uid, idOf(object), { ...memory, handedOver: handOverOf(object, handOver) })
    return result
  }

  /** `undefined`: the object is not the one that was looked at; look again. */
  async #update(live: KubeObject, request: ApplyRequest): Promise<WriteResult | undefined> {
    const isNew = checkMayEnsure(live, request.owner, request) === 'unowned'
    const due = isTerminating(live) ? undefined : await this.#due(live, request)
    if (!due) return { object: live, changed: false, isGoing: isTerminating(live) }
    await request.beforeWrite()
    const { desired, seen, taken = [], handOver } = request
    const named = { ...desired, metadata: { ...desired.metadata, uid: live.metadata.uid } }
    const identified = seen ? atVersion(named, live.metadata.resourceVersion) : named
    try {
      const object = await this.#send(request, identified, true)
      const lost = isNew ? [] : due.drifted
      this.#tools.fights.count(uidOf(live), lost)
      const adoption = isNew || taken.length > 0 ? { isNew, taken, shared: sharedFields(object) } : undefined
      const kept = keptFields(live, object, handOver)
      request.tell?.({ before: live, after: object, lost, adoption, kept })
      return { object, changed: true }
    } catch (error) {
      if (isOtherObject(error)) return undefined
      throw error
    }
  }

  /**
   * Why the object is to be written, and which fields other clients have changed; `undefined` if it is as it should be.
   *
   * @throws TaskFailure `DriftFight`
   */
  async #due(live: KubeObject, request: ApplyRequest): Promise<{ readonly drifted: readonly JsonPath[] } | undefined> {
    const reason = this.#reasonFor(live, request)
    if (reason?.kind !== 'drift') return reason && { drifted: [] }
    const { missing } = reason
    const fight = this.#tools.fights.check(uidOf(live), missing)
    if (fight) throw driftFight((await this.#readLive(request)) ?? live, fight)
    return { drifted: missing }
  }

  #reasonFor(live: KubeObject, { desired, owner, drift }: ApplyRequest): Reason | undefined {
    const memory = this.#memories.get(owner.uid, idOf(live), uidOf(live))
    const wanted = appliedOf(desired)
    const mark = markStateOf(wanted, appliedOf(live), memory)
    // Where fields make no difference, they are not compared.
    if (mark === 'outdated') return { kind: 'change' }
    const isApplied = mark === 'current' || memory?.applied === wanted
    const enforced = drift === 'once' && isApplied ? marksOf(desired) : desired
    const missing = uncoveredFields(enforced as JsonObject, entryOf(live), live as JsonObject)
    const isAsLeft = missing.length > 0 && memory?.entry === hashOf(live)
    const decision = WRITE_DECISIONS[mark][missing.length === 0 ? 'ours' : isAsLeft ? 'rewritten' : 'lost']
    if (decision === 'leave') return undefined
    return decision === 'change' ? { kind: 'change' } : { kind: 'drift', missing }
  }

  async #sendNew(request: ApplyRequest): Promise<KubeObject | undefined> {
    try {
      return await this.#send(request, atVersion(request.desired, NEVER), false)
    } catch (error) {
      if (isConflict(error)) return undefined
      throw error
    }
  }

  async #send(request: ApplyRequest, object: KubeObject, force: boolean): Promise<KubeObject> {
    const { mapping, signal } = request
    const answer = await attempt({ verb: 'patch', mapping, key: keyOf(object), object }, () =>
      this.#tools.client.apply(object, { fieldManager: FIELD_MANAGER, force, signal }),
    )
    this.#tools.caches.wrote(answer)
    const isCovered = uncoveredFields(request.desired as JsonObject, entryOf(answer), answer as JsonObject).length === 0
    const entry = isCovered ? undefined : hashOf(answer)
    const applied = appliedOf(request.desired)
    const memory = { uid: uidOf(answer), applied, answered: appliedOf(answer), entry }
    this.#memories.set(request.owner.uid, idOf(answer), memory)
    return answer
  }
}

/** What a fight is about when the whole object is deleted each time. */
const VANISHED: readonly JsonPath[] = [[]]

/** The key of such a fight: each object that is made again has a uid of its own. */
function vanishedId({ uid }: Pick<Owner, 'uid'>, id: string): string {
  return `${uid} ${id}`
}

/** A version that no object has: an apply with it makes an object, and changes none. */
const NEVER = '1'

function atVersion(object: KubeObject, resourceVersion: string | undefined): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion } }
}

/** Why an object is to be written: we want something else than before, or we have lost fields of it. */
type Reason = { readonly kind: 'change' } | { readonly kind: 'drift'; readonly missing: readonly JsonPath[] }

/** With an equal one, the fields that we lack are those that others had the last time. */
function handOverOf(object: KubeObject, paths: readonly FieldPath[]): string {
  return hashJson({ entry: entryOf(object), values: valuesAt(object, paths) })
}

function entryOf(object: KubeObject): JsonObject | undefined {
  return applyEntryOf(object, FIELD_MANAGER)?.fieldsV1
}

function hashOf(object: KubeObject): string {
  return hashJson(entryOf(object))
}

function driftFight(live: KubeObject, { field, path, milliseconds }: GivenUp): TaskFailure {
  const rivals = rivalsFor(live, path).map((manager) => `"${manager}"`)
  const by = rivals.length === 0 ? 'another client' : rivals.join(', ')
  const message = `\`${field}\` of ${formatObject(live)} keeps being changed by ${by}: it is left alone for a while`
  return new TaskFailure('DriftFight', message, { retryAfter: milliseconds })
}

/** Managers other than ours that hold the field, as far as its path goes without list items. */
function rivalsFor(live: KubeObject, path: JsonPath): readonly string[] {
  const index = path.findIndex((step) => typeof step === 'number')
  const steps = (index === -1 ? path : path.slice(0, index)).map((step) => `f:${step}`)
  const entries = (live.metadata.managedFields ?? []).filter(({ fieldsV1 }) => getPath(fieldsV1, steps) !== undefined)
  return [...new Set(entries.map(({ manager = '' }) => manager))].filter((manager) => manager !== FIELD_MANAGER)
}

/** Whether everything was there once for the present spec, as also the first run after a restart can know. */
function saysComplete(resource: KubeObject): boolean {
  const ready = findCondition(conditionsOf(resource), 'Ready')
  return ready?.status === 'True' && ready.observedGeneration === resource.metadata.generation
}

function appliedOf(object: KubeObject): string | undefined {
  return object.metadata.annotations?.[APPLIED_ANNOTATION]
}

/**
 * Whether a child has lost the reference to its owner. Either another client removed it, or the owner is being deleted with
 * `--cascade=orphan` and the watch has not delivered that yet. In the second case the child must not get the reference back: the garbage
 * collector would delete the child with its owner.
 */
export function isOrphaned(child: KubeObject, { uid }: Owner): boolean {
  return child.metadata.labels?.[OWNER_UID_LABEL] === uid && !isOwnedBy(child, uid)
}

/**
 * Asks the server whether the owner exists and is not being deleted.
 *
 * @throws TaskFailure when it is being deleted, or is gone
 */
export async function checkStays(client: KubeClient, owner: Owner, signal: AbortSignal): Promise<void> {
  const live = await client.get(owner.gvk, owner.key, { signal, metadataOnly: true })
  if (live && live.metadata.uid === owner.uid && !isTerminating(live)) return
  throw new TaskFailure('Failed', deletionMessage(owner), { retriable: true })
}

/** An object that was deleted so that it can be created anew. `isGone` is false while finalizers keep it. */
export interface RemovedObject {
  readonly object: KubeObject
  readonly isGone: boolean
}

/** The name of an object that is created as a dry run only. */
const PROBE = 'rolebook-dry-run'

/**
 * Deletes an object whose immutable fields must change, after a dry run has shown that the server accepts a new one. Returns `undefined`
 * if the error is about something else, or if the object must not be deleted.
 *
 * It deletes nothing while the role wants what it wanted before: then admission has changed the object, and would do so again.
 */
export async function deleteForRecreation(
  { client, caches }: ApplyTools,
  request: ApplyRequest,
  error: unknown,
): Promise<RemovedObject | undefined> {
  const { desired, mapping, signal } = request
  if (!isRefusedChange(error, desired) || recreationProblem(mapping.gvk) !== undefined) return undefined
  const key = keyOf(desired)
  const live = await attempt({ verb: 'get', mapping, key }, () => client.get(mapping.gvk, key, { signal }))
  if (!live || !mayDelete(live, request) || !(await isAcceptable({ client }, request))) return undefined
  const answer = await deleteSeen(client, live, { mapping, signal })
  const isGone = answer === undefined || answer.kind === 'Status'
  if (isGone) caches.removed(mapping.gvk, key, uidOf(live))
  return { object: live, isGone }
}

function isRefusedChange(error: unknown, desired: KubeObject): boolean {
  if (!isInvalid(error)) return false
  const { causes } = error
  if (isOtherObject(error)) return false
  return causes.some(({ field }) => field !== undefined && isSet(desired as JsonValue, field))
}

/** Whether the object sets the value at `field`, such as `spec.ports[0].port`, or a list above it. */
function isSet(object: JsonValue, field: string): boolean {
  let here: JsonValue | undefined = object
  for (const step of field.split(/[.[]/)) {
    if (Array.isArray(here)) return true
    here = isJsonObject(here) ? here[step] : undefined
    if (here === undefined) return false
  }
  return true
}

function mayDelete(live: KubeObject, { desired, owner, installation }: ApplyRequest): boolean {
  if (isTerminating(live) || !isProvenOurs(live, owner, installation)) return false
  return live.metadata.annotations?.[APPLIED_ANNOTATION] !== desired.metadata.annotations?.[APPLIED_ANNOTATION]
}

/** Whether the server would accept the object if there were none of its name. Asks by a dry run. */
async function isAcceptable(
  { client }: Pick<ApplyTools, 'client'>,
  { desired, signal }: ApplyRequest,
): Promise<boolean> {
  const probe = { ...desired, metadata: { ...desired.metadata, name: PROBE } }
  try {
    await client.create(probe, { fieldManager: FIELD_MANAGER, dryRun: true, signal })
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

interface DeleteSeenOptions {
  readonly mapping: ResourceMapping
  /** `Foreground`: the object stays until its dependents are gone. Defaults to `Background`. */
  readonly propagation?: 'Background' | 'Foreground' | undefined
  readonly signal: AbortSignal
}

/**
 * Deletes an object by uid and resourceVersion, so that an object that has changed since is not deleted. Resolves to the answer of the
 * server, or to `undefined` if the object was gone already.
 *
 * @throws TaskFailure when it has changed
 */
export async function deleteSeen(
  client: KubeClient,
  seen: KubeObject,
  { mapping, propagation = 'Background', signal }: DeleteSeenOptions,
): Promise<KubeObject | undefined> {
  const key = keyOf(seen)
  const { uid, resourceVersion } = seen.metadata
  const options = { uid, resourceVersion, propagationPolicy: propagation, signal }
  try {
    return await attempt({ verb: 'delete', mapping, key }, () => client.delete(mapping.gvk, key, options))
  } catch (error) {
    if (!isConflict(error)) throw error
    const message = `cannot remove ${formatObject(seen)}: it changed meanwhile`
    throw new TaskFailure('Failed', message, { retriable: true, cause: error })
  }
}
