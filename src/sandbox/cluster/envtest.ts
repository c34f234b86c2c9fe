import type { ApiServerOptions } from '../apiserver/api-server.ts'
import { parseServiceRange } from '../apiserver/kinds/service/service-range.ts'

/**
 * What the kube-apiserver is that controller-runtime's envtest starts: a server without a cluster around it. No controller
 * collects garbage, ends namespaces or fills them, and pods need no ServiceAccount.
 */
export const ENVTEST = {
  controllers: false,
  workloads: false,
  serviceRange: parseServiceRange('10.0.0.0/24'),
  disabledAdmission: ['ServiceAccount'],
} as const satisfies Partial<ApiServerOptions>
