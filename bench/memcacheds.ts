import type { KubeClient } from '../src/core/kube/client.ts'
import type { Gvk } from '../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../src/core/kube/object.ts'

export const MEMCACHED = { group: 'cache.example.com', version: 'v1', kind: 'Memcached' }
export const DEPLOYMENT = { group: 'apps', version: 'v1', kind: 'Deployment' }
export const NAMESPACE = 'bench'
/** Requests in flight, as many as the operator's workers. */
export const WORKERS = 16

export async function createMemcacheds(client: KubeClient, count: number): Promise<void> {
  const manager = { fieldManager: 'bench' }
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }, manager)
  await inParallel(count, async (index) => {
    const metadata = { name: `cache-${index}`, namespace: NAMESPACE }
    await client.create({ apiVersion: 'cache.example.com/v1', kind: 'Memcached', metadata, spec: { size: 1 } }, manager)
  })
}

/** Calls `work` for 0 … count − 1, `WORKERS` at a time. */
export async function inParallel(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: WORKERS }, worker))
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
