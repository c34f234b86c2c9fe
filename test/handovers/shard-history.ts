import { shardOf } from '../../src/engine/runtime/sharding/shard-of.ts'
import type { AnsweredWrite } from '../support/intercepting-proxy.ts'
import { type HistoricWrite, type LateWrite, WriteHistory } from './write-history.ts'

/** The history of each shard: who held its lease, and who wrote for its resources. */
export class ShardHistory {
  readonly all: readonly WriteHistory[]
  readonly #namespace: string

  constructor(count: number, namespace: string) {
    this.all = Array.from({ length: count }, () => new WriteHistory())
    this.#namespace = namespace
  }

  /** The shards whose leases a process holds. */
  heldBy(name: string): readonly WriteHistory[] {
    return this.all.filter(({ holder }) => holder === name)
  }

  noteForeign(version: string | undefined): void {
    for (const history of this.all) history.noteForeign(version)
  }

  /** What belongs to no shard is left out: the ledger, events, and the leases of replicas. */
  note(by: string, write: AnsweredWrite): void {
    this.#historyOf(write)?.note(by, write)
  }

  #historyOf({ method, path, body }: AnsweredWrite): WriteHistory | undefined {
    const [, index = method === 'POST' ? createdLease(body) : undefined] =
      /\/leases\/[^/]+-shard-(\d+)/.exec(path) ?? []
    if (index !== undefined) return this.all[Number(index)]
    const [, name] = /\/(?:configmaps|parcels)\/(p\d+)\b/.exec(path) ?? []
    return name === undefined ? undefined : this.all[shardOf({ namespace: this.#namespace, name }, this.all.length)]
  }

  stale(): readonly HistoricWrite[] {
    return this.all.flatMap((history) => history.stale())
  }

  late(): readonly LateWrite[] {
    return this.all.flatMap((history) => history.late())
  }

  /** The longest time, in milliseconds, in which nothing was written for the resources of some shard. */
  longestPause(since: number): number {
    return Math.max(
      ...this.all.map((history) =>
        longestGap(
          history.writes.map(({ answeredAt }) => answeredAt),
          since,
        ),
      ),
    )
  }
}

/** The number in the name of a Lease of a shard that was created. */
function createdLease(body: string): string | undefined {
  return /"name":"[^"]+-shard-(\d+)"/.exec(body)?.[1]
}

function longestGap(times: readonly number[], since: number): number {
  const sorted = [since, ...times.filter((time) => time > since)].sort((left, right) => left - right)
  return Math.max(0, ...sorted.slice(1).map((time, place) => time - (sorted[place] ?? time)))
}
