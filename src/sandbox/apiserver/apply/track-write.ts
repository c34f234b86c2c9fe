import type { KubeObject } from '../../../core/kube/object.ts'
import { capUpdaters } from './cap-updaters.ts'
import type { Comparison } from './compare-values.ts'
import { type FieldManagerInput, identityOf, updaterFor } from './field-manager-input.ts'
import type { Change, FieldUpdater } from './field-updater.ts'
import { type ManagedFields, managerId, type Owners } from './managed-fields.ts'
import { strip } from './untracked-fields.ts'

/** Managers after a write that put `updated` in the place of `live`. */
export function trackWrite(
  input: FieldManagerInput,
  { live, updated, managed }: { live: KubeObject; updated: KubeObject; managed: ManagedFields },
): ManagedFields {
  const updater = updaterFor(input)
  const change = updater.compare(live, updated)
  const write = { id: managerId(identityOf(input, 'Update')), owners: managed.owners }
  const find = (): Outcome => outcomeOf(updater, change, write)
  const isOneVersion = [...managed.owners.values()].every(({ apiVersion }) => apiVersion === input.apiVersion)
  const { owners, isOwner } = isOneVersion ? sameOutcome(change.in(input.apiVersion), write, find) : find()
  const times = isOwner ? new Map(managed.times).set(write.id, input.now) : managed.times
  return capUpdaters({ owners, times })
}

/** A write by one manager to an object with these owners. */
interface Write {
  readonly id: string
  readonly owners: Owners
}

interface Outcome {
  readonly owners: Owners
  /** Whether the writer changed a field that a manager can own. */
  readonly isOwner: boolean
}

/** Stands for the manager during an update, so that what it changes is kept apart from what it owned before. */
const WRITER = 'current-operation'

function outcomeOf(updater: FieldUpdater, change: Change, { id, owners: before }: Write): Outcome {
  const owners = new Map(strip(updater.update(change, { owners: before, manager: WRITER }), WRITER))
  const own = owners.get(WRITER)
  if (own === undefined) return { owners, isOwner: false }
  owners.delete(WRITER)
  const left = owners.get(id)
  const fields = left === undefined ? own.fields : left.fields.union(own.fields)
  const known = before.get(id)?.fields
  // The very set, when it is equal: its JSON is known.
  owners.set(id, { ...own, fields: known?.equals(fields) ? known : fields })
  return { owners, isOwner: true }
}

/** The last outcome of a change, and the write that had it. */
const lastOutcome = new WeakMap<Comparison, { readonly write: Write; readonly outcome: Outcome }>()

/**
 * Where all managers see the same change, the outcome depends only on the change and on the former owners. The identifier of
 * the writer contains the version, too.
 */
function sameOutcome(comparison: Comparison, write: Write, find: () => Outcome): Outcome {
  const last = lastOutcome.get(comparison)
  if (last && last.write.id === write.id && sameOwners(last.write.owners, write.owners)) return last.outcome
  const outcome = find()
  lastOutcome.set(comparison, { write, outcome })
  return outcome
}

/** Sets of stored objects are the very same when they are equal: see `intern-fields.ts`. */
function sameOwners(left: Owners, right: Owners): boolean {
  if (left.size !== right.size) return false
  for (const [id, { fields }] of left) if (right.get(id)?.fields !== fields) return false
  return true
}
