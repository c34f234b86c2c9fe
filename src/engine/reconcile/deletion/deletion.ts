import type { KubeClient } from '../../../core/kube/client.ts'
import { hasFinalizer, isTerminating } from '../../../core/kube/finalizer.ts'
import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import { formatObject, type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { canOwn, isOwnedBy } from '../../../core/kube/owner-reference.ts'
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../../../core/kube/propagation.ts'
import type { DeletionSettings } from '../../role/role.ts'
import type { RunOutcome } from '../../role/task-outcome.ts'
import type { ReconcileResult } from '../../runtime/reconciler.ts'
import {
  FINALIZE_ANNOTATION,
  FINALIZED_ANNOTATION,
  FINALIZER,
  isRetained,
  type NamespaceRules,
  type Owner,
  type ResourceFinalizer,
} from '../ownership/ownership.ts'
import { lastMadeFirst, type ManagedObjects, type PatchedObjects } from '../prune/managed-objects.ts'
import type { WatchEntry, WatchedResources } from '../reconciler-ports.ts'
import { failureOf, mustFinalize, type ReconcileContext, type ResourceMemory } from '../run/reconcile-context.ts'
import { endOf, toResult } from '../run/requeue-policy.ts'
import { isPaused } from '../run/run-inputs.ts'
import { conditionsOfTeardown, conditionsWhileDeleting, type EngineConditions } from '../status/engine-conditions.ts'
import type { StatusWriter } from '../status/status-report.ts'
import type { RunReport } from '../trace/run-trace.ts'
import type { RunReports, RunTracer } from '../trace/run-tracer.ts'
import {
  keepsChildren,
  notedPropagation,
  type Propagation,
  propagationBy,
  propagationNote,
  propagationOf,
  type SeenDeletions,
} from './propagation.ts'

export interface DeletionTools {
  readonly client: KubeClient
  readonly managedObjects: ManagedObjects
  readonly patchedObjects: PatchedObjects
  readonly finalizer: ResourceFinalizer
}

export interface CleanupContext {
  readonly owner: Owner
  readonly entry: Pick<WatchEntry, 'role' | 'deletion'>
  readonly rules: NamespaceRules
  readonly memory: Pick<ResourceMemory, 'made' | 'propagation'>
  readonly signal: AbortSignal
  /** Called with each object that is deleted. */
  removed?(object: KubeObject): void
  /** Called with objects that are kept because nothing shows that they may be deleted. */
  kept?(objects: readonly KubeObject[]): void
}

/** `blockedBy` says what blocks the deletion; `owner` is the resource as it is after this step. */
export type DeletionState =
  | { readonly kind: 'done' }
  | { readonly kind: 'waiting'; readonly blockedBy: string; readonly owner: Owner }

/**
 * Ends a resource after its `finalize` tasks.
 *
 * 1. Fields in foreign objects are released.
 * 2. Children that the garbage collector cannot reach are deleted, or all children if the entry says so. Those that were made last are
 *    deleted first, but those that `finalize` tasks made are deleted last. Retained children lose our marks and stay.
 * 3. Once the children are seen to be gone, our finalizer is removed, and the server removes the resource.
 */
export class Deletion {
  readonly #tools: DeletionTools

  constructor(tools: DeletionTools) {
    this.#tools = tools
  }

  /** Ends a resource that is being deleted. */
  async finish(context: CleanupContext): Promise<DeletionState> {
    const { owner, entry } = context
    if (!hasFinalizer(owner.resource, FINALIZER)) return { kind: 'done' }
    const propagation = propagationOf(context)
    const isForeground = entry.deletion.propagation === 'foreground' && !keepsChildren(propagation)
    const isLate = propagation === 'Orphan' && !hasFinalizer(owner.resource, ORPHAN_FINALIZER)
    const isDue = (object: KubeObject): boolean =>
      isForeground ||
      !isLasting(object) ||
      !canOwn(owner.key, keyOf(object)) ||
      (isLate && isOwnedBy(object, owner.uid))
    return this.#cleanUp(context, isDue, isForeground ? entry.deletion : BACKGROUND)
  }

  /** Removes all children of a resource that stays, but that no watch entry selects any more. */
  async tearDown(context: CleanupContext): Promise<DeletionState> {
    return this.#cleanUp(context, () => true, BACKGROUND)
  }

  async #cleanUp(
    context: CleanupContext,
    isDue: (object: KubeObject) => boolean,
    settings: DeletionSettings,
  ): Promise<DeletionState> {
    const { managedObjects, patchedObjects, finalizer } = this.#tools
    const { signal, memory } = context
    const { role } = context.entry
    const inventory = await managedObjects.liveInventory(role, context)
    const due = lastMadeFirst(inventory.filter(isDue), memory.made)
    const marks = marksFor(context, due)
    const isMarkDue = Object.keys(marks).length > 0
    const owner = isMarkDue ? await finalizer.annotate(context.owner, marks, signal) : context.owner
    await patchedObjects.releaseAll(role, context)
    const orphan = keepsChildren(propagationOf(context))
    if (orphan) await this.#reportKept(due, context)
    for (const last of [false, true]) {
      const objects = due.filter((object) => isFinal(object) === last)
      const remaining = await this.#remove(objects, { ...context, ...settings, orphan: orphan && !last })
      if (remaining) return { kind: 'waiting', blockedBy: blockerText(remaining), owner }
    }
    const held = orphan ? undefined : await managedObjects.outOfReach(role, context)
    if (held) return { kind: 'waiting', blockedBy: refusal(held), owner }
    await finalizer.remove(owner, signal)
    return { kind: 'done' }
  }

  async #reportKept(due: readonly KubeObject[], context: CleanupContext): Promise<void> {
    if (propagationOf(context) !== 'Unknown') return
    const kept = await this.#tools.managedObjects.proven(due.filter(isLasting), context)
    if (kept.length > 0) context.kept?.(kept)
  }

  /** Removes objects. Returns one of them that still exists afterwards, if any. */
  async #remove(objects: readonly KubeObject[], removal: Removal): Promise<KubeObject | undefined> {
    // After a restart the order may differ, so objects that are being deleted already are waited for first.
    const [going = [], others = []] = [true, false].map((is) => objects.filter((one) => isTerminating(one) === is))
    const steps = removal.order === 'reverse' ? [going, ...others.map((object) => [object])] : [objects]
    for (const step of steps) {
      const remaining = await this.#remaining(await this.#removeAll(step, removal), removal.signal)
      if (remaining) return remaining
    }
    return undefined
  }

  /** Removes objects. Returns those whose absence must be confirmed. */
  async #removeAll(objects: readonly KubeObject[], removal: Removal): Promise<readonly KubeObject[]> {
    const { orphan, owner, rules, signal } = removal
    const propagation = removal.propagation === 'foreground' ? 'Foreground' : 'Background'
    const removed: KubeObject[] = []
    for (const object of objects) {
      const isRemoved = await this.#tools.managedObjects.remove(object, { owner, rules, signal, orphan, propagation })
      if (!isRemoved || orphan || isRetained(object)) continue
      removed.push(object)
      if (!isTerminating(object)) removal.removed?.(object)
    }
    return removed
  }

  /** Returns one of the objects that still exists, if any. */
  async #remaining(removed: readonly KubeObject[], signal: AbortSignal): Promise<KubeObject | undefined> {
    for (const object of removed) {
      const live = await this.#tools.client.get(gvkOf(object), keyOf(object), { signal, metadataOnly: true })
      if (live && live.metadata.uid === object.metadata.uid) return { ...object, metadata: live.metadata }
    }
    return undefined
  }
}

