import type { Metrics } from '../../engine/runtime/metrics.ts'
import type { Overview } from '../ui/model.ts'
import type { SeenOperator } from './seen-operator.ts'

export interface OverviewSources {
  readonly operator: Omit<SeenOperator, 'resources' | 'objectsOf'>
  readonly metrics: Pick<Metrics, 'durations'>
  readonly version: string
  readonly instance: string
}

/** The operator as a whole, from what its metrics show. */
export async function overviewOf({ operator, metrics, version, instance }: OverviewSources): Promise<Overview> {
  const [wait, runs] = await Promise.all([
    metrics.durations('rolebook_queue_wait_seconds'),
    metrics.durations('rolebook_reconcile_duration_seconds'),
  ])
  const watches = [...operator.watches()]
  return {
    ...{ version, instance, leads: operator.leads },
    shards: [...operator.shards()],
    kinds: [...operator.queues()].map(({ kind, depth }) => ({ kind, depth })),
    ...(wait && { wait }),
    ...(runs && { runs }),
    hung: operator.hungRuns(),
    blind: [...new Set(watches.filter(({ live, isNeeded }) => isNeeded && !live).map(({ kind }) => kind))],
    failing: operator.failing,
  }
}
