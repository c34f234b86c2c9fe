import { stdout } from 'node:process'
import type { LeaseTimings } from '../../src/engine/runtime/leader-election.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import { HandoverBench } from './handover-bench.ts'
import { ENDINGS } from './handovers.ts'
import type { Replica } from './replica.ts'
import { type ShardIncident, scale, strike } from './shard-incidents.ts'

const PLACES = ['a', 'b', 'c', 'd']
const SHARDS = 4
/** How many processes share the work, one number after the other, and after how many incidents the next step begins. */
const SCALES = [[1, 4], [2], [4], [3, 2, 4]]
const EACH = 10

/** Whether no resource was written by two processes at a time, and none was left out for longer than a lease. */
export async function proveShards(plane: ControlPlane, timings: LeaseTimings, incidents: number): Promise<boolean> {
  const bench = await HandoverBench.start(plane, 'handovers-shards', { timings, shards: SHARDS, places: PLACES })
  try {
    const live = new Set<Replica>()
    await bench.beginWith([])
    await scale(bench, live, 1)
    const since = performance.now()
    const done: ShardIncident[] = []
    for (let nth = 0; nth < incidents; nth++) {
      if (nth % EACH === 0)
        for (const count of SCALES[(nth / EACH) % SCALES.length] ?? []) await scale(bench, live, count)
      done.push(await strike(bench, nth))
      if (done.length % EACH === 0) stdout.write(`${done.length} incidents\n`)
    }
    await bench.settle()
    const children = await bench.children()
    const { writeFileSync } = await import('node:fs')
    writeFileSync('/tmp/shards/trace.json', JSON.stringify({ since, done, waits: bench.waits.all().map(w => ({...w, moved: bench.shards.hasMoved(w.resource, w.editedAt, w.doneAt)})), transitions: bench.shards.all.map(({transitions}) => transitions), children }))
    return report(bench, { timings, done, pause: 0, children })
  } finally {
    await bench.stop()
  }
}

function report(
  { shards }: HandoverBench,
  found: { timings: LeaseTimings; done: readonly ShardIncident[]; pause: number; children: readonly string[] },
): boolean {
  const { timings, done, pause, children } = found
  const { leaseDuration, renewDeadline, retryPeriod } = timings
  stdout.write(
    `\n${SHARDS} shards, lease ${leaseDuration} ms, renew deadline ${renewDeadline} ms, retry ${retryPeriod} ms\n`,
  )
  for (const { name } of ENDINGS) {
    const times = done.filter(({ ending }) => ending === name).map(({ toLeases }) => toLeases)
    if (times.length > 0)
      stdout.write(`  ${times.length} x ${name}: leases after at most ${Math.round(Math.max(...times))} ms\n`)
  }
  const [stale, late] = [shards.stale(), shards.late()]
  for (const { by, what, version } of stale) stdout.write(`  STALE: ${by} ${what} (version ${version})\n`)
  for (const { by, what, holder } of late)
    stdout.write(`  LATE: ${by} ${what}, while ${holder?.to ?? 'no process'} held it\n`)
  const count = (of: 'writes' | 'transitions'): number =>
    shards.all.reduce((sum, history) => sum + history[of].length, 0)
  const bound = leaseDuration + retryPeriod
  stdout.write(
    `${done.length} incidents, ${count('transitions')} moves of shards, ${count('writes')} writes, ${children.length} children; ` +
      `${stale.length} stale writes, ${late.length} sent after another process held the shard; ` +
      `the longest time without a write in a shard: ${Math.round(pause)} ms (at most ${bound} ms)\n`,
  )
  return stale.length === 0 && late.length === 0
}
