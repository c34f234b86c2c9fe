import type { JsonObject } from '../../src/core/base/json.ts'
import type { ClientServer } from './client-server.ts'

/**
 * Waits until every Deployment of a namespace is rolled out, its Pods are there and no others, and the Services have
 * just their addresses. Clients wait for less.
 */
export async function settleWorkloads(server: ClientServer, namespace: string): Promise<void> {
  const deployments = await listUntil(server, `/apis/apps/v1/namespaces/${namespace}/deployments`, (items) =>
    items.every(isRolledOut),
  )
  const wanted = deployments.reduce((sum, { spec }) => sum + Number((spec as JsonObject).replicas), 0)
  const replicated = await listUntil(server, `/api/v1/namespaces/${namespace}/pods`, (items) => {
    return items.filter(isReplicated).length === wanted
  })
  const pods = uidsOf(replicated.filter(isReplicated))
  await listUntil(server, `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`, (items) => {
    const endpoints = (items as unknown as readonly Slice[]).flatMap((slice) => slice.endpoints ?? [])
    const targets = endpoints.map(({ targetRef }) => targetRef?.uid).sort()
    return targets.join() === pods && endpoints.every(({ conditions }) => conditions.ready)
  })
}

/** Waits until what is to be deleted has gone. `paths` are those of collections, without the namespace. */
export async function settleDeletions(
  server: ClientServer,
  namespace: string,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) {
    const at = path.lastIndexOf('/')
    await listUntil(server, `${path.slice(0, at)}/namespaces/${namespace}${path.slice(at)}`, (items) =>
      items.every(({ metadata }) => (metadata as JsonObject).deletionTimestamp === undefined),
    )
  }
}

interface Slice {
  readonly endpoints?:
    | readonly { readonly conditions: { readonly ready?: boolean }; readonly targetRef?: { readonly uid: string } }[]
    | null
}

async function listUntil(
  server: ClientServer,
  path: string,
  holds: (items: readonly JsonObject[]) => boolean,
): Promise<readonly JsonObject[]> {
  const { body } = await server.until('the end of what is under way', path, ({ body: { items } }) =>
    holds(items as JsonObject[]),
  )
  return body.items as JsonObject[]
}

function isRolledOut({ metadata, spec, status }: JsonObject): boolean {
  const { replicas } = spec as JsonObject
  const shown = { ...(status as JsonObject) }
  const counts = ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas']
  const isComplete = JSON.stringify(shown.conditions ?? '').includes('NewReplicaSetAvailable')
  const isSeen = shown.observedGeneration === (metadata as JsonObject).generation
  const isStill = (shown.terminatingReplicas ?? 0) === 0
  return isSeen && isComplete && isStill && counts.every((count) => (shown[count] ?? 0) === replicas)
}

/** Not the Pod of a Job. */
function isReplicated({ metadata }: JsonObject): boolean {
  return JSON.stringify((metadata as JsonObject).ownerReferences ?? '').includes('"ReplicaSet"')
}

function uidsOf(objects: readonly JsonObject[]): string {
  return objects
    .map(({ metadata }) => (metadata as JsonObject).uid)
    .sort()
    .join()
}
