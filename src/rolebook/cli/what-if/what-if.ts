import { systemClock } from '../../../core/base/clock.ts'
import type { Logger } from '../../../core/base/logger.ts'
import { isNotFound } from '../../../core/kube/api-error.ts'
import { cutting } from '../../../core/kube/client-decorators.ts'
import { formatGroupKind, type GroupKind, parseGroupKind } from '../../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { idOf } from '../../../core/kube/object-id.ts'
import type { Connection } from '../../../core/kube-client/connect.ts'
import type { Project } from '../../../engine/operator/project.ts'
import { reachOfSources, sourcesByKind, type WatchSource } from '../../../engine/operator/watching/watched-informers.ts'
import { newRoleReconciler } from '../../../engine/reconcile/new-role-reconciler.ts'
import { foreseeingAdoption } from '../../../engine/reconcile/ownership/adoption.ts'
import { LEDGER_NAME, Ledger } from '../../../engine/reconcile/ownership/ledger.ts'
import type { RoleReconciler } from '../../../engine/reconcile/role-reconciler.ts'
import type { RunReport, RunTrace } from '../../../engine/reconcile/trace/run-trace.ts'
import { inOrderOfPlaces } from '../../../engine/role/run/run-context.ts'
import type { TracedTaskSource } from '../../../engine/role/run/task-tracer.ts'
import { AllSecrets } from '../../../engine/role/secrecy/run-secrecy.ts'
import { Secrecy } from '../../../engine/role/secrecy/secrecy.ts'
import { type Request, requestKey } from '../../../engine/runtime/reconciler.ts'
import { sharedHelmRenderer } from '../../library/helm-renderer.ts'
import { WhatIfCaches, WhatIfResources } from './what-if-caches.ts'
import { WhatIfClient } from './what-if-client.ts'
import type { WhatIf } from './what-if-objects.ts'

export interface WhatIfOptions {
  readonly connection: Pick<Connection, 'client' | 'mapper' | 'openApi'>
  readonly logger: Logger
  /** Where the operator is installed. */
  readonly operatorNamespace: string
  /** Which resources are meant. Defaults to all that have a role. */
  readonly only?: ResourceChoice | undefined
  readonly signal: AbortSignal
}

export interface ResourceChoice {
  readonly kind?: GroupKind | undefined
  readonly namespace?: string | undefined
  readonly name?: string | undefined
}

/** What a role would do for one resource. */
export interface WhatIfResource {
  readonly request: Request
  /** Of its last run that was not skipped. */
  readonly report: RunReport | undefined
  /** Of its runs that were not skipped, in their order. */
  readonly traces: readonly RunTrace[]
  /** What its runs would write, in the order of the tasks. The resource itself may be among it. */
  readonly objects: readonly WhatIfObject[]
}

export interface WhatIfObject extends WhatIf {
  /** The task that writes it. Absent: the engine does. */
  readonly task: TracedTaskSource | undefined
  /** Where the task stands in the role. */
  readonly place?: string | undefined
}

export interface WhatIfResult {
  readonly resources: readonly WhatIfResource[]
  /** What must not be shown. */
  readonly secrecy: Secrecy
  /** Whether the last pass over all resources changed nothing. */
  readonly settled: boolean
}

/** Passes after which roles that keep changing something are given up. */
const MOST_PASSES = 10

/**
 * Runs the roles of a project for what is in a cluster, and changes nothing there: the same reconciler as ever, on a client
 * whose writes are dry runs. Resources take turns, in passes, until one pass changes nothing.
 */
export async function whatIf(project: Project, options: WhatIfOptions): Promise<WhatIfResult> {
  const { only, signal, connection } = options
  const client = new WhatIfClient(foreseeingAdoption(cutting(connection.client)))
  const findings = new Findings()
  const sources = [...sourcesByKind(project, undefined)].filter(
    ([kind]) => only?.kind === undefined || formatGroupKind(only.kind) === kind,
  )
  const ledger = new Ledger(client, options.operatorNamespace)
  const secrets = new AllSecrets()
  const turns: Turn[] = []
  for (const [kind, ofKind] of sources) {
    turns.push(...(await turnsOf(parseGroupKind(kind), ofKind, { ...options, client, ledger, findings, secrets })))
  }
  let settled = turns.length === 0
  for (let pass = 0; pass < MOST_PASSES && !settled; pass++) {
    const before = client.objects.version
    for (const { request, reconciler } of turns) {
      signal.throwIfAborted()
      client.objects.writer = requestKey(request)
      // A signal of its own: requests are counted by it.
      await reconciler.reconcile(request, AbortSignal.any([signal]))
    }
    settled = client.objects.version === before
  }
  const resources = turns.map(({ request }) => findings.of(request, client))
  return { resources, secrecy: secrecyOf(client, secrets), settled }
}

