import { formatGroupKind, gvkOf } from '../../../core/kube/group-version-kind.ts'
import { keyOf } from '../../../core/kube/object.ts'
import type { Project } from '../../../engine/operator/project.ts'
import { reachOfSources, sourcesByKind } from '../../../engine/operator/watching/watched-informers.ts'
import type { Loss } from '../../../engine/operator/without-role/resources-without-role.ts'
import { findLostRoles } from '../../../engine/operator/without-role/unselected-search.ts'
import { Ledger } from '../../../engine/reconcile/ownership/ledger.ts'
import type { WhatIfOptions } from './what-if.ts'
import { WhatIfCaches } from './what-if-caches.ts'
import { WhatIfClient } from './what-if-client.ts'

/** The resources that an operator looked after and that a project would leave without a role. */
export async function lostRoles(project: Project, options: WhatIfOptions): Promise<readonly Loss[]> {
  const { connection, operatorNamespace, only, signal } = options
  const client = new WhatIfClient(connection.client)
  const { mapper } = connection
  const losses = await findLostRoles(sourcesByKind(project, undefined), {
    client,
    mapper,
    ledger: new Ledger(client, operatorNamespace),
    cachesFor: (sources) => new WhatIfCaches({ client, mapper, namespaces: reachOfSources(sources) }),
    signal,
  })
  return losses.filter(({ resource }) => {
    const { namespace, name } = keyOf(resource)
    if (only?.kind !== undefined && formatGroupKind(gvkOf(resource)) !== formatGroupKind(only.kind)) return false
    if (only?.namespace !== undefined && namespace !== '' && namespace !== only.namespace) return false
    return only?.name === undefined || name === only.name
  })
}
