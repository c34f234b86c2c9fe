import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { parseServiceRange, type ServiceRange } from '../../../src/sandbox/apiserver/kinds/service/service-range.ts'
import { configMap, Sandbox, settle } from './sandbox.ts'

const core = (kind: string) => ({ group: '', version: 'v1', kind })
const pod = (name: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'example.com/x' }], ...spec },
})

describe('An API server without controllers', () => {
  const sandbox = new Sandbox({
    controllers: false,
    workloads: undefined,
    authorization: 'rbac',
    serviceRange: parseServiceRange('10.0.0.0/24') as ServiceRange,
    disabledAdmission: ['ServiceAccount'],
    staticTokens: new Map([['secret', { name: 'jane', groups: ['system:masters', 'system:authenticated'] }]]),
  })
  before(() => sandbox.start())
  after(() => sandbox.stop())

  it('has the namespaces and the Service of a kube-apiserver, and nothing else', () => {
    const names = (kind: string): unknown => sandbox.objects.list(core(kind)).map(({ metadata }) => metadata.name)
    expect(names('Namespace')).to.deep.equal(['default', 'kube-node-lease', 'kube-public', 'kube-system'])
    expect(names('Service')).to.deep.equal(['kubernetes'])
    for (const kind of ['ServiceAccount', 'ConfigMap', 'Secret', 'Node', 'Pod']) expect(names(kind)).to.deep.equal([])
  })

  it('leaves dependents whose owner is gone', async () => {
    const owner = sandbox.objects.create(configMap('owner'), 'test')
    const { uid = '' } = owner.metadata
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }]
    sandbox.objects.create(configMap('dependent', { metadata: { ownerReferences } }), 'test')
    await sandbox.send('DELETE', '/api/v1/namespaces/default/configmaps/owner')
    await settle()
    const found = await sandbox.send('GET', '/api/v1/namespaces/default/configmaps/dependent')
    expect(found.status).to.equal(200)
  })

  it('leaves namespaces that are deleted, and gives new ones nothing', async () => {
    await sandbox.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'n' } } })
    await settle()
    expect(sandbox.objects.list(core('ServiceAccount'))).to.deep.equal([])
    await sandbox.send('DELETE', '/api/v1/namespaces/n')
    await settle()
    const { body } = await sandbox.send('GET', '/api/v1/namespaces/n')
    expect(body).to.have.nested.property('status.phase', 'Terminating')
  })

  it('asks pods for no ServiceAccount, and gives them none', async () => {
    const path = '/api/v1/namespaces/default/pods'
    const plain = await sandbox.send('POST', path, { body: pod('plain') })
    expect(plain.status, plain.text).to.equal(201)
    expect(plain.body.spec).to.not.have.any.keys('serviceAccountName', 'volumes')
    const named = await sandbox.send('POST', path, { body: pod('named', { serviceAccountName: 'missing' }) })
    expect(named.status, named.text).to.equal(201)
  })

  it('takes the manifest of a pod for one that admission has completed', async () => {
    const path = '/api/v1/namespaces/default/pods'
    await sandbox.send('POST', path, { body: pod('replaced') })
    const { status, text, body } = await sandbox.send('PUT', `${path}/replaced`, { body: pod('replaced') })
    expect(status, text).to.equal(200)
    expect(body).to.nested.include({ 'spec.priority': 0, 'spec.preemptionPolicy': 'PreemptLowerPriority' })
  })

  it('makes nothing of workloads', async () => {
    await deploy(sandbox)
    expect(sandbox.objects.list({ group: 'apps', version: 'v1', kind: 'ReplicaSet' })).to.deep.equal([])
  })

  it('gives Services addresses of its range', async () => {
    const path = '/api/v1/namespaces/default/services'
    const service = (name: string, spec: JsonObject = {}): JsonObject => ({
      metadata: { name },
      spec: { ports: [{ port: 80 }], ...spec },
    })
    const kubernetes = await sandbox.send('GET', `${path}/kubernetes`)
    expect(kubernetes.body).to.have.nested.property('spec.clusterIP', '10.0.0.1')
    const given = await sandbox.send('POST', path, { body: service('given') })
    expect((given.body.spec as JsonObject).clusterIP).to.match(/^10\.0\.0\.\d+$/)
    expect((await sandbox.send('POST', path, { body: service('own', { clusterIP: '10.0.0.12' }) })).status).to.equal(
      201,
    )
    const outside = await sandbox.send('POST', path, { body: service('outside', { clusterIP: '10.96.0.12' }) })
    expect(outside.body.message).to.include('the provided network does not match the current range')
  })

  it('knows the users of its tokens', async () => {
    const authorization = 'Bearer secret'
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
    const answer = await sandbox.send('POST', path, { body, headers: { authorization } })
    expect(answer.body).to.have.nested.property('status.userInfo.username', 'jane')
  })

  it('has the roles of a kube-apiserver, without what a controller adds to them', async () => {
    const { body } = await sandbox.send('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/admin')
    expect(body.rules).to.equal(null)
  })
})

describe('An API server without nodes', () => {
  const staticTokens = new Map([['secret', { name: 'jane', groups: ['system:authenticated'] }]])
  const sandbox = new Sandbox({ workloads: true, nodes: false, authorization: 'rbac,always-allow', staticTokens })
  before(() => sandbox.start())
  after(() => sandbox.stop())

  it('makes pods that wait for one', async () => {
    await deploy(sandbox)
    const pods = sandbox.objects.list(core('Pod'))
    expect(pods.map(({ status }) => (status as JsonObject).phase)).to.deep.equal(['Pending'])
    expect(sandbox.objects.list(core('Node'))).to.deep.equal([])
  })

  it('has roles, and lets users do everything without one', async () => {
    const headers = { authorization: 'Bearer secret' }
    const { body } = await sandbox.send('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/view', { headers })
    expect(body.rules).to.be.an('array')
  })
})

/** A Deployment whose controllers, if there are any, have done their work. */
async function deploy(sandbox: Sandbox): Promise<void> {
  const labels = { app: 'x' }
  const template = { ...pod('x'), metadata: { labels } }
  const body = { metadata: { name: 'd' }, spec: { selector: { matchLabels: labels }, template } }
  const created = await sandbox.send('POST', '/apis/apps/v1/namespaces/default/deployments', { body })
  expect(created.status, created.text).to.equal(201)
  await settle()
}

describe('Stopping the server', () => {
  it('waits for no connection that never said anything', async () => {
    const sandbox = new Sandbox({ tls: true })
    const { url } = await sandbox.server.start()
    const socket: Socket = connect(Number(new URL(url).port), '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined)
    await sandbox.stop()
    await closed
  })
})

describe('parseServiceRange', () => {
  const ranges: Readonly<Record<string, ServiceRange | undefined>> = {
    '10.96.0.0/12': { network: 0x0a600000, size: 1 << 20 },
    '10.0.0.0/24': { network: 0x0a000000, size: 256 },
    '10.0.0.77/24': { network: 0x0a000000, size: 256 },
    '192.168.1.4/30': { network: 0xc0a80104, size: 4 },
    '10.0.0.0/31': undefined,
    '10.0.0.0/8': undefined,
    '10.0.0.256/24': undefined,
    '10.0.0.0': undefined,
    'fd00::/108': undefined,
  }
  for (const [text, range] of Object.entries(ranges)) {
    it(`reads ${text}`, () => expect(parseServiceRange(text)).to.deep.equal(range))
  }
})
