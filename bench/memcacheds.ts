import type { KubeClient } from '../src/core/kube/client.ts'
import type { Gvk } from '../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../src/core/kube/object.ts'
import { inParallel } from './in-parallel.ts'

export const MEMCACHED = { group: 'cache.example.com', version: 'v1', kind: 'Memcached' }
export const DEPLOYMENT = { group: 'apps', version: 'v1', kind: 'Deployment' }
export const POD = { group: '', version: 'v1', kind: 'Pod' }
export const NAMESPACE = 'bench'
/** Requests in flight, as many as the operator's workers. */
export const WORKERS = 16

export async function createMemcacheds(client: KubeClient, count: number): Promise<void> {
  const manager = { fieldManager: 'bench' }
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }, manager)
  const createOne = async (index: number): Promise<void> => {
    const metadata = { name: `cache-${index}`, namespace: NAMESPACE }
    await client.create({ apiVersion: 'cache.example.com/v1', kind: 'Memcached', metadata, spec: { size: 1 } }, manager)
  }
  await inParallel(count, createOne, WORKERS)
}

/** Watches as any observer would, until `isDone` of so many objects of a kind. */
export async function untilAll(
  client: KubeClient,
  gvk: Gvk,
  count: number,
  isDone: (object: KubeObject) => boolean,
): Promise<void> {
  const done = new Set<string>()
  for await (const event of client.watch(gvk, { namespace: NAMESPACE, resourceVersion: '0' })) {
    if (event.type === 'ERROR') throw new Error(JSON.stringify(event.status))
    if (event.type !== 'BOOKMARK' && isDone(event.object)) done.add(event.object.metadata.name ?? '')
    if (done.size === count) return
  }
}
