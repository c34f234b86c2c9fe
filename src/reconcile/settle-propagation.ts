import { hasFinalizer, isTerminating } from '../kube/finalizer.ts'
import { keyOf } from '../kube/object.ts'
import { canOwn } from '../kube/owner-reference.ts'
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../kube/propagation.ts'
import { isLasting, mustFinalize } from './deletion.ts'
import type { ManagedObjects } from './managed-objects.ts'
import { FINALIZER } from './marks.ts'
import { keepsChildren, notedPropagation, type Propagation, propagationBy, propagationNote } from './propagation.ts'
import type { ResourceFinalizer } from './resource-finalizer.ts'
import { isPaused } from './resource-settings.ts'
import type { Visit } from './role-run.ts'
import type { SeenDeletions } from './seen-deletions.ts'
import type { WatchedResources } from './watch-entry.ts'

export interface PropagationTools {
  readonly managedObjects: ManagedObjects
  readonly finalizer: ResourceFinalizer
  readonly seenDeletions: SeenDeletions
  readonly resources: Pick<WatchedResources, 'isDeletionDue'>
}

/**
 * Finds out what is to become of the children of a resource that goes, before anything else is done about it, and writes that
 * down on the resource where it could be lost before it is needed. The visit goes on with the resource as it is then.
 *
 * `undefined`: the watch is about to tell.
 */
export async function settlePropagation(tools: PropagationTools, visit: Visit): Promise<Visit | undefined> {
  const { owner, memory, signal } = visit
  const known = knownPropagation(tools, visit)
  if (known === undefined && tools.resources.isDeletionDue(visit.request, owner.uid)) return undefined
  const propagation = known ?? (await propagationByChildren(tools, visit))
  memory.propagation = propagation
  const isNoted = notedPropagation(owner) === propagation || !hasFinalizer(owner.resource, FINALIZER)
  if (isNoted || !(keepsChildren(propagation) || (await mayForget(tools, visit)))) return visit
  return { ...visit, owner: await tools.finalizer.annotate(owner, propagationNote(owner, propagation), signal) }
}

/** Whether `settlePropagation` has anything to say: something of the resource may be removed. */
export function mustSettle(
  { owner: { resource } }: Pick<Visit, 'owner'>,
  kind: 'selected' | 'unselected' | 'withoutRole',
): boolean {
  if (kind === 'withoutRole') return false
  return isTerminating(resource) && (kind === 'unselected' || hasFinalizer(resource, FINALIZER))
}

function knownPropagation(
  { seenDeletions }: PropagationTools,
  { request, owner, memory }: Visit,
): Propagation | undefined {
  const { resource, uid } = owner
  const seen = seenDeletions.policyOf(request, uid)
  if (seen === 'Orphan' || hasFinalizer(resource, ORPHAN_FINALIZER)) return 'Orphan'
  const known = notedPropagation(owner) ?? memory.propagation ?? seen
  return known ?? (hasFinalizer(resource, FOREGROUND_FINALIZER) ? 'Foreground' : undefined)
}

/** Whether an ordinary deletion takes so long that a restart may come between, and removes something then. */
async function mayForget({ managedObjects }: PropagationTools, visit: Visit): Promise<boolean> {
  const { owner, entry } = visit
  if (!(isPaused(owner.resource) || mustFinalize(visit))) return false
  const inventory = await managedObjects.inventory(entry.role, visit)
  return inventory.some((child) => isLasting(child) && !canOwn(owner.key, keyOf(child)))
}

/** Where no child is beyond the reach of the garbage collector, there is nothing to be in doubt about. */
async function propagationByChildren({ managedObjects }: PropagationTools, visit: Visit): Promise<Propagation> {
  const { owner, entry, removalRules: rules, signal } = visit
  const inventory = await managedObjects.liveInventory(entry.role, { owner, rules, signal })
  const children = await managedObjects.proven(inventory, { owner, signal })
  const { near = [], far = [] } = Object.groupBy(children.filter(isLasting), (child) =>
    canOwn(owner.key, keyOf(child)) ? 'near' : 'far',
  )
  const shown = propagationBy(near, owner)
  return shown === 'Unknown' && far.length === 0 ? 'Background' : shown
}
