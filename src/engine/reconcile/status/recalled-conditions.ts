import { getPath } from '../../../core/base/json.ts'
import type { KubeClient } from '../../../core/kube/client.ts'
import { conditionsOf } from '../../../core/kube/condition.ts'
import type { Gvk } from '../../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import type { Ledger } from '../ownership/ledger.ts'
import { FIELD_MANAGER } from '../ownership/marks.ts'
import { hasConditionMap } from './status-patch.ts'

export interface Recollection {
  readonly client: Pick<KubeClient, 'get'>
  readonly ledger: Ledger
  readonly gvk: Gvk
  readonly resource: KubeObject
  /** Types of the conditions that the run sets. */
  readonly set: readonly string[]
  readonly signal: AbortSignal
}

/**
 * The types of conditions that tasks have set before this process started and that may be removed.
 *
 * The ledger remembers them by kind and not by resource, and an atomic list does not say whose a condition is. If another client also
 * writes the status, a condition of that type may be its own, so none is returned.
 */
export async function recalledConditions(recollection: Recollection): Promise<readonly string[]> {
  const { client, ledger, gvk, resource, set, signal } = recollection
  const { conditions } = await ledger.entryFor(gvk, signal)
  const isAtStake = conditionsOf(resource).some(({ type }) => conditions.includes(type) && !set.includes(type))
  if (!isAtStake || hasConditionMap(resource)) return conditions
  // Read live, since caches keep only our own entries of `managedFields`.
  const live = await client.get(gvk, keyOf(resource), { signal })
  return live && !hasOtherWriter(live) ? conditions : []
}

function hasOtherWriter({ metadata: { managedFields = [] } }: KubeObject): boolean {
  return managedFields.some(
    ({ manager, fieldsV1 }) => manager !== FIELD_MANAGER && getPath(fieldsV1, ['f:status']) !== undefined,
  )
}