interface Turn {
  readonly request: Request
  readonly reconciler: RoleReconciler
}

interface TurnTools extends WhatIfOptions {
  readonly client: WhatIfClient
  readonly ledger: Ledger
  readonly findings: Findings
  readonly secrets: AllSecrets
}

const NO_SUBSCRIPTIONS = { add: (): void => undefined, keep: (): void => undefined }

async function turnsOf(
  { group, kind }: GroupKind,
  given: readonly WatchSource[],
  { connection, logger, only, client, ledger, findings, secrets }: TurnTools,
): Promise<readonly Turn[]> {
  const { mapper, openApi } = connection
  const sources = await placedSources(given, connection)
  const resources = new WhatIfResources(client, sources)
  const reconciler = newRoleReconciler({
    ...{ client, mapper, openApi, resources, ledger, logger },
    caches: new WhatIfCaches({ client, mapper, namespaces: reachOfSources(sources) }),
    subscriptions: NO_SUBSCRIPTIONS,
    clock: systemClock,
    secrecy: secrets,
    charts: sharedHelmRenderer(),
    onRun: (report) => findings.ran(report),
    onWritten: (written, task, place) => {
      findings.wrote(written.after, task, place)
      secrets.onWritten(written, task)
    },
  })
  const meant = (await resources.all()).filter(({ metadata: { name, namespace } }) => {
    if (only?.namespace !== undefined && namespace !== undefined && namespace !== only.namespace) return false
    return only?.name === undefined || name === only.name
  })
  return meant.map((one) => ({ request: { group, kind, ...keyOf(one) }, reconciler }))
}

/** Entries of kinds that the cluster serves. What is cluster-scoped is in no namespace, so none that is given confines it. */
async function placedSources(
  sources: readonly WatchSource[],
  { mapper }: Pick<Connection, 'mapper'>,
): Promise<readonly WatchSource[]> {
  const placed: WatchSource[] = []
  for (const source of sources) {
    try {
      const { namespaced } = await mapper.mappingFor(source.entry.gvk)
      placed.push(namespaced ? source : { ...source, namespaces: undefined })
    } catch (error) {
      // Of a kind that is not served yet there are no resources.
      if (!isNotFound(error)) throw error
    }
  }
  return placed
}

/** What runs say of themselves. */
class Findings {
  readonly #reports = new Map<string, RunReport[]>()
  readonly #tasks = new Map<string, { readonly task: TracedTaskSource; readonly place: string }>()

  ran(report: RunReport): void {
    if (!report.trace) return
    const key = requestKey(report.request)
    this.#reports.set(key, [...(this.#reports.get(key) ?? []), report])
  }

  wrote(object: KubeObject, task: TracedTaskSource | undefined, place: string): void {
    if (task) this.#tasks.set(idOf(object), { task, place })
  }

  of(request: Request, { objects }: WhatIfClient): WhatIfResource {
    const key = requestKey(request)
    const written = [...objects.all()].filter(({ by, base, now }) => {
      return by === key && (now ?? base)?.metadata.name !== LEDGER_NAME
    })
    const withTask = (one: WhatIf): WhatIfObject => {
      const object = one.now ?? one.base
      return { ...one, task: undefined, ...(object && this.#tasks.get(idOf(object))) }
    }
    const reports = this.#reports.get(key) ?? []
    const traces = reports.map(({ trace }) => trace as RunTrace)
    return { request, report: reports.at(-1), traces, objects: inOrderOfPlaces(written.map(withTask)) }
  }
}

/** Of all Secrets that were looked at, as they are and as they would be, and of what runs have made of them. */
function secrecyOf({ objects }: WhatIfClient, { texts, roleNames }: AllSecrets): Secrecy {
  const secrecy = new Secrecy(texts)
  for (const { base, now } of objects.all()) for (const one of [base, now]) if (one) secrecy.hideSecret(one)
  for (const name of roleNames) secrecy.show(name)
  return secrecy
}
