import type { EventLoopWatch } from '../runtime/event-loop-watch.ts'
import type { HealthCheck, HealthChecks } from '../runtime/health-routes.ts'
import type { Operator } from './operator.ts'
import type { WatchState } from './watch-state.ts'

/** Milliseconds after which a run is stuck where it has no deadline: every request has one, so only a fault of ours can last so long. */
const STUCK = 30 * 60_000
/** Milliseconds after its deadline in which a run may still end that goes on although it was aborted. */
const STUCK_AFTER_TIMEOUT = 20 * 60_000
/** Milliseconds until the first look at objects that a role needs, which begins when it asks, must have come to something. */
const FIRST_LOOK = 30_000

type SeenOperator = Pick<Operator, 'failing' | 'isStarted' | 'longestRun' | 'reconciliationTimeout' | 'watches'>

/** How an operator is, for probes. A standby replica is ready when it sees all that it would need to take over. */
export class OperatorHealth implements HealthChecks {
  readonly #operator: SeenOperator
  readonly #eventLoop: Pick<EventLoopWatch, 'isStarved'>

  constructor(operator: SeenOperator, eventLoop: Pick<EventLoopWatch, 'isStarved'>) {
    this.#operator = operator
    this.#eventLoop = eventLoop
  }

  live(): readonly HealthCheck[] {
    const { longestRun, reconciliationTimeout } = this.#operator
    const isStuck = longestRun > Math.max(STUCK, reconciliationTimeout + STUCK_AFTER_TIMEOUT)
    return [
      { name: 'event-loop', problem: this.#eventLoop.isStarved ? 'it keeps everything waiting' : undefined },
      { name: 'runs', problem: isStuck ? 'a run does not come to an end' : undefined },
    ]
  }

  ready(): readonly HealthCheck[] {
    const started = { name: 'operator', problem: this.#problem() }
    const needed = [...this.#operator.watches()].filter(({ isNeeded }) => isNeeded)
    const byKind = Map.groupBy(needed, ({ kind }) => kind)
    const watches = [...byKind].map(([kind, states]) => ({ name: `watch-${kind}`, problem: problemOf(states) }))
    return [started, ...watches.sort((left, right) => left.name.localeCompare(right.name))]
  }

  #problem(): string | undefined {
    const { isStarted, failing } = this.#operator
    if (!isStarted) return 'it has not started yet'
    return failing.length > 0 ? `controllers have failed and are to be started again: ${failing.join(', ')}` : undefined
  }
}

function problemOf(states: readonly WatchState[]): string | undefined {
  const down = states.filter(
    ({ live, isSynced, isMain, blindFor }) => !live && (isSynced || isMain || blindFor > FIRST_LOOK),
  )
  if (down.length === 0) return undefined
  return down.every(({ isSynced }) => isSynced) ? 'the watch is down' : 'its objects have not been seen yet'
}
