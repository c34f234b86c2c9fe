/** The API server of the benchmark of shards, as a child process. It sends its address to its parent and, on request, its counts. */
import process from 'node:process'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import { SandboxCluster } from '../../src/sandbox/cluster/sandbox-cluster.ts'
import { countOf } from './request-counts.ts'

const counts: Record<string, number> = {}
const cluster = await SandboxCluster.start({
  ...{ clock: systemClock, logger: nopLogger, workloads: false },
  onRequest: (entry) => {
    const name = countOf(entry)
    if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1
  },
})
process.on('message', () => process.send?.({ counts }))
process.send?.(cluster.access)
