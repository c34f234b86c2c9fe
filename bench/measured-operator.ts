import { systemClock } from '../src/core/base/clock.ts'
import { nopLogger } from '../src/core/base/logger.ts'
import type { KubeClient } from '../src/core/kube/client.ts'
import { recording } from '../src/core/kube/client-decorators.ts'
import { conditionsOf, findCondition } from '../src/core/kube/condition.ts'
import type { KubeObject } from '../src/core/kube/object.ts'
import { Operator } from '../src/engine/operator/operator.ts'
import { projectAt } from '../test/support/running-operator.ts'
import { type Measurement, measure } from './measurement.ts'
import { createMemcacheds, DEPLOYMENT, MEMCACHED, NAMESPACE, untilAll } from './memcacheds.ts'
import type { ServerProcess } from './server-process.ts'

/** First convergence of resources that are there already, then a restart over the converged ones. */
export async function measureOperator(server: ServerProcess, resources: number): Promise<Measurement[]> {
  const { client } = server.connection
  await createMemcacheds(client, resources)
  const first = await runUntil(server, 'first convergence', () => untilAll(client, MEMCACHED, resources, isReady))
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

function isReady(resource: KubeObject): boolean {
  return findCondition(conditionsOf(resource), 'Ready')?.status === 'True'
}

/** One wrong object, and the figures are worth nothing. */
async function checkAll(client: KubeClient, resources: number): Promise<void> {
  const deployments = await client.list(DEPLOYMENT, { namespace: NAMESPACE })
  const owned = deployments.items.filter((one) => one.metadata.ownerReferences?.[0]?.kind === 'Memcached')
  if (owned.length !== resources) throw new Error(`${owned.length} Deployments for ${resources} resources`)
}
