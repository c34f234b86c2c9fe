/** The API server of the benchmark of shards, as a child process: it tells its parent where it listens, and, when asked, what it has answered. */
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
