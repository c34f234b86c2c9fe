import { hasFinalizer, isTerminating } from '../../../core/kube/finalizer.ts'
import { keyOf } from '../../../core/kube/object.ts'
import { canOwn } from '../../../core/kube/owner-reference.ts'
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../../../core/kube/propagation.ts'
import { FINALIZER } from '../ownership/marks.ts'
import type { ResourceFinalizer } from '../ownership/resource-finalizer.ts'
import type { ManagedObjects } from '../prune/managed-objects.ts'
import { isPaused } from '../run/resource-content.ts'
import type { ReconcileContext } from '../run/role-run.ts'
import type { WatchedResources } from '../watch-entry.ts'
import { isLasting, mustFinalize } from './deletion.ts'
import {
  keepsChildren,
  notedPropagation,
  type Propagation,
  propagationBy,
  propagationNote,
  type SeenDeletions,
} from './propagation.ts'

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

/** Whether `settlePropagation` has anything to say: something of the resource may be removed. */
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
