import { backgroundClock, type Clock } from '../../core/base/clock.ts'
import { randomHex } from '../../core/base/hash.ts'
import type { Logger } from '../../core/base/logger.ts'
import type { Connection } from '../../core/kube-client/connect.ts'
import { dryRunClient } from '../../engine/operator/dry-run-client.ts'
import { Operator, type OperatorOptions } from '../../engine/operator/operator.ts'
import type { Project } from '../../engine/operator/project.ts'
import type { RunHistory } from '../../engine/operator/run-history.ts'
import { FIELD_MANAGER } from '../../engine/reconcile/ownership/ownership.ts'
import type { RunListener, RunReport } from '../../engine/reconcile/trace/run-trace.ts'
import type { AdminRoute } from '../../engine/runtime/admin-route.ts'
import { LeaderElection } from '../../engine/runtime/leader-election.ts'
import { Metrics } from '../../engine/runtime/metrics.ts'
import type { Runnable } from '../../engine/runtime/runnable.ts'
import { ShardElection, type ShardElectionOptions } from '../../engine/runtime/sharding/shard-election.ts'
import type { ProjectOptions } from '../config/load-project.ts'
import { dashboardRoutes } from '../dashboard/dashboard-routes.ts'
import { sharedHelmRenderer } from '../library/helm-renderer.ts'
import { type AdminSettings, isDashboardGuarded, openAdminServers } from './admin-servers.ts'
import { checkRights } from './check-rights.ts'
import { dashboardPage } from './dashboard-page.ts'
import { explainRoute } from './explain/explain-route.ts'
import { type FollowProjectOptions, followProject } from './follow-project.ts'
import { IdleCollection } from './idle-collection.ts'
import { findOperatorNamespace } from './operator-namespace.ts'
import { programVersion } from './program-version.ts'
import { ReloadReport } from './reload-report.ts'
import { runLog } from './run-log.ts'
import type { RunSettings } from './run-settings.ts'
import type { Terminal } from './terminal.ts'

export interface OperateOptions extends Pick<FollowProjectOptions, 'beforeReload' | 'complain'> {
  readonly connection: Connection
  readonly clock: Clock
  readonly logger: Logger
  readonly terminal: Pick<Terminal, 'color' | 'environment' | 'stopped'>
  /** Where the project lies: its files are followed. */
  readonly files: ProjectOptions
  /** Called after every run. Defaults to the log. */
  readonly onRun?: RunListener | undefined
  /** Makes spans of runs. Defaults to none. */
  readonly spans?: (NonNullable<OperatorOptions['spans']> & { readonly onRun: RunListener }) | undefined
  /** Whether a changed selector may tear down what exists, be it while it runs or before. */
  readonly allowTeardown: boolean
  /** What runs beside it, and shows what it knows. */
  readonly beside?: ((shown: ShownOperator) => Promise<Runnable | undefined>) | undefined
  /** Of an operator on a cluster that is shared with others. Absent: the cluster is ours alone. */
  readonly settings?: ClusterSettings | undefined
}

export type ClusterSettings = AdminSettings &
  Pick<
    RunSettings,
    | 'dryRun'
    | 'gracePeriod'
    | 'reconciliationTimeout'
    | 'cacheCheckPeriod'
    | 'leaderElect'
    | 'leaderElectionId'
    | 'leaderElectionNamespace'
    | 'shards'
    | 'leaseDuration'
    | 'renewDeadline'
    | 'retryPeriod'
  >

/** What an operator lets others see. */
export interface ShownOperator {
  readonly history: RunHistory
  readonly explain: AdminRoute
  /** The routes of the dashboard. @throws UsageError when its page is not built */
  dashboard(): readonly AdminRoute[]
}

