import { Watchdog } from '../../test/control-plane/watchdog.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { ContestantProcess } from '../cluster/contestant-process.ts'
import { rolebook } from '../cluster/contestants.ts'
import { Observer } from '../cluster/observer.ts'
import { type Workload, widget } from '../cluster/workload.ts'
import { inParallel } from '../in-parallel.ts'
import type { RequestCounts } from './request-counts.ts'
import { SharedServer } from './shared-server.ts'

const REQUESTS_IN_FLIGHT = 16

/** What so many processes took for the resources together. Memory is MiB. */
export interface ShardMeasurement {
  readonly processes: number
  readonly shards: number
  /** From the start of the processes until the last object was as it should be. */
  readonly seconds: number
  readonly serverCpuSeconds: number
  readonly each: readonly ProcessUsage[]
  readonly requests: RequestCounts
  /** For which requests were counted. */
  readonly countedSeconds: number
}

export interface ProcessUsage {
  readonly cpuSeconds: number
  readonly peak: number
  readonly after: number
}

/** Resources that are there before the processes, on a new server. @throws Error if an object is not as it should be */
export async function measureShards(
  resources: number,
  { processes, shards }: Pick<ShardMeasurement, 'processes' | 'shards'>,
): Promise<ShardMeasurement> {
  const workload: Workload = { resources, kinds: 1, objects: 3 }
  const folder = temporaryFolder()
  const watchdog = new Watchdog(folder.path)
  const server = await SharedServer.start(folder)
  const running: ContestantProcess[] = []
  try {
    const { client } = server.connection
    await inParallel(
      resources,
      (index) => client.create(widget(workload, index, 0), { fieldManager: 'bench' }),
      REQUESTS_IN_FLIGHT,
    )
    const observer = await Observer.start(client, workload)
    const [cpu, startedAt] = [server.cpuSeconds, performance.now()]
    const command = rolebook({ workload, kubeconfig: server.kubeconfig, folder }, [`--shards=${shards}`])
    for (let nth = 0; nth < processes; nth++)
      running.push(new ContestantProcess(command, folder.at(`log-${nth}`), watchdog))
    const done = observer.converged()
    await Promise.all(running.map((process) => process.during(done)))
    const seconds = ((await done) - startedAt) / 1000
    for (const process of running) await process.untilQuiet()
    const result = {
      ...{ processes, shards, seconds },
      serverCpuSeconds: server.cpuSeconds - cpu,
      each: running.map(usageOf),
      requests: await server.counts(),
      countedSeconds: (performance.now() - startedAt) / 1000,
    }
    const faults = await observer.faults()
    if (faults.length > 0) throw new Error(faults.slice(0, 5).join('; '))
    observer.stop()
    return result
  } finally {
    await Promise.all(running.map((process) => process.stop()))
    await server.stop()
    folder.remove()
    watchdog.stop()
  }
}

function usageOf(process: ContestantProcess): ProcessUsage {
  return {
    cpuSeconds: process.cpuSeconds(),
    peak: process.memoryMebibytes('peak'),
    after: process.memoryMebibytes('now'),
  }
}
