import type { Clock } from '../../../core/base/clock.ts'
import type { Logger } from '../../../core/base/logger.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { Secrecy } from '../secrecy/secrecy.ts'
import type { ChartPort, EventPort, ObjectPort, StatusPort, WaitPort } from './run-context.ts'
import type { RunObserver } from './run-observer.ts'
import type { RunSpans } from './run-spans.ts'
import type { TaskTracer } from './task-tracer.ts'

/** The world as one run sees it, made anew for each run. */
export interface RunPorts {
  /** As the server has it; expressions see `roleInput` of it. */
  readonly resource: KubeObject
  readonly objects: ObjectPort
  readonly status: StatusPort
  readonly events: EventPort
  readonly waits: WaitPort
  readonly charts?: ChartPort | undefined
  /** The values that the run must hide. Defaults to none at the start. */
  readonly secrecy?: Secrecy | undefined
  /** Defaults to none. */
  readonly observer?: RunObserver | undefined
  /** Defaults to none. */
  readonly tracer?: TaskTracer | undefined
  /** Defaults to none. */
  readonly spans?: Pick<RunSpans, 'task'> | undefined
  /** Whether the run gives up what computes for long. Defaults to no. */
  readonly isShort?: boolean | undefined
  readonly clock: Clock
  readonly logger: Logger
  readonly signal: AbortSignal
}
