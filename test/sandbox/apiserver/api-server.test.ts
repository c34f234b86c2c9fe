import { request as httpsRequest } from 'node:https'
import { expect } from 'chai'
import { request } from 'undici'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { isNotFound } from '../../../src/core/kube/api-error.ts'
import { InMemoryDispatcher } from '../../../src/sandbox/apiserver/http/in-memory-dispatcher.ts'
import type { Intercept, RequestEntry } from '../../../src/sandbox/apiserver/http/request-handler.ts'
import { CONFIG_MAP, configMap, Sandbox } from './sandbox.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'

describe('ApiServer', () => {
  it('speaks TLS with a certificate of its own authority', async () => {
    const sandbox = new Sandbox({ tls: true, token: 'secret' })
    const { url, token, ca } = await sandbox.server.start()
    const { port } = new URL(url)
    expect(token).to.equal('secret')
    const status = await new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` }
      const call = httpsRequest({ host: '127.0.0.1', port, path: '/api', ca, headers, agent: false }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      call.on('error', reject).end()
    })
    expect(status).to.equal(200)
    const published = sandbox.objects.get(CONFIG_MAP, { namespace: 'default', name: 'kube-root-ca.crt' })
    expect(published?.data).to.deep.equal({ 'ca.crt': ca })
    await sandbox.stop()
  })

  it('answers messages of its own process to the token of its options, or to none that can be guessed', async () => {
    const statusOf = async (token: string | undefined, sent: string): Promise<number> => {
      const { server } = new Sandbox({ clock: new FakeClock(), ...(token !== undefined && { token }) })
      const dispatcher = new InMemoryDispatcher(server.open(), () => undefined)
      const headers = { authorization: `Bearer ${sent}` }
      const reply = await request(`http://localhost${MAPS}`, { headers, dispatcher })
      await Promise.all([reply.body.dump(), server.stop()])
      return reply.statusCode
    }
    expect(await statusOf('secret', 'secret')).to.equal(200)
    expect(await statusOf('secret', 'undefined')).to.equal(401)
    expect(await statusOf(undefined, 'undefined')).to.equal(401)
  })

  it('works in process before it listens, with the namespaces that every cluster has', () => {
    const { objects } = new Sandbox({ clock: new FakeClock() })
    const namespaces = objects.list({ group: '', version: 'v1', kind: 'Namespace' })
    expect(namespaces.map(({ metadata }) => metadata.name)).to.deep.equal([
      'default',
      'kube-node-lease',
      'kube-public',
      'kube-system',
    ])
    const service = objects.get(
      { group: '', version: 'v1', kind: 'Service' },
      { namespace: 'default', name: 'kubernetes' },
    )
    expect(service?.spec).to.include({ clusterIP: '10.96.0.1' })
  })

  it('simulates workloads when its options say so', () => {
    const { objects } = new Sandbox({ clock: new FakeClock(), workloads: true })
    expect(objects.list({ group: '', version: 'v1', kind: 'Node' })).to.have.length.above(0)
  })

  it('says that a kind is not served', () => {
    const { objects } = new Sandbox({ clock: new FakeClock() })
    const unknown = { group: 'nothing', version: 'v1', kind: 'Nothing' }
    try {
      objects.list(unknown)
      expect.fail('nothing was thrown')
    } catch (error) {
      expect(isNotFound(error)).to.equal(true)
    }
  })

  describe('for tests', () => {
    const entries: RequestEntry[] = []
    let fault: Intercept = () => undefined
    const sandbox = new Sandbox({ onRequest: (entry) => entries.push(entry), intercept: (request) => fault(request) })

    before(() => sandbox.start())
    after(() => sandbox.stop())
    beforeEach(() => {
      entries.length = 0
      fault = () => undefined
    })

    it('reports each request with its client and its field manager', async () => {
      await sandbox.send('GET', MAPS, { headers: { 'user-agent': 'reader/1' } })
      const body = configMap('logged')
      await sandbox.send('POST', MAPS, { body, headers: { 'user-agent': 'writer/1 (x)' } })
      await sandbox.send('DELETE', `${MAPS}/logged?fieldManager=me`, { headers: { 'user-agent': 'writer/1' } })
      expect(entries).to.deep.equal([
        { method: 'GET', path: MAPS, userAgent: 'reader/1', status: 200, fieldManager: undefined },
        { method: 'POST', path: MAPS, userAgent: 'writer/1 (x)', status: 201, fieldManager: 'writer' },
        {
          method: 'DELETE',
          path: `${MAPS}/logged?fieldManager=me`,
          userAgent: 'writer/1',
          status: 200,
          fieldManager: 'me',
        },
      ])
    })

    it('lets a fault answer in its place', async () => {
      fault = ({ phase }) => (phase === 'before' ? { status: 429, headers: { 'Retry-After': '1' } } : undefined)
      const answer = await sandbox.send('POST', MAPS, { body: configMap('refused') })
      expect(answer.status).to.equal(429)
      expect(answer.headers['retry-after']).to.equal('1')
      expect(sandbox.objects.get(CONFIG_MAP, { namespace: 'default', name: 'refused' })).to.equal(undefined)
    })

    it('lets a fault cut the connection before anything happens', async () => {
      fault = ({ phase }) => (phase === 'before' ? 'drop' : undefined)
      expect(await failureOf(sandbox.send('POST', MAPS, { body: configMap('cut-before') }))).to.equal(true)
      expect(sandbox.objects.get(CONFIG_MAP, { namespace: 'default', name: 'cut-before' })).to.equal(undefined)
      expect(entries.map(({ status }) => status)).to.deep.equal([0])
    })

    it('lets a fault cut the connection after the write', async () => {
      fault = ({ phase, status }) => (phase === 'after' && status === 201 ? 'drop' : undefined)
      expect(await failureOf(sandbox.send('POST', MAPS, { body: configMap('cut-after') }))).to.equal(true)
      expect(sandbox.objects.get(CONFIG_MAP, { namespace: 'default', name: 'cut-after' })).not.to.equal(undefined)
    })
  })

  it('answers 410 to who comes with a version from before a compaction', async () => {
    const sandbox = new Sandbox()
    await sandbox.start()
    const before = (await sandbox.send('GET', MAPS)).body.metadata as { resourceVersion: string }
    sandbox.objects.create(configMap('later'), 'test')
    sandbox.server.compact()
    const watch = await sandbox.send('GET', `${MAPS}?watch=true&resourceVersion=${before.resourceVersion}`)
    expect(watch.body).to.have.nested.property('object.reason', 'Expired')
    const list = `${MAPS}?resourceVersion=${before.resourceVersion}&resourceVersionMatch=Exact`
    expect((await sandbox.send('GET', list)).status).to.equal(410)
    await sandbox.stop()
  })

  it('ends watches when it stops', async () => {
    const sandbox = new Sandbox()
    await sandbox.start()
    const watch = sandbox.send('GET', `${MAPS}?watch=true`).catch(() => 'ended')
    await sandbox.send('GET', '/readyz')
    await sandbox.stop()
    expect(await watch).to.satisfy((end: unknown) => end === 'ended' || typeof end === 'object')
  })
})

async function failureOf(answer: Promise<unknown>): Promise<boolean> {
  return answer.then(
    () => false,
    () => true,
  )
}
