import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { RunHistory } from '../../src/engine/operator/run-history.ts'
import type { Role } from '../../src/engine/role/role.ts'
import { AdminServer } from '../../src/engine/runtime/admin-server.ts'
import { Metrics } from '../../src/engine/runtime/metrics.ts'
import { dashboardRoutes } from '../../src/rolebook/dashboard/dashboard-routes.ts'
import type { SeenOperator } from '../../src/rolebook/dashboard/seen-operator.ts'
import { builtProgram } from '../support/built-program.ts'

/** A dashboard of an operator that says it has so many resources. */
export async function manyResources(count: number): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const resources = Array.from({ length: count }, (_, index) => ({ resource: resource(index), role: ROLE }))
  const operator: SeenOperator = {
    resources: () => resources.values(),
    objectsOf: () => [],
    queues: () => [].values(),
    watches: () => [].values(),
    shards: () => [].values(),
    hungRuns: () => [],
    failing: [],
    leads: true,
  }
  const page = (name: string, contentType: string) =>
    [name, { contentType, text: readFileSync(join(builtProgram(), 'dashboard', name), 'utf8') }] as const
  const routes = dashboardRoutes({
    ...{ operator, history: new RunHistory(), metrics: new Metrics({ version: '1' }), version: '1', instance: 'many' },
    ...{ clock: systemClock, logger: nopLogger, client: { list: async () => ({ items: [], resourceVersion: '1' }) } },
    files: new Map([
      page('index.html', 'text/html'),
      page('page.js', 'text/javascript'),
      page('styles.css', 'text/css'),
    ]),
  })
  const address = { host: '127.0.0.1', port: 0 }
  const server = new AdminServer({ name: 'many', address, routes, clock: systemClock, logger: nopLogger })
  await server.listen()
  return { url: `${server.url}/ui/`, stop: () => server.close() }
}

const ROLE = { name: 'shop', tasks: [] } as unknown as Role

function resource(index: number): KubeObject {
  const isReady = index % 10 > 0
  const ready = { type: 'Ready', status: isReady ? 'True' : 'False', reason: isReady ? 'Ready' : 'Waiting' }
  return {
    ...{ apiVersion: 'example.com/v1', kind: 'Shop' },
    metadata: { name: `shop-${index}`, namespace: `team-${index % 50}`, uid: String(index), generation: 1 },
    status: { observedGeneration: 1, conditions: [{ ...ready, message: isReady ? 'fine' : 'waits for its database' }] },
  }
}
