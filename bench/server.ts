/** The API server of the benchmarks, as a child process: tells its parent where it listens. */
import process from 'node:process'
import { systemClock } from '../src/base/clock.ts'
import { nopLogger } from '../src/base/logger.ts'
import { SandboxCluster } from '../src/cli/sandbox-cluster.ts'
import { projectAt } from '../test/support/running-operator.ts'

const cluster = await SandboxCluster.start({ clock: systemClock, logger: nopLogger })
for (const crd of (await projectAt()).crds) await cluster.install(crd)
process.send?.(cluster.access)
