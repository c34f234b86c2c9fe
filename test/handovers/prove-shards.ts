import { stdout } from 'node:process'
import type { LeaseTimings } from '../../src/engine/runtime/leader-election.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import { HandoverBench } from './handover-bench.ts'
import type { Replica } from './replica.ts'
import { type ShardIncident, scale, strike } from './shard-incidents.ts'
import { judge, printShardReport } from './shard-report.ts'

const PLACES = ['a', 'b', 'c', 'd']
const SHARDS = 4
/** How many processes share the work, one number after the other, and after how many incidents the next step begins. */
const SCALES = [[1, 4], [2], [4], [3, 2, 4]]
const EACH = 10

/** Whether no resource was written by two processes at a time, and none was left out for longer than a handover may take. */
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
    const verdict = judge(bench, { timings, since, done })
    stdout.write(printShardReport(verdict, done))
    stdout.write(`${(await bench.children()).length} children\n`)
    return verdict.isProven
  } finally {
    await bench.stop()
  }
}
