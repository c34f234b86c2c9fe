/** The API server of the benchmarks, as a child process: tells its parent where it listens. */
import { argv, send } from 'node:process'
import { systemClock } from '../src/base/clock.ts'
import { nopLogger } from '../src/base/logger.ts'
import { SandboxCluster } from '../src/cli/sandbox-cluster.ts'
import { projectAt } from '../test/support/running-operator.ts'

const { workloads } = JSON.parse(argv[2] ?? '{}') as { workloads?: boolean }
const cluster = await SandboxCluster.start({ clock: systemClock, logger: nopLogger, workloads })
for (const crd of (await projectAt()).crds) await cluster.install(crd)
send?.(cluster.access)
