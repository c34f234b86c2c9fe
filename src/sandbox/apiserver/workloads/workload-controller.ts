import type { Clock } from '../../../core/base/clock.ts'
import type { Logger } from '../../../core/base/logger.ts'
import type { ObjectApi } from '../object-api.ts'

/** What keeps one kind of workload at what its spec says, as a controller of the real control plane does. */
export interface WorkloadController {
  readonly name: string
  /** Takes up what exists and follows every change. Returns how to stop. */
  start(api: ObjectApi, clock: Clock, logger?: Logger): () => void
}
