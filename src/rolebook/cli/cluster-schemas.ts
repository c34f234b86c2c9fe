import { systemClock } from '../../core/base/clock.ts'
import type { JsonObject } from '../../core/base/json.ts'
import { nopLogger } from '../../core/base/logger.ts'
import { type Connection, type ConnectOptions, connect } from '../../core/kube-client/connect.ts'
import { ServedSchemas } from '../../core/schema/served-schemas.ts'
import { loadBuiltinSchemas } from '../../sandbox/cluster/load-builtin-schemas.ts'
import { userAgent } from './program-version.ts'

export interface ClusterSchemas {
  readonly crds: readonly JsonObject[]
  readonly served: ServedSchemas
}

/** What a cluster says of the kinds that it serves: its CRDs, and its OpenAPI documents of built-in kinds. */
export async function clusterSchemas(
  options: Pick<ConnectOptions, 'kubeconfig' | 'context' | 'server'>,
): Promise<ClusterSchemas> {
  const connection = await connect({ ...options, clock: systemClock, logger: nopLogger, userAgent: userAgent('check') })
  try {
    const [crds, documents] = await Promise.all([listCrds(connection), readDocuments(connection)])
    return { crds, served: new ServedSchemas(documents) }
  } finally {
    await connection.close()
  }
}

const CRD = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
const PAGE = 100

async function listCrds({ client }: Connection): Promise<readonly JsonObject[]> {
  const found: object[] = []
  let next: string | undefined
  do {
    const page = await client.list(CRD, { limit: PAGE, continue: next })
    found.push(...page.items)
    next = page.continue
  } while (next !== undefined)
  return found as JsonObject[]
}

async function readDocuments({ openApi }: Connection): Promise<readonly JsonObject[]> {
  const documents = await Promise.all(
    loadBuiltinSchemas()
      .groupVersions()
      .map((groupVersion) => openApi.document(parseGroupVersion(groupVersion))),
  )
  return documents.filter((document) => document !== undefined)
}

function parseGroupVersion(groupVersion: string): { readonly group: string; readonly version: string } {
  const [group = '', version] = groupVersion.split('/')
  return version === undefined ? { group: '', version: group } : { group, version }
}