/** Runs the operator on a project until the terminal is stopped, and follows the project's files. */
export async function operate(project: Project, options: OperateOptions): Promise<void> {
  const { connection, clock, logger, terminal, onRun, spans, allowTeardown, settings } = options
  const { client, mapper, openApi } = connection
  const namespace = await namespaceFor(options)
  const instance = instanceOf(terminal)
  const election = electionFor(options, { namespace, identity: instance, isReady: () => operator.isWarm })
  const seen = settings ?? NOWHERE
  const metrics = new Metrics({ version: programVersion(), ofProcess: seen.metricsAddress !== 'off' })
  const charts = sharedHelmRenderer()
  const ports = { client, mapper, openApi, clock, logger, metrics, charts, ...ledBy(election), instance }
  const { gracePeriod, reconciliationTimeout, cacheCheckPeriod, dryRun } = settings ?? {}
  const listener = onRun ?? runLog(logger, dryRun ? 'debug' : 'info')
  const collection = new IdleCollection(backgroundClock)
  const observe = (run: RunReport): void => {
    collection.ran()
    spans?.onRun(run)
    listener(run)
  }
  const reporting = dryRun ? dryRunClient(client, logger) : client
  const report = new ReloadReport({ ...ports, client: reporting, namespace, terminal })
  const onTeardownRefused = (reason: string): void => report.teardownRefused(reason)
  const limits = { gracePeriod, reconciliationTimeout, cacheCheckPeriod }
  const given = { project, namespace, onRun: observe, onTeardownRefused, allowTeardown, ...limits, dryRun, spans }
  const operator = new Operator({ ...ports, ...given })
  const explain = explainRoute({
    history: operator.history,
    client,
    leads: (key) => operator.leadsFor(key),
  })
  const { history } = operator
  const dashboard = (): readonly AdminRoute[] =>
    dashboardRoutes({ ...ports, operator, history, version: programVersion(), files: dashboardPage() })
  const common = { settings: seen, operator, routes: [explain], dashboard, isInCluster: isInCluster(terminal) }
  const servers = await openAdminServers({ ...ports, ...common })
  const beside = await options.beside?.({ history, explain, dashboard })
  const endings = [election ?? [], servers, beside ?? []].flat().map(started)
  const check = (checked: Project): void => {
    if (settings) void checkRights(checked, rightsOptions(namespace, options, settings))
  }
  check(project)
  try {
    const following = followProject(project, { ...options, operator, report, afterReload: check })
    await Promise.all([operator.start(terminal.stopped), following])
  } finally {
    // To the last, one can see how it ends; the lease goes when all work is over.
    for (const end of endings.reverse()) await end()
  }
}

/** Where the operator is installed. A dry run is that of the operator at work, wherever it is started: it goes by its ledger. */
async function namespaceFor({ connection, terminal, settings }: OperateOptions): Promise<string> {
  const { client, namespace: ofContext } = connection
  const given = terminal.environment.POD_NAMESPACE || undefined
  if (settings?.dryRun) return findOperatorNamespace(client, { given, ofContext, giveBy: 'the variable POD_NAMESPACE' })
  return given ?? ofContext ?? 'default'
}

const NOWHERE: AdminSettings = { metricsAddress: 'off', metricsSecure: true, probeAddress: 'off', uiAddress: 'off' }

/** Starts what goes on until the function returned is called, which resolves when it has ended. */
function started(runnable: Runnable): () => Promise<void> {
  const ending = new AbortController()
  const running = runnable.start(ending.signal)
  return () => {
    ending.abort()
    return running
  }
}

function isInCluster({ environment }: Pick<Terminal, 'environment'>): boolean {
  return environment.KUBERNETES_SERVICE_HOST !== undefined
}

/** A name that only this process has. The lease and events show it, so that people find the pod of the process. */
function instanceOf({ environment }: Pick<Terminal, 'environment'>): string {
  return `${environment.POD_NAME ?? environment.HOSTNAME ?? 'rolebook'}_${randomHex(8)}`
}

type Election = LeaderElection | ShardElection

function ledBy(election: Election | undefined): Pick<OperatorOptions, 'leadership' | 'shards'> {
  return election instanceof ShardElection ? { shards: election.shards } : { leadership: election }
}

function electionFor(
  { connection, clock, logger, settings }: OperateOptions,
  { namespace, ...given }: Pick<ShardElectionOptions, 'identity' | 'isReady'> & { readonly namespace: string },
): Election | undefined {
  if (!settings || settings.dryRun) return undefined
  if (!settings.leaderElect) {
    logger.warn('leader election is off: nothing keeps a second process of this installation from working, too')
    return undefined
  }
  const common = {
    ...settings,
    ...{ client: connection.client, clock, logger, fieldManager: FIELD_MANAGER },
    lease: leaseOf(namespace, settings),
    ...given,
  }
  const { shards: count } = settings
  return count > 1 ? new ShardElection({ ...common, count }) : new LeaderElection(common)
}

function leaseOf(namespace: string, { leaderElectionId, leaderElectionNamespace = namespace }: ClusterSettings) {
  return { namespace: leaderElectionNamespace, name: leaderElectionId }
}

function rightsOptions(namespace: string, options: OperateOptions, settings: ClusterSettings) {
  const { connection, clock, logger, terminal } = options
  const lease = leaseOf(namespace, settings)
  const leaderElection = settings.leaderElect
    ? { id: lease.name, namespace: lease.namespace, shards: settings.shards }
    : undefined
  const { metricsAddress, metricsSecure, uiAddress } = settings
  const isGuarded = uiAddress !== 'off' && isDashboardGuarded(uiAddress, { isInCluster: isInCluster(terminal) })
  const checksReaders = isGuarded || (metricsAddress !== 'off' && metricsSecure)
  const { client, mapper } = connection
  const installation = { namespace, leaderElection, checksReaders }
  return { client, mapper, clock, logger, signal: terminal.stopped, installation }
}
