import type { Clock } from '../../core/base/clock.ts'
import type { Logger } from '../../core/base/logger.ts'
import type { KubeClient } from '../../core/kube/client.ts'
import type { Operator } from '../../engine/operator/operator.ts'
import type { AdminRoute } from '../../engine/runtime/admin-route.ts'
import { AdminServer, type AdminServerOptions, type CertificateSource } from '../../engine/runtime/admin-server.ts'
import { DelegatedAccess } from '../../engine/runtime/delegated-access.ts'
import { EventLoopWatch } from '../../engine/runtime/event-loop-watch.ts'
import { healthRoutes } from '../../engine/runtime/health-routes.ts'
import { isLoopback, type ListenAddress } from '../../engine/runtime/listen-address.ts'
import type { Metrics } from '../../engine/runtime/metrics.ts'
import { metricsRoute } from '../../engine/runtime/metrics-route.ts'
import type { Runnable } from '../../engine/runtime/runnable.ts'
import { DASHBOARD_PATH } from '../dashboard/dashboard-routes.ts'
import { certificateIn, ownCertificate } from './certificates.ts'
import { OperatorHealth } from './operator-health.ts'

/** Where an operator is to be seen. */
export interface AdminSettings {
  readonly metricsAddress: ListenAddress | 'off'
  /** TLS, and the API server decides who may read. */
  readonly metricsSecure: boolean
  /** Absent: a certificate made at the start. */
  readonly metricsCertDir?: string | undefined
  readonly probeAddress: ListenAddress | 'off'
  readonly uiAddress: ListenAddress | 'off'
}

export interface AdminParts {
  readonly settings: AdminSettings
  readonly operator: Operator
  readonly metrics: Metrics
  /** What else is shown to clients that may see it, beside the metrics. */
  readonly routes?: readonly AdminRoute[] | undefined
  /** The routes of the dashboard. */
  dashboard(): readonly AdminRoute[]
  /** Whether the process runs in a cluster: there, others may reach its loopback addresses. */
  readonly isInCluster: boolean
  /** Asks for reviews of access: not guarded by leadership, nor a dry run. */
  readonly client: KubeClient
  readonly clock: Clock
  readonly logger: Logger
}

/** The servers for probes and metrics, as far as they are wanted, already listening. @throws UsageError, CodedError `CannotListen` */
export async function openAdminServers(parts: AdminParts): Promise<readonly Runnable[]> {
  const { settings, operator, clock, logger } = parts
  const eventLoop = new EventLoopWatch(clock)
  const found = [
    addressed(settings.probeAddress, (address) => {
      const routes = healthRoutes(new OperatorHealth(operator, eventLoop))
      return { name: 'probes', address, routes, clock, logger }
    }),
    addressed(settings.metricsAddress, (address) => metricsServer(address, parts)),
    addressed(settings.uiAddress, (address) => dashboardServer(address, parts)),
  ]
  const servers = found.filter((one) => one !== undefined).map((one) => new AdminServer(one))
  try {
    for (const server of servers) {
      await server.listen()
      logger.info('a server listens', { server: server.name, url: server.url })
    }
  } catch (error) {
    for (const server of servers) await server.close()
    throw error
  }
  return [eventLoop, ...servers]
}

function addressed(
  address: ListenAddress | 'off',
  optionsFor: (address: ListenAddress) => AdminServerOptions,
): AdminServerOptions | undefined {
  return address === 'off' ? undefined : optionsFor(address)
}

function metricsServer(address: ListenAddress, parts: AdminParts): AdminServerOptions {
  const { settings, metrics, routes = [], client, clock, logger } = parts
  const common = { name: 'metrics', address, clock, logger }
  if (!settings.metricsSecure) {
    if (!isLoopback(address.host))
      logger.warn('metrics are served without authentication', { flag: '--metrics-secure=false' })
    return { ...common, routes: [metricsRoute(metrics, 'public'), ...routes] }
  }
  const access = new DelegatedAccess({ client, clock })
  return {
    ...common,
    tls: certificateOf(parts),
    authorize: (request) => access.authorize(request),
    routes: [metricsRoute(metrics, 'authorized'), ...routes],
  }
}

/** Whether the API server decides who may read the dashboard. On the machine of its author, all who work there may. */
export function isDashboardGuarded(address: ListenAddress, { isInCluster }: Pick<AdminParts, 'isInCluster'>): boolean {
  return isInCluster || !isLoopback(address.host)
}

function dashboardServer(address: ListenAddress, parts: AdminParts): AdminServerOptions {
  const { client, clock, logger } = parts
  const common = { name: 'dashboard', address, routes: parts.dashboard(), clock, logger }
  if (!isDashboardGuarded(address, parts)) return common
  const access = new DelegatedAccess({ client, clock })
  // One right for all that is below: names of resources are none of the paths that rights are granted for.
  const authorize: AdminServerOptions['authorize'] = (request) =>
    access.authorize({ path: DASHBOARD_PATH, header: (name) => request.header(name) })
  return { ...common, tls: certificateOf(parts), authorize }
}

function certificateOf({
  settings: { metricsCertDir },
  clock,
}: Pick<AdminParts, 'settings' | 'clock'>): CertificateSource {
  return metricsCertDir === undefined ? ownCertificate(() => clock.now()) : certificateIn(metricsCertDir)
}
