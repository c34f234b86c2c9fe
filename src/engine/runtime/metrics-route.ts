import type { AdminRoute } from './admin-route.ts'
import type { Metrics } from './metrics.ts'

/** Serves `/metrics` in the format that the client accepts. */
export function metricsRoute(metrics: Pick<Metrics, 'expose'>, access: AdminRoute['access']): AdminRoute {
  return {
    path: '/metrics',
    access,
    async handle(request) {
      const { contentType, text } = await metrics.expose(request.header('accept'))
      return { status: 200, contentType, body: text }
    },
  }
}
