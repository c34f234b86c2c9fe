import type { Reader } from '../../../core/kube/client.ts'
import type { ObjectKey } from '../../../core/kube/object.ts'
import { LEASE, parseLease } from '../../../engine/runtime/lease-record.ts'
import { countIn, shardLease } from '../../../engine/runtime/sharding/shard-election.ts'
import { shardOf } from '../../../engine/runtime/sharding/shard-of.ts'

/** The shard of a resource, as the leases of the operator show it. */
export interface FoundShard {
  readonly index: number
  readonly count: number
  /** The replica that holds it, by the name of its Pod. Absent: no replica does. */
  readonly heldBy?: string
}

export interface FindShardOptions {
  readonly client: Pick<Reader, 'get'>
  /** Namespace and name of the lease of the operator. */
  readonly lease: ObjectKey
}

/** Which replica works on a resource. `undefined` if the resources are not split, or the leases may not be read. */
export async function findShard(key: ObjectKey, { client, lease }: FindShardOptions): Promise<FoundShard | undefined> {
  try {
    const holder = await holderOf(client, lease)
    const count = countIn(holder)
    if (count === undefined) return undefined
    const index = shardOf(key, count)
    const identity = await holderOf(client, shardLease(lease, index))
    return { index, count, ...(identity !== '' && { heldBy: podOf(identity) }) }
  } catch {
    // A user who may read a resource may have no right to read the leases of its operator.
    return undefined
  }
}

export function printShard({ index, count, heldBy }: FoundShard): string {
  const holder = heldBy === undefined ? 'held by no replica at the moment' : `held by ${heldBy}`
  return `shard ${index} of ${count}, ${holder}\n\n`
}

async function holderOf(client: Pick<Reader, 'get'>, key: ObjectKey): Promise<string> {
  const lease = await client.get(LEASE, key)
  return lease ? parseLease(lease).holder : ''
}

/** `rolebook-7d9f` of the identity `rolebook-7d9f_0a1b2c3d`. */
function podOf(identity: string): string {
  return identity.replace(/_[^_]*$/, '')
}
