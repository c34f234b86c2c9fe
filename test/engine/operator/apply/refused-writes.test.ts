import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import type { Intercept } from '../../../../src/sandbox/apiserver/http/request-handler.ts'
import { failureReply } from '../../../support/failure-reply.ts'
import { fastClock } from '../../../support/fast-clock.ts'
import { OperatorSandbox, projectOf } from '../../../support/operator-sandbox.ts'

const SERVICE = { group: '', version: 'v1', kind: 'Service' }
const QUOTA = { group: '', version: 'v1', kind: 'ResourceQuota' }

const NODE_PORT = `
tasks:
  - ensure:
      apiVersion: v1
      kind: Service
      metadata: { name: web }
      spec: { type: NodePort, selector: { app: web }, ports: [{ port: 80, nodePort: 30080 }] }
`
/** Four times as fast: the five minutes of other failures would still be longer than a test waits. */
const CLOCK = fastClock(4)
const MAP = 'tasks:\n  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: part } }\n'

const object = (apiVersion: string, kind: string, name: string, spec: KubeObject['spec']): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name },
  spec,
})

describe('A write that the server refuses', () => {
  let sandbox: OperatorSandbox
  let refusals: number
  beforeEach(async () => {
    refusals = 0
    const intercept: Intercept = ({ phase, path }) =>
      phase === 'before' && path.endsWith('/status') && refusals-- > 0 ? failureReply(422, 'Invalid') : undefined
    sandbox = await OperatorSandbox.start({ workloads: false, intercept })
  })
  afterEach(() => sandbox.stop())

  it('succeeds within seconds after another Service has released its node port', async () => {
    const ports = [{ port: 80, nodePort: 30080 }]
    await sandbox.apply(object('v1', 'Service', 'first', { type: 'NodePort', selector: { app: 'first' }, ports }))
    sandbox.run(await projectOf({ widget: NODE_PORT }), { clock: CLOCK })
    await sandbox.widget('w')
    expect((await sandbox.ready('Invalid')).message).to.include('provided port is already allocated')
    expect((await sandbox.condition('Stalled'))?.reason).to.equal('Invalid')
    await sandbox.remove(SERVICE, 'first')
    await sandbox.ready('Ready')
  })

  it('is tried again after a second, however often the resource was edited before', async () => {
    const clock = new FakeClock()
    const ports = [{ port: 80, nodePort: 30080 }]
    await sandbox.apply(object('v1', 'Service', 'first', { type: 'NodePort', selector: { app: 'first' }, ports }))
    sandbox.run(await projectOf({ widget: NODE_PORT }), { clock })
    for (let generation = 1; generation <= 10; generation++) {
      await sandbox.widget('w', { generation })
      await sandbox.ready('Invalid', { generation })
    }
    await sandbox.settled()
    await sandbox.remove(SERVICE, 'first')
    await clock.advance(1_000)
    await sandbox.ready('Ready')
  })

  it('succeeds within seconds after a quota has gone', async () => {
    await sandbox.apply(object('v1', 'ResourceQuota', 'none', { hard: { 'count/configmaps': '0' } }))
    sandbox.run(await projectOf({ widget: MAP }), { clock: CLOCK, namespace: 'kube-system' })
    await sandbox.widget('w')
    expect((await sandbox.ready('Forbidden')).message).to.include('exceeded quota')
    await sandbox.remove(QUOTA, 'none')
    await sandbox.ready('Ready')
  })

  it('is tried again at once when an object changes that the role reads', async () => {
    const reading = `tasks:
  - get: { apiVersion: v1, kind: ResourceQuota, name: none, optional: true }
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: part } }
`
    await sandbox.apply(object('v1', 'ResourceQuota', 'none', { hard: { 'count/configmaps': '0' } }))
    sandbox.run(await projectOf({ widget: reading }), { clock: new FakeClock(), namespace: 'kube-system' })
    await sandbox.widget('w')
    expect((await sandbox.ready('Forbidden')).message).to.include('exceeded quota')
    await sandbox.settled()
    await sandbox.remove(QUOTA, 'none')
    await sandbox.ready('Ready')
  })

  it('of a status succeeds within seconds, and nothing says any more that it was refused', async () => {
    // Without a child, whose event would run the role again before the test sees what it says.
    const clock = new FakeClock()
    sandbox.run(await projectOf({ widget: 'tasks: [{status: {a: b}}]\n' }), { clock })
    refusals = 1
    await sandbox.widget('w')
    await sandbox.ready('Invalid')
    await sandbox.settled()
    await clock.advance(1_000)
    await sandbox.ready('Ready')
    expect(await sandbox.condition('Stalled')).to.equal(undefined)
  })
})
