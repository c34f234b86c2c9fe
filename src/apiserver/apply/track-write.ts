import type { KubeObject } from '../../kube/object.ts'
import { capUpdaters } from './cap-updaters.ts'
import { type FieldManagerInput, identityOf, updaterFor } from './field-manager-input.ts'
import { type ManagedFields, managerId } from './managed-fields.ts'
import { strip } from './untracked-fields.ts'

/** Managers after a write that put `updated` in the place of `live`. */
export function trackWrite(
  input: FieldManagerInput,
  { live, updated, managed }: { live: KubeObject; updated: KubeObject; managed: ManagedFields },
): ManagedFields {
  const written = updaterFor(input).update(updated, { live, owners: managed.owners, manager: WRITER })
  const owners = new Map(strip(written, WRITER))
  const own = owners.get(WRITER)
  if (own === undefined) return capUpdaters({ owners, times: managed.times })
  owners.delete(WRITER)
  const id = managerId(identityOf(input, 'Update'))
  const before = owners.get(id)
  const fields = before === undefined ? own.fields : before.fields.union(own.fields)
  const known = managed.owners.get(id)?.fields
  // The very set, when it is equal: its JSON is known.
  owners.set(id, { ...own, fields: known?.equals(fields) ? known : fields })
  return capUpdaters({ owners, times: new Map(managed.times).set(id, input.now) })
}

/** Stands for the manager during an update, so that what it changes can be told from what it owned before. */
const WRITER = 'current-operation'
