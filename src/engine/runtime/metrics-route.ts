import type { AdminRoute } from './admin-route.ts'
import type { Metrics } from './metrics.ts'

/** `/metrics`, in the form that the reader asks for. */
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
