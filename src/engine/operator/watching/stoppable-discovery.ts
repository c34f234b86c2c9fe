import { orAborted } from '../../../core/base/or-aborted.ts'
import type { OpenApiSource } from '../../../core/kube/openapi-source.ts'
import type { ResourceMapper } from '../../../core/kube/resource-mapper.ts'

interface Discovery {
  readonly mapper: ResourceMapper
  readonly openApi: OpenApiSource
}

/** The same discovery, but no caller waits for an answer once `signal` aborts. Shared requests take no signals of their own. */
export function stoppableDiscovery({ mapper, openApi }: Discovery, signal: AbortSignal): Discovery {
  return {
    mapper: {
      mappingFor: (gvk) => orAborted(mapper.mappingFor(gvk), signal),
      preferred: (kind) => orAborted(mapper.preferred(kind), signal),
      served: () => orAborted(Promise.resolve(mapper.served?.()), signal),
      refresh: () => mapper.refresh(),
    },
    openApi: { document: (gvk) => orAborted(openApi.document(gvk), signal) },
  }
}
