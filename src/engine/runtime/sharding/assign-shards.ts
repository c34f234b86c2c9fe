import { hash32 } from './shard-of.ts'

interface Bid {
  readonly shard: number
  readonly member: string
  readonly score: number
}

/**
 * Which member shall hold each shard: rendezvous hashing with bounded loads. The pair with the highest score comes first, and no member gets
 * two shards more than another one. All processes that know the same members come to the same result, and when a member comes or goes, few
 * other shards move.
 */
export function assignShards(members: Iterable<string>, count: number): readonly (string | undefined)[] {
  const names = [...new Set(members)]
  const least = Math.floor(count / names.length)
  /** Shards that are left when all members have the least. */
  let left = count % names.length
  const load = new Map<string, number>()
  const holders: (string | undefined)[] = Array.from({ length: count }, () => undefined)
  for (const { shard, member } of bids(names, count)) {
    const held = load.get(member) ?? 0
    if (holders[shard] !== undefined || held > least || (held === least && left === 0)) continue
    if (held === least) left--
    holders[shard] = member
    load.set(member, held + 1)
  }
  return holders
}

/** The highest first. */
function bids(members: readonly string[], count: number): readonly Bid[] {
  const all = Array.from({ length: count }, (_, shard) => shard).flatMap((shard) =>
    members.map((member) => ({ shard, member, score: hash32(`${member}#${shard}`) })),
  )
  return all.sort((left, right) => right.score - left.score || (left.member < right.member ? -1 : 1))
}
