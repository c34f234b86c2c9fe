import { systemClock } from '../../../core/base/clock.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { PropagationPolicy } from '../../../core/kube/propagation.ts'
import { forbidden, notFound } from '../api-status.ts'
import { terminateCrd } from '../crd/crd-deletion.ts'
import { CRD_TABLE } from '../crd/custom-resource-definition.ts'
import { presentObject, toStorage } from '../served-resource.ts'
import type { StoredObject } from '../store/stored-object.ts'
import { NAMESPACES, specFinalizersOf } from '../write/namespace-finalizers.ts'
import { withMeta } from '../write/object-meta.ts'
import { type OutsideAnswer, PendingAnswer } from '../write/outside-answers.ts'
import { checkPreconditions, type Preconditions } from '../write/preconditions.ts'
import { findStored } from '../write/update-object.ts'
import { type ServerState, timestampOf, type WriteRequest } from '../write/write-request.ts'
import { terminateNamespace } from './namespace-deletion.ts'
import { defaultPolicy, finalizersForPolicy } from './propagation.ts'

export interface DeleteRequest extends WriteRequest {
  readonly preconditions: Preconditions
  readonly propagationPolicy: PropagationPolicy | undefined
  readonly gracePeriodSeconds: number | undefined
  /** Even without grace, the object is there for a moment as one that is being deleted. Only for requests over HTTP. */
  readonly isShownFirst?: boolean | undefined
}

/**
 * Asks the webhooks about a deletion to come, so that it need not be given up halfway.
 *
 * @throws PendingAnswer
 */
export function prepareDelete(state: ServerState, request: DeleteRequest): void {
  const stored = findStored(state, request)
  if (!stored) return
  try {
    admitDelete(state, request, presentObject(request.resource, stored.object))
  } catch (error) {
    if (error instanceof PendingAnswer) throw error
  }
}

/** Kinds whose first DELETE only begins their end; a controller finishes it. */
const TERMINATING_KINDS: Readonly<Record<string, (object: KubeObject, now: string) => KubeObject>> = {
  [CRD_TABLE]: terminateCrd,
  [NAMESPACES]: terminateNamespace,
}

/** What a DELETE came to: the last state when the object is gone, else the state that waits for its end. */
export interface DeleteResult {
  readonly object: KubeObject
  readonly removed: boolean
}

/**
 * Removes an object, or marks it when finalizers or a grace period hold it.
 *
 * @throws ApiError 404, 409
 */
export function deleteObject(state: ServerState, request: DeleteRequest): DeleteResult {
  const stored = findStored(state, request)
  if (!stored) throw notFound(request.resource, request.name)
  const live = presentObject(request.resource, stored.object)
  checkMortal(request)
  if (!request.outside?.has(SHOWN)) {
    checkPreconditions(request, request.preconditions, live)
    admitDelete(state, request, live)
  }
  const terminate = TERMINATING_KINDS[request.resource.table]
  if (terminate && live.metadata.deletionTimestamp === undefined) {
    const marked = terminate(live, timestampOf(state.clock.now()))
    const isNamespace = request.resource.table === NAMESPACES
    const updated = isNamespace ? withFinalizers(marked, request) : marked
    return { object: replace(state, request, { live, updated }), removed: false }
  }
  if (request.resource.table === NAMESPACES && specFinalizersOf(live).length > 0)
    return { object: live, removed: false }
  const grace = gracefulDeletion(state, request, live)
  if (grace.pending) return { object: live, removed: false }
  const marked = withFinalizers(grace.object, request)
  const held = (marked.metadata.finalizers ?? []).length > 0
  if (grace.seconds === undefined && !held) return remove(state, request, stored)
  const updated = grace.seconds === undefined ? markAsDeleting(state, marked) : marked
  const object = replace(state, request, { live, updated })
  if (held || grace.seconds !== 0) return { object, removed: false }
  // A deletion that would be graceful is sent as a change, even without grace.
  if (request.dryRun) return { object, removed: true }
  if (request.isShownFirst) request.outside?.get(SHOWN, letWatchersSee)
  const latest = findStored(state, request)
  return latest ? remove(state, request, latest) : { object, removed: true }
}

/** What the first attempt of a deletion leaves for the second: the object is marked, and was so for a moment. */
const SHOWN = 'the object was shown as one that is being deleted'
/** A real server writes twice to etcd, and informers act on the first change before they hear of the second. */
const SHOWN_FOR_MS = 5

async function letWatchersSee(): Promise<OutsideAnswer> {
  await systemClock.sleep(SHOWN_FOR_MS)
  return { body: null }
}

