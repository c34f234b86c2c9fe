import { expect } from 'chai'
import { Sandbox, settle } from '../sandbox.ts'

const PODS = '/api/v1/namespaces/default/pods'
const named = (name: string): { readonly name: string; readonly image: string } => ({ name, image: `${name}:1` })

describe('the log of a pod', () => {
  const sandbox = new Sandbox()
  before(async () => {
    await sandbox.start()
    // Pods need the ServiceAccount that a controller makes.
    await settle()
    const pods = {
      one: { nodeName: 'n', containers: [named('web')] },
      two: { nodeName: 'n', containers: [named('web'), named('proxy')], initContainers: [named('init')] },
      pair: { nodeName: 'n', containers: [named('web'), named('proxy')] },
      waiting: { containers: [named('web')] },
    }
    for (const [name, spec] of Object.entries(pods)) {
      const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec }
      expect((await sandbox.send('POST', PODS, { body })).status).to.equal(201)
    }
  })
  after(() => sandbox.stop())

  const cases = [
    {
      name: 'says that its only container is simulated',
      path: 'one/log',
      status: 200,
      says: 'container "web" (web:1) is simulated',
    },
    {
      name: 'is that of the container that is named',
      path: 'two/log?container=proxy',
      status: 200,
      says: 'container "proxy"',
    },
    { name: 'may be that of an init container', path: 'two/log?container=init', status: 200, says: 'container "init"' },
    {
      name: 'needs the name of one of several containers',
      path: 'two/log',
      status: 400,
      says: 'a container name must be specified for pod two, choose one of: [web proxy] or one of the init containers: [init]',
    },
    {
      name: 'needs the name of one of several containers, where none prepares the pod',
      path: 'pair/log',
      status: 400,
      says: 'a container name must be specified for pod pair, choose one of: [web proxy]"',
    },
    {
      name: 'is not that of an unknown container',
      path: 'one/log?container=x',
      status: 400,
      says: 'container x is not valid for pod one',
    },
    { name: 'is empty while the pod has no node', path: 'waiting/log', status: 200, says: '' },
    {
      name: 'is not that of a pod that is not there',
      path: 'none/log',
      status: 404,
      says: 'pods \\"none\\" not found',
    },
  ]
  for (const { name, path, status, says } of cases) {
    it(name, async () => {
      const answer = await sandbox.send('GET', `${PODS}/${path}`)
      expect(answer.status).to.equal(status)
      expect(answer.text).to.include(says)
    })
  }

  it('is only read', async () => {
    const { status, body } = await sandbox.send('POST', `${PODS}/one/log`, { body: {} })
    expect([status, body.message]).to.deep.equal([
      405,
      'the server does not allow this method on the requested resource',
    ])
  })
})
