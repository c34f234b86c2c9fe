import type { KubeClient } from '../../../core/kube/client.ts'
import type { ResourceMapper } from '../../../core/kube/resource-mapper.ts'
import type { RunHistory } from '../../../engine/operator/run-history.ts'
import type { Request } from '../../../engine/runtime/reconciler.ts'
import { printDetails } from './resource-details.ts'

export interface DetailsPorts {
  readonly client: Pick<KubeClient, 'get' | 'list'>
  readonly mapper: Pick<ResourceMapper, 'preferred'>
  /** What the operator did. Absent: none runs yet. */
  readonly history: Pick<RunHistory, 'of'> | undefined
  readonly color: boolean
}

const EVENT = { group: '', version: 'v1', kind: 'Event' }

/** What the server and the operator know of a resource, for people. */
export async function loadDetails(request: Request, ports: DetailsPorts): Promise<readonly string[]> {
  const { client, mapper, history, color } = ports
  const gvk = await mapper.preferred(request)
  const resource = gvk && (await client.get(gvk, request))
  if (!resource) return ['The resource is gone.']
  const fieldSelector = `involvedObject.uid=${resource.metadata.uid}`
  // Events of resources without a namespace are in `default` or elsewhere, so the uid selects them.
  const { items } = await client.list(EVENT, {
    fieldSelector,
    ...(request.namespace && { namespace: request.namespace }),
  })
  return printDetails({ resource, events: items, history: history?.of(request) ?? { runs: [], skipped: 0 } }, color)
}
