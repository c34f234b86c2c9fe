import type { Clock } from '../../../core/base/clock.ts'
import type { Request } from '../../../engine/runtime/reconciler.ts'
import type { Heading } from './heading.ts'
import type { ResourceRow } from './resource-row.ts'

/** Shows resources as they change: on a screen a list that answers keys, in a pipe one line per change. */
export interface LiveView {
  show(row: ResourceRow): void
  remove(resource: Request): void
  /** A line of log, or anything else worth a line. */
  say(text: string): void
  /** What is wrong now. It stays on a screen until the next call; `undefined`: nothing is. */
  showProblem(text: string | undefined): void
  stop(): void
}

export interface LiveViewOptions {
  readonly clock: Clock
  readonly heading: Heading
  /** What there is to know about a resource, line by line. */
  details(resource: Request): Promise<readonly string[]>
}
