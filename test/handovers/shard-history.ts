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
    return name === undefined ? undefined : this.#of(name)
  }

  stale(): readonly HistoricWrite[] {
    return this.all.flatMap((history) => history.stale())
  }

  late(): readonly LateWrite[] {
    return this.all.flatMap((history) => history.late())
  }

  /** Whether the shard of a resource went from one process to another between two moments. */
  hasMoved(resource: string, from: number, to: number): boolean {
    return this.#of(resource).transitions.some(({ at }) => at > from && at <= to)
  }

  #of(resource: string): WriteHistory {
    const shard = shardOf({ namespace: this.#namespace, name: resource }, this.all.length)
    return this.all[shard] as WriteHistory
  }
}

/** The number in the name of a Lease of a shard that was created. */
function createdLease(body: string): string | undefined {
  return /"name":"[^"]+-shard-(\d+)"/.exec(body)?.[1]
}