const BACKGROUND: DeletionSettings = { propagation: 'background' }

interface Removal extends CleanupContext, DeletionSettings {
  readonly orphan: boolean
}

/** The annotations that must be written before the first object is removed, so that a restart knows them. */
function marksFor(context: CleanupContext, due: readonly KubeObject[]): Readonly<Record<string, string>> {
  const { owner } = context
  const propagation = propagationOf(context)
  const isNoteDue = propagation !== undefined && notedPropagation(owner) !== propagation && due.some(isLasting)
  return {
    ...(isNoteDue && hasFinalizer(owner.resource, FINALIZER) && propagationNote(owner, propagation)),
    ...(due.length > 0 && mustFinalize(context) && { [FINALIZED_ANNOTATION]: owner.uid }),
  }
}

/** Whether the object stays if its resource is deleted with `--cascade=orphan`, and is removed otherwise. */
export function isLasting(object: KubeObject): boolean {
  return !(isRetained(object) || isFinal(object))
}

function isFinal(object: KubeObject): boolean {
  return object.metadata.annotations?.[FINALIZE_ANNOTATION] === 'true'
}

/** Says why a deleted object still exists. The text stays the same while the reason does. */
function blockerText(object: KubeObject): string {
  const finalizers = (object.metadata.finalizers ?? []).toSorted()
  const text = `${formatObject(object)} is being deleted`
  if (finalizers.length === 0) return text
  const [noun, verb] = finalizers.length === 1 ? ['finalizer', 'is'] : ['finalizers', 'are']
  return `${text}: ${noun} ${finalizers.join(', ')} ${verb} still set`
}

