import { parentPort, workerData } from 'node:worker_threads'
import { ChartFailure } from './chart-failure.ts'
import { HelmInstance } from './helm-instance.ts'
import type { WorkerAnswer, WorkerCall, WorkerReady, WorkerSetup } from './worker-messages.ts'

/** The thread of one renderer: it answers one call after the other. */
const { module, largestAnswer } = workerData as WorkerSetup
const instance = new HelmInstance(module, { largestAnswer })
const ready: WorkerReady = { isReady: true }
parentPort?.postMessage(ready)

parentPort?.on('message', ({ name, request, wallTime }: WorkerCall) =>
  parentPort?.postMessage(answer(name, request, wallTime)),
)

function answer(name: WorkerCall['name'], request: string, wallTime: number): WorkerAnswer {
  try {
    return { answer: instance.call(name, request, wallTime) }
  } catch (error) {
    const { stage, message } = error instanceof ChartFailure ? error : new ChartFailure('engine', String(error))
    return { failure: { stage, message } }
  }
}
