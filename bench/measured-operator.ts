import { systemClock } from '../src/base/clock.ts'
import { nopLogger } from '../src/base/logger.ts'
import type { KubeClient } from '../src/kube/client.ts'
import { recording } from '../src/kube/client-decorators.ts'
import { conditionsOf, findCondition } from '../src/kube/condition.ts'
import { Operator } from '../src/operator/operator.ts'
import { projectAt } from '../test/support/running-operator.ts'
import { type Measurement, measure } from './measurement.ts'
import { createMemcacheds, MEMCACHED, NAMESPACE } from './memcacheds.ts'
import type { ServerProcess } from './server-process.ts'

/** First convergence of resources that are there already, then a restart over the converged ones. */
export async function measureOperator(server: ServerProcess, resources: number): Promise<Measurement[]> {
  const { client } = server.connection
  await createMemcacheds(client, resources)
  const first = await runUntil(server, 'first convergence', () => allReady(client, resources))
  const restart = await runUntil(server, 'restart', async () => undefined)
  await checkAll(client, resources)
  return [first, restart]
}

async function runUntil(server: ServerProcess, name: string, converged: () => Promise<void>): Promise<Measurement> {
  const { client, mapper, openApi } = server.connection
  const writes: Record<string, number> = {}
  const counting = recording(client, ({ gvk, subresource }) => {
    const kind = subresource === undefined ? gvk.kind : `${gvk.kind}/${subresource}`
    writes[kind] = (writes[kind] ?? 0) + 1
  })
  const project = await projectAt()
  const parts = { mapper, openApi, clock: systemClock, logger: nopLogger, namespace: 'default' }
  const stop = new AbortController()
  const operator = new Operator({ project, client: counting, ...parts })
  let running: Promise<void> | undefined
  const result = await measure(name, async () => {
    running = operator.start(stop.signal)
    await converged()
    await operator.idle()
    return writes
  })
  stop.abort()
  await running
  return result
}

/** Watches as any observer would, until every resource says that it is ready. */
async function allReady(client: KubeClient, resources: number): Promise<void> {
  const ready = new Set<string>()
  const { resourceVersion } = await client.list(MEMCACHED, { namespace: NAMESPACE, limit: 1 })
  for await (const event of client.watch(MEMCACHED, { namespace: NAMESPACE, resourceVersion })) {
    if (event.type === 'ERROR') throw new Error(JSON.stringify(event.status))
    const condition = findCondition(conditionsOf(event.object), 'Ready')
    if (condition?.status === 'True') ready.add(event.object.metadata.name ?? '')
    if (ready.size === resources) return
  }
}

/** One wrong object, and the figures are worth nothing. */
async function checkAll(client: KubeClient, resources: number): Promise<void> {
  const deployments = await client.list({ group: 'apps', version: 'v1', kind: 'Deployment' }, { namespace: NAMESPACE })
  const owned = deployments.items.filter((one) => one.metadata.ownerReferences?.[0]?.kind === 'Memcached')
  if (owned.length !== resources) throw new Error(`${owned.length} Deployments for ${resources} resources`)
}