/** @throws ApiError PendingAnswer */
function admitDelete(state: ServerState, request: DeleteRequest, object: KubeObject): void {
  const change = { operation: 'DELETE', object, old: object } as const
  state.admission?.mutate(state, request, change)
  state.admission?.validate(state, request, change)
}

const IMMORTAL = ['default', 'kube-system', 'kube-public']

/** @throws ApiError 403 */
function checkMortal({ resource, name }: DeleteRequest): void {
  if (resource.table !== NAMESPACES || !IMMORTAL.includes(name)) return
  throw forbidden(resource, name, 'this namespace may not be deleted')
}

interface Grace {
  readonly object: KubeObject
  /** Already in deletion, and not to be hurried. */
  readonly pending: boolean
  /** Absent: this deletion is not graceful. */
  readonly seconds: number | undefined
}

function gracefulDeletion(state: ServerState, request: DeleteRequest, live: KubeObject): Grace {
  const none: Grace = { object: live, pending: false, seconds: undefined }
  const { gracePeriodSeconds } = request.resource.rules
  if (!gracePeriodSeconds) return none
  const requested = request.gracePeriodSeconds === undefined ? undefined : nonNegative(request.gracePeriodSeconds)
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, generation = 0 } = live.metadata
  if (deletionTimestamp !== undefined) {
    if (deletionGracePeriodSeconds === 0) return none
    if (requested === undefined || requested >= deletionGracePeriodSeconds) return { ...none, pending: true }
    return shorten(state, live, requested)
  }
  const seconds = gracePeriodSeconds(live, requested)
  const object = withMeta(live, {
    deletionTimestamp: timestampOf(state.clock.now() + seconds * 1000),
    deletionGracePeriodSeconds: seconds,
    ...(generation > 0 && { generation: generation + 1 }),
  })
  return { object, pending: false, seconds }
}

function nonNegative(seconds: number): number {
  return seconds < 0 ? 1 : seconds
}

function shorten(state: ServerState, live: KubeObject, requested: number): Grace {
  const { deletionTimestamp = '', deletionGracePeriodSeconds = 0 } = live.metadata
  const due = Date.parse(deletionTimestamp) + (requested - deletionGracePeriodSeconds) * 1000
  const now = state.clock.now()
  const seconds = due < now && requested !== 0 ? 1 : requested
  const object = withMeta(live, {
    deletionTimestamp: timestampOf(Math.max(due, now)),
    deletionGracePeriodSeconds: seconds,
  })
  return { object, pending: false, seconds }
}

function withFinalizers(object: KubeObject, { propagationPolicy, resource }: DeleteRequest): KubeObject {
  const policy = propagationPolicy ?? defaultPolicy(resource.table)
  const finalizers = finalizersForPolicy(object.metadata.finalizers ?? [], policy)
  return finalizers === object.metadata.finalizers ? object : withMeta(object, { finalizers: nonEmpty(finalizers) })
}

function nonEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined
}

function markAsDeleting(state: ServerState, object: KubeObject): KubeObject {
  const { deletionTimestamp, generation = 0 } = object.metadata
  const now = state.clock.now()
  const isLater = deletionTimestamp !== undefined && Date.parse(deletionTimestamp) > now
  return withMeta(object, {
    deletionTimestamp: deletionTimestamp === undefined || isLater ? timestampOf(now) : deletionTimestamp,
    deletionGracePeriodSeconds: 0,
    ...(deletionTimestamp === undefined && generation > 0 && { generation: generation + 1 }),
  })
}

function remove(state: ServerState, request: DeleteRequest, stored: StoredObject): DeleteResult {
  if (request.dryRun) return { object: presentObject(request.resource, stored.object), removed: true }
  const removed = state.store.remove(stored)
  return { object: presentObject(request.resource, removed.object), removed: true }
}

function replace(
  state: ServerState,
  request: DeleteRequest,
  { live, updated }: { live: KubeObject; updated: KubeObject },
): KubeObject {
  if (request.dryRun || isSame(updated, live)) return updated
  const { object } = state.store.put(request.resource.table, toStorage(request.resource, updated))
  return presentObject(request.resource, object)
}

/** A second DELETE of an object that waits for its finalizers writes nothing. */
function isSame(updated: KubeObject, live: KubeObject): boolean {
  const { metadata } = updated
  return (
    metadata.deletionTimestamp === live.metadata.deletionTimestamp &&
    metadata.deletionGracePeriodSeconds === live.metadata.deletionGracePeriodSeconds &&
    metadata.finalizers?.join() === live.metadata.finalizers?.join()
  )
}
