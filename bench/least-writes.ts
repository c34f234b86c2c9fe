import type { KubeClient } from '../src/core/kube/client.ts'
import { conditionsOf, findCondition } from '../src/core/kube/condition.ts'
import type { KubeObject } from '../src/core/kube/object.ts'
import { controllerReference } from '../src/core/kube/owner-reference.ts'
import { inParallel } from './in-parallel.ts'
import { type Measurement, measure } from './measurement.ts'
import { createMemcacheds, MEMCACHED, NAMESPACE, POD, untilAll, WORKERS } from './memcacheds.ts'
import type { ServerProcess } from './server-process.ts'

const MANAGER = { fieldManager: 'bench' }

/**
 * The least that a Memcached needs, without any engine: its Deployment, and once its Pod is ready one status that names it.
 * Written by hand from what the role is for, and not from what the operator sends, so that it shows what that sends too much.
 */
export async function measureLeastWrites(server: ServerProcess, resources: number): Promise<Measurement> {
  const { client } = server.connection
  await createMemcacheds(client, resources)
  const { items } = await client.list(MEMCACHED, { namespace: NAMESPACE })
  return measure('least writes', async () => {
    const reported = reportPods(client, resources)
    const applyOne = async (index: number): Promise<void> => {
      await client.apply(deploymentOf(items[index] as KubeObject), { ...MANAGER, force: true })
    }
    await inParallel(items.length, applyOne, WORKERS)
    await reported
    return { Deployment: resources, 'Memcached/status': resources }
  })
}

/** Resolves when the status of each Memcached names its Pod. */
async function reportPods(client: KubeClient, resources: number): Promise<void> {
  const reported = new Map<string, Promise<unknown>>()
  await untilAll(client, POD, resources, (pod) => {
    const name = pod.metadata.labels?.memcached_cr ?? ''
    if (findCondition(conditionsOf(pod), 'Ready')?.status !== 'True') return false
    if (!reported.has(name)) reported.set(name, report(client, name, pod))
    return true
  })
  await Promise.all(reported.values())
}

async function report(client: KubeClient, name: string, pod: KubeObject): Promise<void> {
  const lastTransitionTime = '2026-01-01T00:00:00Z'
  const ready = { type: 'Ready', status: 'True', reason: 'Ready', message: 'all objects are ready', lastTransitionTime }
  const body = { status: { observedGeneration: 1, nodes: [pod.metadata.name ?? ''], conditions: [ready] } }
  const key = { namespace: NAMESPACE, name }
  await client.patch(MEMCACHED, key, { type: 'merge', body }, { ...MANAGER, subresource: 'status' })
}

function deploymentOf(resource: KubeObject): KubeObject {
  const { name = '' } = resource.metadata
  const labels = { app: 'memcached', memcached_cr: name }
  const container = {
    name: 'memcached',
    image: 'memcached:1.4.36-alpine',
    command: ['memcached', '-m=64', '-o', 'modern', '-v'],
    ports: [{ containerPort: 11211, name: 'memcached' }],
  }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: NAMESPACE, ownerReferences: [controllerReference(resource, MEMCACHED)] },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  }
}
