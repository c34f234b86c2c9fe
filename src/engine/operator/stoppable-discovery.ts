import { orAborted } from '../../core/base/or-aborted.ts'
import type { OpenApiSource } from '../../core/kube/openapi-source.ts'
import type { ResourceMapper } from '../../core/kube/resource-mapper.ts'

interface Discovery {
  readonly mapper: ResourceMapper
  readonly openApi: OpenApiSource
}

/** The same, but nobody waits for an answer any longer once `signal` aborts: what is asked for all takes no signals. */
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
