import type { Clock } from '../../core/base/clock.ts'
import type { Logger } from '../../core/base/logger.ts'
import type { KubeClient } from '../../core/kube/client.ts'
import type { Operator } from '../../engine/operator/operator.ts'
import type { AdminRoute } from '../../engine/runtime/admin-route.ts'
import { AdminServer, type AdminServerOptions } from '../../engine/runtime/admin-server.ts'
import { DelegatedAccess } from '../../engine/runtime/delegated-access.ts'
import { EventLoopWatch } from '../../engine/runtime/event-loop-watch.ts'
import { healthRoutes } from '../../engine/runtime/health-routes.ts'
import { isLoopback, type ListenAddress } from '../../engine/runtime/listen-address.ts'
import type { Metrics } from '../../engine/runtime/metrics.ts'
import { metricsRoute } from '../../engine/runtime/metrics-route.ts'
import type { Runnable } from '../../engine/runtime/runnable.ts'
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
}

export interface AdminParts {
  readonly settings: AdminSettings
  readonly operator: Operator
  readonly metrics: Metrics
  /** What else is shown to clients that may see it, beside the metrics. */
  readonly routes?: readonly AdminRoute[] | undefined
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
  const { metricsCertDir } = settings
  const tls = metricsCertDir === undefined ? ownCertificate(() => clock.now()) : certificateIn(metricsCertDir)
  const access = new DelegatedAccess({ client, clock })
  return {
    ...common,
    tls,
    authorize: (request) => access.authorize(request),
    routes: [metricsRoute(metrics, 'authorized'), ...routes],
  }
}
