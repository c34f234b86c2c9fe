import { systemClock } from '../../src/core/base/clock.ts'
import type { HandoverBench } from './handover-bench.ts'
import { ENDINGS, type Ending, type EndingKind, SEND_MS } from './handovers.ts'
import type { Replica } from './replica.ts'
import type { Strike } from './under-way.ts'

/** What happened to a process that held shards. Times are those of `performance.now()`. */
export interface ShardIncident extends Strike {
  readonly struckAt: number
  /** How many shards it held. Processes that were asked to end, or whose shards were about to move, may hold none. */
  readonly shards: number
  /** Milliseconds until other processes held all of them, from when it was struck, or from when it released the last of them. */
  readonly toLeases: number
}

/** Strikes a process that holds shards in the n-th way, waits until others work on its resources, and lets it share the work again. */
export async function strike(bench: HandoverBench, nth: number): Promise<ShardIncident> {
  const { shards } = bench
  const ending: EndingKind & { name: Ending } = ENDINGS[nth % ENDINGS.length] ?? ENDINGS[0]
  const working = bench.replicas.filter(({ name }) => shards.heldBy(name).length > 0)
  const victim = working[nth % working.length]
  if (!victim) throw new Error('no process holds a shard')
  const former = victim.name
  await ending.strike(victim, 1 + (nth % 5))
  const held = shards.heldBy(former)
  const struckAt = performance.now()
  const since = held.map(({ writes }) => writes.length)
  await bench.until(() => held.every(({ holder }) => holder !== former), `others hold the shards of ${former}`)
  const taken = held.map(({ transitions, releasedAt }) => {
    return (transitions.at(-1)?.at ?? 0) - Math.max(struckAt, releasedAt)
  })
  await bench.until(
    () => held.every(({ writes }, place) => writes.slice(since[place]).some(({ by }) => by !== former)),
    `others work on the shards of ${former}`,
  )
  await ending.goOn(victim)
  await bench.until(() => shards.heldBy(victim.name).length > 0, `${victim.name} shares the work again`)
  // So long, at least, that whatever a process that goes on wants to send is there.
  await systemClock.sleep(SEND_MS)
  const firstAfterStop = ending.isStop ? victim.firstAfterStop : undefined
  return { ending: ending.name, struckAt, shards: held.length, toLeases: Math.max(0, ...taken), firstAfterStop }
}

/** Starts or ends processes until there are so many, and waits until all of them share the work. */
export async function scale(bench: HandoverBench, live: Set<Replica>, count: number): Promise<void> {
  for (const replica of bench.replicas) {
    if (live.size < count && !live.has(replica)) {
      await replica.start()
      live.add(replica)
    }
  }
  for (const replica of [...live].slice(count)) {
    replica.signal('SIGTERM')
    const code = await replica.ended()
    if (code !== 0) throw new Error(`${replica.name} ended with ${code}:\n${replica.log}`)
    live.delete(replica)
  }
  const { shards } = bench
  const names = (): readonly string[] => [...live].map(({ name }) => name)
  const isShared = (): boolean =>
    shards.all.every(({ holder }) => holder !== undefined && names().includes(holder)) &&
    names().every((name) => shards.heldBy(name).length > 0)
  await bench.until(isShared, `${count} processes share the work`)
}
