import type { ChartStage } from './chart-failure.ts'
import type { HelmCall } from './helm-instance.ts'

export interface WorkerSetup {
  /** Helm's renderer, packed. */
  readonly module: Uint8Array
  /** Bytes. */
  readonly largestAnswer: number
}

export interface WorkerCall {
  readonly name: HelmCall
  /** JSON. */
  readonly request: string
  /** Milliseconds since 1970. */
  readonly wallTime: number
}

/** The renderer is compiled and warm: the first message of a thread. */
export interface WorkerReady {
  readonly isReady: true
}

/** After a failure the worker is of no use any more. What Helm refuses is an answer. */
export type WorkerAnswer =
  | { readonly answer: string }
  | { readonly failure: { readonly stage: ChartStage; readonly message: string } }
