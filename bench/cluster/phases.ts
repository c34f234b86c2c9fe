import { Watchdog } from '../../test/control-plane/watchdog.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { ContestantProcess } from './contestant-process.ts'
import type { Contestant } from './contestants.ts'
import { type RequestCount, requestsBetween } from './server-metrics.ts'
import { Stage } from './stage.ts'
import type { Workload } from './workload.ts'

/** In the order in which they are shown. */
export const PHASES = ['cold start', 'burst', 'update', 'restart', 'repair'] as const
export type Phase = (typeof PHASES)[number]

/** What one phase took. Requests, processor time and memory are read once the contestant is quiet. */
export interface PhaseResult {
  readonly contestant: string
  readonly phase: Phase
  /** Until the last object was as it should be; of a restart, until the process was quiet. */
  readonly seconds: number
  readonly requests: readonly RequestCount[]
  readonly cpuSeconds: number
  readonly serverCpuSeconds: number
  /** MiB before the phase, after it, and at most since the process started. */
  readonly memory: { readonly before: number; readonly after: number; readonly peak: number }
  /** Milliseconds of single repairs. */
  readonly repairs: readonly number[]
}

export interface MeasureOptions {
  readonly workload: Workload
  readonly repairs: number
}

/** All phases of one contestant, on two control planes of its own. @throws Error when an object is not as it should be */
export async function measureContestant(contestant: Contestant, options: MeasureOptions): Promise<PhaseResult[]> {
  const cold = await onStage(contestant, options, measureCold)
  const warm = await onStage(contestant, options, measureLife)
  return [...cold, ...warm]
}

/** The resources are there before the contestant. */
async function measureCold(bench: Bench): Promise<PhaseResult[]> {
  await bench.stage.createAll()
  const { observer } = bench.stage
  const result = await bench.measure('cold start', { start: true, work: () => observer.converged() })
  await bench.end()
  return [result]
}

/** The contestant is there before the resources, sees them change, loses some objects, and is started again. */
async function measureLife(bench: Bench): Promise<PhaseResult[]> {
  const { stage, contestant, options } = bench
  const { observer } = stage
  bench.start()
  await bench.whileItRuns(stage.probe())
  const results = [
    await bench.measure('burst', {
      work: after(
        () => stage.createAll(),
        () => observer.converged(),
      ),
    }),
  ]
  observer.expect(1)
  results.push(
    await bench.measure('update', {
      work: after(
        () => stage.updateAll(1),
        () => observer.converged(),
      ),
    }),
  )
  if (contestant.isOperator) {
    let repairs: readonly number[] = []
    const work = async (): Promise<undefined> => {
      repairs = await stage.deleteSome(options.repairs)
    }
    const repaired = await bench.measure('repair', { work })
    await bench.end()
    results.push(await bench.measure('restart', { start: true }), { ...repaired, repairs })
  }
  await bench.end()
  return results
}

function after(send: () => Promise<void>, done: () => Promise<number>): () => Promise<number> {
  return async () => {
    await send()
    return done()
  }
}

interface Part {
  /** Whether the contestant is started with the phase. Defaults to false. */
  readonly start?: boolean
  /** Resolves with the moment of its end, if that is not now. Defaults to waiting until the contestant is quiet. */
  readonly work?: () => Promise<number | undefined>
}

/** One contestant on one control plane. */
class Bench {
  readonly stage: Stage
  readonly contestant: Contestant
  readonly options: MeasureOptions
  readonly folder = temporaryFolder()
  readonly #watchdog = new Watchdog(this.folder.path)
  #process: ContestantProcess | undefined

  constructor(stage: Stage, contestant: Contestant, options: MeasureOptions) {
    this.stage = stage
    this.contestant = contestant
    this.options = options
  }

  start(): ContestantProcess {
    const { workload } = this.options
    const command = this.contestant.command({ workload, kubeconfig: this.stage.kubeconfig, folder: this.folder })
    this.#process = new ContestantProcess(command, this.folder.at('log'), this.#watchdog)
    return this.#process
  }

  whileItRuns<T>(work: Promise<T>): Promise<T> {
    return this.#process?.during(work) ?? work
  }

  async measure(phase: Phase, { start = false, work }: Part): Promise<PhaseResult> {
    if (!start) await this.#process?.untilQuiet()
    const metrics = await this.stage.metrics()
    this.stage.takeOwn()
    const startedAt = performance.now()
    const process = start || !this.#process ? this.start() : this.#process
    const cpu = start ? 0 : process.cpuSeconds()
    const before = start ? 0 : process.memoryMebibytes('now')
    const doneAt = work && ((await process.during(work())) ?? performance.now())
    const quietAt = await process.untilQuiet()
    const after = await this.stage.metrics()
    return {
      contestant: this.contestant.name,
      phase,
      seconds: ((doneAt ?? quietAt) - startedAt) / 1000,
      requests: requestsBetween(metrics, after, this.stage.takeOwn()),
      cpuSeconds: process.cpuSeconds() - cpu,
      serverCpuSeconds: after.cpuSeconds - metrics.cpuSeconds,
      memory: { before, after: process.memoryMebibytes('now'), peak: process.memoryMebibytes('peak') },
      repairs: [],
    }
  }

  /** Stops the contestant, and looks at what it has made. */
  async end(): Promise<void> {
    await this.stop()
    const faults = await this.stage.observer.faults()
    if (faults.length > 0) throw new Error(`${this.contestant.name}: ${faults.slice(0, 5).join('; ')}`)
  }

  async stop(): Promise<void> {
    await this.#process?.stop()
    this.#process = undefined
  }

  async close(): Promise<void> {
    await this.stop()
    this.folder.remove()
    this.#watchdog.stop()
  }
}

async function onStage(
  contestant: Contestant,
  options: MeasureOptions,
  measure: (bench: Bench) => Promise<PhaseResult[]>,
): Promise<PhaseResult[]> {
  const stage = await Stage.open(options.workload)
  const bench = new Bench(stage, contestant, options)
  try {
    return await measure(bench)
  } finally {
    await bench.close()
    await stage.close()
  }
}
