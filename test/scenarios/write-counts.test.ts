import { expect } from 'chai'
import { FakeClock } from '../../src/core/base/fake-clock.ts'
import type { KubeClient } from '../../src/core/kube/client.ts'
import type { Connection } from '../../src/core/kube-client/connect.ts'
import type { OperatorOptions } from '../../src/engine/operator/operator.ts'
import type { Project } from '../../src/engine/operator/project.ts'
import { eventually } from '../support/eventually.ts'
import { long } from '../support/long-tests.ts'
import { projectAt, type RunningOperator, startOperator } from '../support/running-operator.ts'
import { WriteLog } from '../support/write-log.ts'
import { KIND } from './cluster-driver.ts'
import { httpDriver } from './http-driver.ts'
import { newObject, ready } from './objects.ts'
import { OPERATOR_AGENT, startTestCluster, type TestCluster } from './test-cluster.ts'

describe('the operator sends nothing that changes nothing', function () {
  this.timeout(300_000)
  const log = new WriteLog(OPERATOR_AGENT)
  let project: Project
  let cluster: TestCluster
  let operatorSide: Connection
  let running: RunningOperator | undefined

  before(async function () {
    project = await projectAt()
    cluster = await startTestCluster(this, project, { intercept: log.intercept })
    operatorSide = await cluster.connectOperator()
  })
  afterEach(async () => {
    await running?.stop()
    running = undefined
    await cluster.clear()
    log.take()
    log.events.splice(0)
  })
  after(async () => {
    await cluster?.stop()
  })

  /** What other tests have left behind is no business of its. */
  const start = (namespace: string, options: Partial<OperatorOptions> = {}): RunningOperator =>
    startOperator({ connection: operatorSide }, project, { watchNamespaces: [namespace], ...options })

  it('converges a Memcached with one apply of the Deployment and the status writes that its progress needs', async () => {
    const namespace = await cluster.newNamespace('count')
    const driver = httpDriver(cluster.connection.client, namespace)
    running = start(namespace)
    const { resourceVersion } = await cluster.connection.client.list(KIND.memcached, { namespace })
    await driver.apply(newObject(KIND.memcached, 'cache', { size: 1 }))
    await driver.until(KIND.memcached, 'cache', ready)
    await running.operator.idle()
    const { 'memcacheds/status': statusWrites = 0, ...others } = log.take()
    expect(others).to.deep.equal({ deployments: 1 })
    await eventually(() => log.events.length > 0, 'an event reports it')
    await running.stop()
    expect(log.events, 'the events that report it').to.have.length(1)
    const changes = await changesSince(cluster.connection.client, { namespace, resourceVersion })
    expect(statusWrites, 'each changes the resource, which nothing else does').to.equal(changes)
    expect(statusWrites, 'a Deployment and its pod come to be in a few steps').to.be.within(1, 8)
  })

  long.it('writes nothing when it is restarted over 100 converged resources', async () => {
    const namespace = await cluster.newNamespace('restart')
    const driver = httpDriver(cluster.connection.client, namespace)
    running = start(namespace)
    const names = Array.from({ length: 100 }, (_, index) => `cache-${index}`)
    for (const name of names) await driver.apply(newObject(KIND.memcached, name, { size: 1 }))
    for (const name of names) await driver.until(KIND.memcached, name, ready)
    await running.operator.idle()
    await eventually(() => log.events.length === 100, 'each resource has its event')
    await running.stop()
    expect(log.take(), 'the first convergence').to.include({ deployments: 100 })
    log.events.splice(0)

    let runs = 0
    running = start(namespace, { onRun: () => runs++ })
    await eventually(() => runs >= names.length, 'each resource is looked at')
    await running.operator.idle()
    await running.stop()
    expect(log.take()).to.deep.equal({})
    expect(log.events).to.deep.equal([])
  })

  long.it(
    'writes nothing in ten minutes of rest, not even when a resource is looked at again every ten seconds',
    async () => {
      const namespace = await cluster.newNamespace('rest')
      const driver = httpDriver(cluster.connection.client, namespace)
      const clock = new FakeClock()
      let runs = 0
      running = start(namespace, { clock, onRun: () => runs++ })
      const restless = newObject(KIND.memcached, 'cache', { size: 2 })
      const annotations = { 'rolebook.dev/reconcile-period': '10s' }
      await driver.apply({ ...restless, metadata: { ...restless.metadata, annotations } })
      await driver.apply(
        newObject(KIND.appService, 'web', { size: 1, image: 'web:1', ports: [{ port: 80, targetPort: 80 }] }),
      )
      await driver.until(KIND.memcached, 'cache', ready)
      await driver.until(KIND.appService, 'web', ready)
      await running.operator.idle()
      await eventually(() => log.events.length === 2, 'each first run has an event')
      log.take()
      log.events.splice(0)
      const runsBefore = runs
      await clock.advance(10 * 60_000)
      await running.operator.idle()
      expect(log.take()).to.deep.equal({})
      expect(log.events).to.deep.equal([])
      expect(runs - runsBefore, 'it was looked at all the time').to.be.at.least(50)
    },
  )
})

/** How often the Memcached called `cache` was changed since it was created, after a version of their list. */
async function changesSince(
  client: KubeClient,
  { namespace, resourceVersion }: { namespace: string; resourceVersion: string | undefined },
): Promise<number> {
  const live = await client.get(KIND.memcached, { namespace, name: 'cache' })
  const stop = new AbortController()
  let changes = 0
  try {
    for await (const event of client.watch(KIND.memcached, { namespace, resourceVersion, signal: stop.signal })) {
      if (event.type === 'MODIFIED') changes++
      if (event.type !== 'ERROR' && event.object.metadata.resourceVersion === live?.metadata.resourceVersion) break
    }
  } finally {
    stop.abort()
  }
  return changes
}