function refusal(object: KubeObject): string {
  const remedy = 'list it under `allowedNamespaces.write` again, or delete the object'
  return `${formatObject(object)} may not be removed: its namespace is not allowed any more (${remedy})`
}

export interface CleanupTools extends PropagationTools {
  readonly deletion: Deletion
  readonly status: StatusWriter
  readonly reports: RunReports
  /** Called with objects that are kept because nothing shows that they may be deleted. */
  kept(objects: readonly KubeObject[], context: ReconcileContext): void
}

/** Ends resources, and says in their conditions what blocks that. */
export class Cleanup {
  readonly #tools: CleanupTools

  constructor(tools: CleanupTools) {
    this.#tools = tools
  }

  /**
   * To be called before anything else is done about a resource. What happens to its children is settled first: the garbage collector
   * removes the traces.
   */
  async settled(context: ReconcileContext): Promise<ReconcileContext | { readonly result: ReconcileResult }> {
    if (!mustSettle(context)) return context
    try {
      return (await settlePropagation(this.#tools, context)) ?? { result: { retry: true } }
    } catch (error) {
      return { result: await this.#fail(context, error) }
    }
  }

  /**
   * Removes the objects of a resource that is being deleted, or that no entry selects any more. Returns `undefined` when nothing is left
   * to do: the resource can be forgotten.
   */
  async run(
    context: ReconcileContext,
    reason: 'deleted' | 'unselected',
    tracer: RunTracer,
  ): Promise<ReconcileResult | undefined> {
    const { memory } = context
    memory.completed = undefined
    try {
      const state = await this.#remove(context, reason, tracer)
      if (state.kind === 'done') return undefined
      await this.#reportBlocked({ ...context, owner: state.owner }, state.blockedBy, tracer)
      memory.count('waiting')
      return toResult({ kind: 'waiting', attempt: memory.attempts.waiting - 1 })
    } catch (error) {
      return this.#fail(context, error, tracer)
    }
  }

  async #remove(context: ReconcileContext, reason: string, tracer: RunTracer): Promise<DeletionState> {
    const { deletion, status } = this.#tools
    const removed = (object: KubeObject): void => tracer.removed(object)
    const kept = (objects: readonly KubeObject[]): void => this.#tools.kept(objects, context)
    const cleanup = { ...context, rules: context.removalRules, removed, kept }
    if (reason === 'deleted') return deletion.finish(cleanup)
    const state = await deletion.tearDown(cleanup)
    // The resource stays, but what its status says about its role is not true any more.
    if (state.kind === 'done' && !isTerminating(context.owner.resource))
      await status.replaceConditions(context, conditionsOfTeardown())
    return state
  }

  /** @throws the reason of the signal when it aborts */
  async #fail(context: ReconcileContext, error: unknown, tracer?: RunTracer): Promise<ReconcileResult> {
    const { memory, signal } = context
    signal.throwIfAborted()
    const outcome = failureOf(error, memory)
    memory.countFailure(outcome)
    const isReported = await this.#reportFailed(context, outcome.error.message, tracer)
    if (!isReported) return toResult({ kind: 'retriable', retryAfter: outcome.retryAfter })
    const stopped: RunOutcome = { complete: false, stoppedBy: { task: 'delete', outcome }, tasks: [] }
    return toResult(endOf(stopped, { ...memory.attempts, period: 0 }))
  }

  async #reportBlocked(context: ReconcileContext, blockedBy: string, tracer: RunTracer): Promise<void> {
    const conditions = conditionsFor(context, blockedBy)
    const wroteStatus = await this.#tools.status.writeConditions(context, conditions)
    this.#emit(context, { outcome: 'deleting', ready: conditions.Ready, wroteStatus }, tracer)
  }

