import { conditionsOf, findCondition } from '../../../core/kube/condition.ts'
import { toFailedOutcome } from '../../role/to-failed-outcome.ts'
import type { ReconcileContext } from '../run/role-run.ts'
import type { WatchedResources } from '../watch-entry.ts'
import type { EngineConditions } from './engine-conditions.ts'
import type { EngineEvents } from './engine-events.ts'
import type { StatusReport } from './status-report.ts'

export interface StatusContent extends Pick<Parameters<StatusReport['write']>[0], 'fields' | 'complete'> {
  readonly conditions: EngineConditions
  /** Whether the status is about the present generation of the resource. */
  readonly isRun: boolean
}

/** Writes the status of a resource, and its conditions unless the watch entry leaves them to the role (`manageStatus: false`). */
export class StatusWriter {
  readonly #resources: Pick<WatchedResources, 'latest'>
  readonly #report: StatusReport
  readonly #events: EngineEvents

  constructor(resources: Pick<WatchedResources, 'latest'>, report: StatusReport, events: EngineEvents) {
    this.#resources = resources
    this.#report = report
    this.#events = events
  }

  write(
    { request, entry, owner, memory, signal }: ReconcileContext,
    { conditions, fields, complete, isRun }: StatusContent,
  ): Promise<boolean> {
    const resource = this.#resources.latest(request, owner.uid) ?? owner.resource
    this.#events.recordConditions(conditions, memory.reportedReady, { owner: { ...owner, resource }, signal })
    memory.reportedReady = conditions.Ready
    const isManaged = entry.manageStatus
    return this.#report.write({
      gvk: entry.gvk,
      resource,
      memory,
      entryHash: entry.hash,
      fields,
      conditions: isManaged ? conditions : undefined,
      observedGeneration: isManaged && isRun ? owner.resource.metadata.generation : undefined,
      complete,
      signal,
    })
  }

  /** Whether clients see `Ready=True` of the engine. */
  saysReady({ request, entry, owner, memory }: ReconcileContext): boolean {
    if (!entry.manageStatus || memory.isStatusUnsure) return false
    const resource = this.#resources.latest(request, owner.uid) ?? owner.resource
    return findCondition(conditionsOf(resource), 'Ready')?.status === 'True'
  }

  /** Writes conditions while no role runs. A status that is forbidden is ignored. */
  async writeConditions(context: ReconcileContext, conditions: EngineConditions): Promise<boolean> {
    const { memory } = context
    try {
      const wrote = await this.write(context, { conditions, fields: {}, complete: false, isRun: false })
      memory.statusRefusals = 0
      return wrote
    } catch (error) {
      if (toFailedOutcome(error).reason !== 'Forbidden') throw error
      memory.statusRefusals++
      return false
    }
  }
}
