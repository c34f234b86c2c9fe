import type { Clock } from '../../core/base/clock.ts'
import { isJsonArray, type JsonObject } from '../../core/base/json.ts'
import { nopLogger } from '../../core/base/logger.ts'
import type { ChartRenderer } from '../../core/kube/helm-chart.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import type { WatchedRole } from '../../engine/operator/project.ts'
import { NamespaceRules } from '../../engine/reconcile/ownership/ownership.ts'
import type { ChartPort, StatusPort, WaitPort } from '../../engine/role/run/run-context.ts'
import { runRole } from '../../engine/role/run/run-role.ts'
import type { TaskTracer, TracedPlace, TracedTaskSource } from '../../engine/role/run/task-tracer.ts'
import type { FailedOutcome, RunOutcome, TaskOutcome } from '../../engine/role/task-outcome.ts'
import { TrialObjects, type TrialWorld } from './trial-objects.ts'

/** A task that has failed, where it stands in the run. */
export interface TrialFailure {
  readonly place: string
  readonly outcome: FailedOutcome
}

/** What one run of a role came to. */
export interface Trial extends Pick<TrialWorld, 'attempts' | 'twice'> {
  readonly outcome: RunOutcome
  readonly failures: readonly TrialFailure[]
  /** What `status` tasks have set. */
  readonly status: JsonObject
}

export interface TrialOptions {
  readonly server: TrialWorld['server']
  readonly clock: Clock
  readonly others: readonly KubeObject[]
  readonly hasOthers: boolean
  /** Defaults to `tasks`. */
  readonly list?: 'tasks' | 'finalize' | undefined
  /** Absent: tasks that render charts are left out. */
  readonly charts?: ChartRenderer | undefined
}

/** Runs a role once for a resource. Nothing but the server of the trial is asked, and nothing is waited for. */
export async function tryRole(
  { watch, role }: WatchedRole,
  resource: KubeObject,
  { server, clock, others, hasOthers, list, charts }: TrialOptions,
): Promise<Trial> {
  const rules = new NamespaceRules(resource.metadata.namespace ?? '', watch.allowedNamespaces)
  const world: TrialWorld = { server, rules, others, hasOthers, attempts: [], made: new Map(), twice: [] }
  const failures: TrialFailure[] = []
  const objects = new TrialObjects(world)
  const status = new TrialStatus()
  const tracer = new FailureTracer('', failures)
  const outcome = await runRole(
    role,
    {
      ...{ resource, objects, status, tracer, clock, logger: nopLogger },
      ...{ events: { record: () => undefined }, waits: NEVER_OVER, signal: new AbortController().signal },
      charts: chartPort(charts ?? WITHOUT_CHARTS, { objects, server }),
    },
    list,
  )
  return { outcome, failures, status: status.fields, attempts: world.attempts, twice: world.twice }
}

const NEVER_OVER: WaitPort = { left: (_place, timeout) => timeout, over: () => undefined }

/** Why a task ends that a trial leaves out. */
export class NotTried extends Error {}

const leftOut = (): Promise<never> => Promise.reject(new NotTried('charts are not rendered in a trial'))
const WITHOUT_CHARTS: ChartRenderer = { loadChart: leftOut, render: leftOut }

function chartPort(
  charts: ChartRenderer,
  { objects, server }: { readonly objects: TrialObjects; readonly server: TrialWorld['server'] },
): ChartPort {
  return {
    loadChart: (source) => charts.loadChart(source),
    render: (request) => charts.render(request),
    served: async () => server.capabilities,
    child: (target) => objects.get(target),
    keep: async () => undefined,
    remove: async () => undefined,
    isFinal: false,
  }
}

class TrialStatus implements StatusPort {
  fields: JsonObject = {}

  set(fields: JsonObject): void {
    const { conditions } = this.fields
    const both =
      isJsonArray(conditions) && isJsonArray(fields.conditions) ? [...conditions, ...fields.conditions] : undefined
    this.fields = { ...this.fields, ...fields, ...(both && { conditions: both }) }
  }
}

/** Remembers the innermost tasks that fail. */
class FailureTracer implements TaskTracer {
  readonly #place: string
  readonly #failures: TrialFailure[]

  constructor(place: string, failures: TrialFailure[]) {
    this.#place = place
    this.#failures = failures
  }

  begin(_task: TracedTaskSource, { place, item }: TracedPlace): TaskTracer {
    // The tracer of an item begins within that of its task.
    const around = item === undefined ? `${this.#place}/${place}` : `${this.#place} [${item}]`
    return new FailureTracer(around, this.#failures)
  }

  end(outcome: TaskOutcome): void {
    if (outcome.kind !== 'failed' || outcome.task !== undefined) return
    if (this.#failures.some(({ outcome: { error } }) => error === outcome.error)) return
    this.#failures.push({ place: this.#place, outcome })
  }

  answered(): void {
    // Whether conditions hold is of no interest here.
  }
}
