import type { Operator, WatchState } from '../../engine/operator/operator.ts'
import type { EventLoopWatch } from '../../engine/runtime/event-loop-watch.ts'
import type { HealthCheck, HealthChecks } from '../../engine/runtime/health-routes.ts'

/** Milliseconds after which a run without a deadline counts as stuck. Each request has a deadline, so only a defect of ours lasts so long. */
const STUCK = 30 * 60_000
/** Milliseconds that an aborted run may take after its deadline before it counts as stuck. */
const STUCK_AFTER_TIMEOUT = 20 * 60_000
/** Milliseconds that the first list of objects that a role reads may take. */
const FIRST_LOOK = 30_000

type SeenOperator = Pick<Operator, 'failing' | 'isStarted' | 'longestRun' | 'reconciliationTimeout' | 'watches'>

/** The health of an operator, for probes. A standby replica is ready when its caches have all that it needs to take over. */
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
      { name: 'event-loop', problem: this.#eventLoop.isStarved ? 'it is blocked most of the time' : undefined },
      { name: 'runs', problem: isStuck ? 'a run does not end' : undefined },
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