  /**
   * Reports a failure. The status shows a failure that may pass only when it has lasted for a while. Returns false if the status could
   * not be written, so that the next try must be soon.
   */
  async #reportFailed(context: ReconcileContext, message: string, tracer: RunTracer | undefined): Promise<boolean> {
    const { memory, signal } = context
    const conditions = conditionsFor(context, message)
    const write = (): Promise<boolean> => this.#tools.status.writeConditions(context, conditions)
    const wrote = memory.hidesFailure ? false : await write().catch(() => undefined)
    signal.throwIfAborted()
    this.#emit(context, { outcome: 'failed', ready: conditions.Ready, wroteStatus: wrote === true }, tracer)
    return wrote !== undefined
  }

  #emit(
    context: ReconcileContext,
    end: Pick<RunReport, 'outcome' | 'ready' | 'wroteStatus'>,
    tracer: RunTracer | undefined,
  ): void {
    this.#tools.reports.emitTraced(context, { request: context.request, changed: true, ...end }, tracer)
  }
}

/** The name of an object that blocks the cleanup may be made of a Secret, so it is redacted. */
function conditionsFor({ memory }: ReconcileContext, blockedBy: string): EngineConditions {
  return conditionsWhileDeleting(memory.newSecrecy().redact(blockedBy))
}

export interface PropagationTools {
  readonly managedObjects: ManagedObjects
  readonly finalizer: ResourceFinalizer
  readonly seenDeletions: SeenDeletions
  readonly resources: Pick<WatchedResources, 'isDeletionDue'>
}

/**
 * Finds out with which policy a resource is being deleted, before anything else is done about it. Writes the policy on the resource if it
 * could be lost before it is needed. Returns the context with the resource as it is after that.
 *
 * Returns `undefined` if the watch is about to deliver the deletion.
 */
export async function settlePropagation(
  tools: PropagationTools,
  context: ReconcileContext,
): Promise<ReconcileContext | undefined> {
  const { owner, memory, signal } = context
  const known = knownPropagation(tools, context)
  if (known === undefined && tools.resources.isDeletionDue(context.request, owner.uid)) return undefined
  const propagation = known ?? (await propagationByChildren(tools, context))
  memory.propagation = propagation
  const isNoted = notedPropagation(owner) === propagation || !hasFinalizer(owner.resource, FINALIZER)
  if (isNoted || !(keepsChildren(propagation) || (await mayForget(tools, context)))) return context
  return { ...context, owner: await tools.finalizer.annotate(owner, propagationNote(owner, propagation), signal) }
}

/** Whether `settlePropagation` is needed: objects of the resource may be removed. */
export function mustSettle({ owner: { resource }, selection }: Pick<ReconcileContext, 'owner' | 'selection'>): boolean {
  if (selection === 'withoutRole') return false
  return isTerminating(resource) && (selection === 'unselected' || hasFinalizer(resource, FINALIZER))
}

function knownPropagation(
  { seenDeletions }: PropagationTools,
  { request, owner, memory }: ReconcileContext,
): Propagation | undefined {
  const { resource, uid } = owner
  const seen = seenDeletions.policyOf(request, uid)
  if (seen === 'Orphan' || hasFinalizer(resource, ORPHAN_FINALIZER)) return 'Orphan'
  const known = notedPropagation(owner) ?? memory.propagation ?? seen
  return known ?? (hasFinalizer(resource, FOREGROUND_FINALIZER) ? 'Foreground' : undefined)
}

/** Whether a deletion takes so long that a restart may interrupt it, and removes objects after that. */
async function mayForget({ managedObjects }: PropagationTools, context: ReconcileContext): Promise<boolean> {
  const { owner, entry } = context
  if (!(isPaused(owner.resource) || mustFinalize(context))) return false
  const inventory = await managedObjects.inventory(entry.role, context)
  return inventory.some((child) => isLasting(child) && !canOwn(owner.key, keyOf(child)))
}

/** Concludes the policy from the children. If the garbage collector reaches all of them, there is nothing to be in doubt about. */
async function propagationByChildren(
  { managedObjects }: PropagationTools,
  context: ReconcileContext,
): Promise<Propagation> {
  const { owner, entry, removalRules: rules, signal } = context
  const inventory = await managedObjects.liveInventory(entry.role, { owner, rules, signal })
  const children = await managedObjects.proven(inventory, { owner, signal })
  const { near = [], far = [] } = Object.groupBy(children.filter(isLasting), (child) =>
    canOwn(owner.key, keyOf(child)) ? 'near' : 'far',
  )
  const shown = propagationBy(near, owner)
  return shown === 'Unknown' && far.length === 0 ? 'Background' : shown
}
