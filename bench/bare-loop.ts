import { isJsonObject } from '../src/core/base/json.ts'
import type { KubeClient } from '../src/core/kube/client.ts'
import type { KubeObject } from '../src/core/kube/object.ts'
import { type Measurement, measure } from './measurement.ts'
import { createMemcacheds, DEPLOYMENT, inParallel, MEMCACHED, NAMESPACE, untilAll } from './memcacheds.ts'
import type { ServerProcess } from './server-process.ts'

export interface BareLoopOptions {
  readonly resources: number
  /** Of the operator, by kind: the loop makes as many. */
  readonly writes: Readonly<Record<string, number>>
}

/** Makes the writes of the operator without any engine: no watch, no decision, no second look. */
export async function measureBareLoop(
  server: ServerProcess,
  { resources, writes }: BareLoopOptions,
): Promise<Measurement> {
  const { client } = server.connection
  await createMemcacheds(client, resources)
  const { items } = await client.list(MEMCACHED, { namespace: NAMESPACE })
  const statusWrites = Math.round((writes['Memcached/status'] ?? 0) / resources)
  return measure('bare loop', async () => {
    await inParallel(items.length, (index) => writeAll(client, items[index] as KubeObject, statusWrites))
    await untilAll(client, DEPLOYMENT, resources, isAvailable)
    return { Deployment: resources, 'Memcached/status': statusWrites * resources }
  })
}

/** The server's controllers take as long here as under the operator, so both are measured to the same end. */
function isAvailable({ status }: KubeObject): boolean {
  return isJsonObject(status) && status.availableReplicas === 1
}

async function writeAll(client: KubeClient, resource: KubeObject, statusWrites: number): Promise<void> {
  await client.apply(deploymentOf(resource), { fieldManager: 'bench', force: true })
  const key = { namespace: NAMESPACE, name: resource.metadata.name ?? '' }
  for (let count = 0; count < statusWrites; count++) {
    const body = { status: { observedGeneration: 1, nodes: [`node-${count}`], conditions: conditionsAt(count) } }
    await client.patch(MEMCACHED, key, { type: 'merge', body }, { fieldManager: 'bench', subresource: 'status' })
  }
}

function conditionsAt(count: number): readonly { [field: string]: string }[] {
  const lastTransitionTime = '2026-01-01T00:00:00Z'
  return [{ type: 'Ready', status: 'False', reason: 'NotReady', message: `write ${count}`, lastTransitionTime }]
}

function deploymentOf({ metadata }: KubeObject): KubeObject {
  const labels = { app: 'memcached', memcached_cr: metadata.name ?? '' }
  const owner = {
    apiVersion: 'cache.example.com/v1',
    kind: 'Memcached',
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
  }
  const container = {
    name: 'memcached',
    image: 'memcached:1.4.36-alpine',
    command: ['memcached', '-m=64', '-o', 'modern', '-v'],
    ports: [{ containerPort: 11211, name: 'memcached' }],
  }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: metadata.name,
      namespace: NAMESPACE,
      labels: { 'rolebook.dev/owner-uid': metadata.uid ?? '' },
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  }
}
