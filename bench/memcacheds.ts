import type { KubeClient } from '../src/kube/client.ts'

export const MEMCACHED = { group: 'cache.example.com', version: 'v1', kind: 'Memcached' }
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
