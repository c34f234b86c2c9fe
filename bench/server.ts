/** The API server of the benchmarks, as a child process. It sends its address to its parent. */
import process from 'node:process'
import { systemClock } from '../src/core/base/clock.ts'
import { nopLogger } from '../src/core/base/logger.ts'
import { SandboxCluster } from '../src/sandbox/cluster/sandbox-cluster.ts'
import { projectAt } from '../test/support/running-operator.ts'

const cluster = await SandboxCluster.start({ clock: systemClock, logger: nopLogger })
for (const crd of (await projectAt()).crds) await cluster.install(crd)
process.send?.(cluster.access)
