import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { type Connection, connect } from '../../../src/core/kube-client/connect.ts'
import { Informer } from '../../../src/engine/runtime/informer.ts'
import { coreDiscovery, groupDiscovery } from '../../support/discovery-documents.ts'
import {
  cut,
  type Play,
  refuse,
  respond,
  ScriptedServer,
  stall,
  stream,
  streamAndEnd,
} from '../../support/scripted-server.ts'

const PATH = 'GET /api/v1/configmaps'
const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }

/** The real client and the real informer against a server that misbehaves, while time is fake. */
describe('Informer over HTTP', () => {
  let server: ScriptedServer
  let connection: Connection
  let clock: FakeClock
  let stop: AbortController
  let stopped: Promise<void>
  let informer: Informer
  beforeEach(async () => {
    server = new ScriptedServer()
    clock = new FakeClock()
    stop = new AbortController()
    const url = await server.start()
    server.always('GET /api', respond(200, coreDiscovery)).always('GET /apis', respond(200, groupDiscovery))
    connection = await connect({ server: { url }, userAgent: 'test', logger: nopLogger, clock })
    informer = new Informer({ gvk: CONFIG_MAP }, { client: connection.client, clock, logger: nopLogger })
  })
  afterEach(async () => {
    stop.abort()
    await stopped
    await connection.close()
    await server.stop()
    expect(clock.pending).to.equal(0)
  })

  const object = (name: string, version: number): object => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'default', name, uid: `uid-${name}`, resourceVersion: String(version) },
  })
  const added = (name: string, version: number): object => ({ type: 'ADDED', object: object(name, version) })
  const bookmark = (version: number, end = false): object => {
    const annotations = end ? { 'k8s.io/initial-events-end': 'true' } : {}
    const metadata = { resourceVersion: String(version), annotations }
    return { type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata } }
  }
  const initially = (...names: string[]): object[] => [...names.map((name) => added(name, 5)), bookmark(10, true)]
  const names = (): (string | undefined)[] => informer.cache.list().map(({ metadata }) => metadata.name)

  function start(): void {
    stopped = informer.start(stop.signal)
  }

  /** Sockets need real time, waiting needs fake time: lets both pass until `condition` holds. */
  async function until(condition: () => boolean): Promise<void> {
    for (let turn = 0; !condition(); turn++) {
      if (turn > 20_000) expect.fail(`it never came about; the server saw ${server.lines.join(', ')}`)
      await clock.advance(turn % 20 === 0 ? 500 : 0)
    }
  }

  /** An empty list. Only its version counts. */
  const unlessWatched =
    (play: Play): Play =>
    (request, response) =>
      request.query.has('watch')
        ? play(request, response)
        : respond(200, { kind: 'ConfigMapList', metadata: { resourceVersion: '12' }, items: [] })(request, response)

  const faults: { name: string; plays: Play[] }[] = [
    { name: 'a cut connection', plays: [cut()] },
    { name: 'a cut event', plays: [cut('{"type":"ADDED","obj')] },
    { name: 'an orderly end within an event', plays: [streamAndEnd('{"type":')] },
    { name: 'HTML with 200', plays: [respond(200, '<html>login</html>')] },
    { name: 'HTML with 502', plays: [respond(502, '<html>bad gateway</html>')] },
    { name: '500', plays: [refuse(500, 'InternalError')] },
    { name: '429 without Retry-After', plays: [refuse(429, 'TooManyRequests')] },
    { name: '503 with Retry-After', plays: [refuse(503, 'ServiceUnavailable', { headers: { 'retry-after': '2' } })] },
    { name: '403 for a while', plays: [refuse(403, 'Forbidden'), refuse(403, 'Forbidden')] },
    { name: 'no headers', plays: [stall] },
    { name: 'a stream without a word', plays: [stream()] },
    { name: 'an unknown type of event', plays: [stream({ type: 'MOVED', object: {} })] },
    { name: 'an ERROR event', plays: [stream({ type: 'ERROR', object: { kind: 'Status', code: 500 } })] },
    { name: 'two empty streams', plays: [streamAndEnd(), streamAndEnd()] },
  ]
  for (const { name, plays } of faults) {
    it(`resumes at its version after ${name}`, async () => {
      server.on(PATH, streamAndEnd(...initially('a'), added('b', 12)))
      for (const play of plays) server.on(PATH, play)
      server.always(PATH, unlessWatched(stream(added('c', 13))))
      start()
      await until(() => names().includes('c'))
      expect(names()).to.deep.equal(['a', 'b', 'c'])
      const { query } = server.requests.at(-1)!
      expect([query.get('resourceVersion'), query.get('sendInitialEvents')]).to.deep.equal(['12', null])
      expect(informer.live).to.equal(true)
    })
  }

  const expiries: { name: string; plays: Play[] }[] = [
    { name: '410 over HTTP', plays: [refuse(410, 'Expired')] },
    { name: '410 Gone without a Status', plays: [respond(410, 'gone')] },
    {
      name: '410 as an event',
      plays: [stream({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Gone' } })],
    },
    {
      name: 'a reason without a code',
      plays: [stream({ type: 'ERROR', object: { kind: 'Status', reason: 'Expired' } })],
    },
    { name: 'three empty streams', plays: [streamAndEnd(), streamAndEnd(), streamAndEnd()] },
    {
      name: 'too large resource version',
      plays: [refuse(504, 'Timeout', { message: 'Too large resource version: 12, current: 11' })],
    },
    { name: 'an event from the past', plays: [stream(added('ghost', 3))] },
    { name: 'a bookmark from the past', plays: [stream(bookmark(3))] },
  ]
  for (const { name, plays } of expiries) {
    it(`lists again after ${name}, and drops what is gone`, async () => {
      server.on(PATH, streamAndEnd(...initially('a', 'b')))
      for (const play of plays) server.on(PATH, play)
      server.always(PATH, stream(added('b', 5), bookmark(20, true), added('c', 21)))
      start()
      await until(() => names().includes('c'))
      expect(names()).to.deep.equal(['b', 'c'])
      expect(informer.live).to.equal(true)
    })
  }

  it('lists in pages from a server that knows no streamed lists, through an expired page', async () => {
    server.on(PATH, refuse(422, 'Invalid', { message: 'sendInitialEvents is forbidden for watch' }))
    const page = { items: [object('a', 5)], metadata: { resourceVersion: '10', continue: 'next' } }
    server.on(PATH, respond(200, page)).on(PATH, refuse(410, 'Expired'))
    server.on(PATH, respond(200, { items: [object('b', 5)], metadata: { resourceVersion: '11' } }))
    server.always(PATH, stream(added('c', 12)))
    start()
    await until(() => names().includes('c'))
    expect(names()).to.deep.equal(['b', 'c'])
    const asked = server.requests.filter(({ path }) => path === '/api/v1/configmaps')
    expect(asked.map(({ query }) => [query.get('limit'), query.get('continue')])).to.deep.equal([
      [null, null],
      ['500', null],
      ['500', 'next'],
      [null, null],
      [null, null],
    ])
  })

  it('takes up a streamed list although things happen meanwhile', async () => {
    const removed = { type: 'DELETED', object: object('b', 8) }
    server.always(PATH, stream(added('a', 5), added('b', 5), bookmark(7), removed, bookmark(10, true)))
    start()
    await until(() => informer.isSynced)
    expect([names(), informer.cache.resourceVersion]).to.deep.equal([['a'], '10'])
    expect(server.lines.filter((line) => line === PATH)).to.have.lengthOf(1)
  })

  it('does not take an answer that is not a list for an empty one', async () => {
    server.on(PATH, refuse(422, 'Invalid')).on(PATH, respond(200, { kind: 'Status', status: 'Success' }))
    server.on(PATH, respond(200, { items: [object('a', 5)], metadata: { resourceVersion: '10' } }))
    server.always(PATH, stream())
    start()
    await until(() => informer.isSynced)
    expect(names()).to.deep.equal(['a'])
  })
})
