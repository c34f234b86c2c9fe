import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import type { WatchEvent } from '../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { type Connection, connect } from '../../../src/core/kube-client/connect.ts'
import { coreDiscovery, discovery, groupDiscovery, kind, version } from '../../support/discovery-documents.ts'
import { eventually } from '../../support/eventually.ts'
import { cut, refuse, respond, ScriptedServer, stall, stream, streamAndEnd } from '../../support/scripted-server.ts'

const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }
const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget' }
const KEY = { namespace: 'default', name: 'a' }
const PATH = '/api/v1/namespaces/default/configmaps'
const configMap: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: KEY, data: { k: 'v' } }

describe('RestClient', () => {
  let server: ScriptedServer
  let connection: Connection
  let clock: FakeClock
  beforeEach(async () => {
    server = new ScriptedServer()
    clock = new FakeClock()
    const url = await server.start()
    server.always('GET /api', respond(200, coreDiscovery)).always('GET /apis', respond(200, groupDiscovery))
    const options = { userAgent: 'rolebook/test', logger: nopLogger, clock }
    connection = await connect({ ...options, server: { url, token: 'secret' } })
  })
  afterEach(async () => {
    await connection.close()
    await server.stop()
  })

  const last = (): string => {
    const { method, path, query } = server.requests.at(-1)!
    return `${method} ${path}?${query}`
  }
  const sentBody = (): unknown => JSON.parse(server.requests.at(-1)!.body)
  const failure = (request: Promise<unknown>): Promise<unknown> => request.catch((error: unknown) => error)

  describe('get', () => {
    it('gives the object as the server sent it', async () => {
      server.on(`GET ${PATH}/a`, respond(200, { ...configMap, unknown: { field: [1, null] } }))
      expect(await connection.client.get(CONFIG_MAP, KEY)).to.deep.equal({
        ...configMap,
        unknown: { field: [1, null] },
      })
      expect(server.requests.at(-1)?.headers.authorization).to.equal('Bearer secret')
    })

    it('gives undefined for an object that is not there', async () => {
      server.on(`GET ${PATH}/a`, refuse(404, 'NotFound', { details: { name: 'a', kind: 'configmaps' } }))
      expect(await connection.client.get(CONFIG_MAP, KEY)).to.equal(undefined)
    })

    for (const { name, answer } of [
      { name: 'a page of text', answer: respond(404, '404 page not found') },
      { name: 'a Status that names nothing', answer: refuse(404, 'NotFound') },
    ]) {
      it(`rejects when the path itself is not served: ${name}`, async () => {
        server.on(`GET ${PATH}/a`, answer)
        const error = await failure(connection.client.get(CONFIG_MAP, KEY))
        expect(error).to.be.instanceOf(ApiError).and.include({ httpStatus: 404, reason: 'KindNotServed' })
      })
    }

    it('rejects for a kind that the server does not serve, without asking for it', async () => {
      const error = await failure(connection.client.get({ ...WIDGET, kind: 'Gizmo' }, KEY))
      expect(error).to.include({ httpStatus: 404, reason: 'KindNotServed' })
      expect(server.lines).to.deep.equal(['GET /api', 'GET /apis'])
    })

    it('asks for metadata only, and names the kind that was asked for', async () => {
      const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: KEY }
      server.on('GET /apis/example.com/v1/namespaces/default/widgets/a', respond(200, partial))
      const found = await connection.client.get(WIDGET, KEY, { metadataOnly: true })
      expect(found).to.deep.equal({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: KEY })
      expect(server.requests.at(-1)?.headers.accept).to.equal(
        'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
      )
    })

    it('rejects when an answer of success is not an object', async () => {
      server.always(`GET ${PATH}/a`, respond(200, 'all is well'))
      expect(await failure(connection.client.get(CONFIG_MAP, KEY))).to.include({ httpStatus: 0, reason: 'NoAnswer' })
      server.always(`GET ${PATH}/b`, respond(200, [1]))
      const error = await failure(connection.client.get(CONFIG_MAP, { ...KEY, name: 'b' }))
      expect(error).to.include({ httpStatus: 0, reason: 'NoAnswer' })
    })
  })

  describe('list', () => {
    it('gives a page, with type filled in', async () => {
      const { apiVersion, kind, ...bare } = configMap
      server.on(`GET ${PATH}`, respond(200, { items: [bare], metadata: { resourceVersion: '7', continue: 'next' } }))
      const options = { namespace: 'default', labelSelector: 'a in (b,c)', limit: 500, continue: 'x/=' }
      const page = await connection.client.list(CONFIG_MAP, options)
      expect(page).to.deep.equal({ items: [{ apiVersion, kind, ...bare }], resourceVersion: '7', continue: 'next' })
      expect(last()).to.equal(`GET ${PATH}?labelSelector=a+in+%28b%2Cc%29&limit=500&continue=x%2F%3D`)
    })

    it('takes null for an empty list, and lists all namespaces when none is given', async () => {
      server.on('GET /apis/example.com/v1/widgets', respond(200, { items: null, metadata: { resourceVersion: '7' } }))
      expect(await connection.client.list(WIDGET)).to.deep.equal({ items: [], resourceVersion: '7' })
    })

    it('takes a list of a server that counts no versions, as those of metrics', async () => {
      server.on('GET /apis/example.com/v1/widgets', respond(200, { items: [], metadata: {} }))
      expect(await connection.client.list(WIDGET)).to.deep.equal({ items: [], resourceVersion: '' })
    })

    it('rejects when the answer is not a list: nothing must look like an empty one', async () => {
      server.always('GET /api/v1/configmaps', respond(200, { kind: 'Status', status: 'Success' }))
      expect(await failure(connection.client.list(CONFIG_MAP))).to.include({ reason: 'NoAnswer' })
    })
  })

  describe('writes', () => {
    it('creates in the namespace of the object', async () => {
      server.on(`POST ${PATH}`, respond(201, configMap))
      await connection.client.create(configMap, { fieldManager: 'rolebook', dryRun: true })
      expect(last()).to.equal(`POST ${PATH}?fieldManager=rolebook&dryRun=All`)
      expect(sentBody()).to.deep.equal(configMap)
      expect(server.requests.at(-1)?.headers['content-type']).to.equal('application/json')
    })

    it('refuses to create a namespaced object that has no namespace', async () => {
      const object = { ...configMap, metadata: { name: 'a' } }
      const error = await failure(connection.client.create(object, { fieldManager: 'm' }))
      expect(error).to.include({ httpStatus: 400 })
    })

    it('creates cluster-scoped objects', async () => {
      const object: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } }
      server.on('POST /api/v1/namespaces', respond(201, object))
      await connection.client.create(object, { fieldManager: 'm' })
      expect(last()).to.equal('POST /api/v1/namespaces?fieldManager=m')
    })

    it('applies, also the status', async () => {
      server.always(`PATCH ${PATH}/a`, respond(200, configMap))
      await connection.client.apply(configMap, { fieldManager: 'rolebook', force: false })
      expect(last()).to.equal(`PATCH ${PATH}/a?fieldManager=rolebook&force=false`)
      expect(server.requests.at(-1)?.headers['content-type']).to.equal('application/apply-patch+yaml')
      const widget: KubeObject = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: KEY, status: { a: 1 } }
      const path = '/apis/example.com/v1/namespaces/default/widgets/a/status'
      server.on(`PATCH ${path}`, respond(200, widget))
      await connection.client.apply(widget, { fieldManager: 'rolebook', force: true, subresource: 'status' })
      expect(last()).to.equal(`PATCH ${path}?fieldManager=rolebook&force=true`)
      expect(sentBody()).to.deep.equal(widget)
    })

    it('gives the causes of a conflict', async () => {
      const causes = [{ reason: 'FieldManagerConflict', message: 'conflict with "kubectl"', field: '.data.k' }]
      server.on(`PATCH ${PATH}/a`, refuse(409, 'Conflict', { details: { name: 'a', causes } }))
      const error = await failure(connection.client.apply(configMap, { fieldManager: 'm', force: false }))
      expect(error).to.include({ httpStatus: 409, reason: 'Conflict' })
      expect((error as ApiError).causes).to.deep.equal(causes)
    })

    it('calls an undeclared field invalid, which the server calls an internal error', async () => {
      const message = 'failed to create typed patch object (a): .spec.x: field not declared in schema'
      server.on(`PATCH ${PATH}/a`, respond(500, { kind: 'Status', code: 500, message }))
      const error = await failure(connection.client.apply(configMap, { fieldManager: 'm', force: false }))
      expect(error).to.include({ httpStatus: 422, reason: 'Invalid', message })
    })

    it('patches in both forms', async () => {
      server.always(`PATCH ${PATH}/a`, respond(200, configMap))
      const { client } = connection
      await client.patch(CONFIG_MAP, KEY, { type: 'merge', body: { data: { k: null } } }, { fieldManager: 'm' })
      expect([sentBody(), server.requests.at(-1)?.headers['content-type']]).to.deep.equal([
        { data: { k: null } },
        'application/merge-patch+json',
      ])
      const operations = [{ op: 'remove' as const, path: '/data/k' }]
      await client.patch(CONFIG_MAP, KEY, { type: 'json', body: operations }, { fieldManager: 'm' })
      expect([sentBody(), server.requests.at(-1)?.headers['content-type']]).to.deep.equal([
        operations,
        'application/json-patch+json',
      ])
    })

    it('deletes with preconditions, and takes an object that is gone for deleted', async () => {
      server.on(`DELETE ${PATH}/a`, respond(200, configMap))
      const options = { uid: 'u', resourceVersion: '7', propagationPolicy: 'Background' as const }
      expect(await connection.client.delete(CONFIG_MAP, KEY, options)).to.deep.equal(configMap)
      expect(sentBody()).to.deep.equal({
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions: { uid: 'u', resourceVersion: '7' },
        propagationPolicy: 'Background',
      })
      server.on(`DELETE ${PATH}/a`, refuse(404, 'NotFound', { details: { name: 'a' } }))
      expect(await connection.client.delete(CONFIG_MAP, KEY)).to.equal(undefined)
      expect(sentBody()).to.deep.equal({ apiVersion: 'v1', kind: 'DeleteOptions' })
    })
  })

  describe('watch', () => {
    async function collect(events: AsyncIterable<WatchEvent>, count = 100): Promise<WatchEvent[]> {
      const seen: WatchEvent[] = []
      for await (const event of events) {
        seen.push(event)
        if (seen.length >= count) break
      }
      return seen
    }
    const added = (name: string): object => ({ type: 'ADDED', object: { ...configMap, metadata: { name } } })
    const bookmark = {
      type: 'BOOKMARK',
      object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { resourceVersion: '5' } },
    }

    it('begins, when it resumes, with a bookmark that says that it is open', async () => {
      server.on(`GET ${PATH}`, streamAndEnd(added('x')))
      const events = await collect(connection.client.watch(CONFIG_MAP, { namespace: 'default', resourceVersion: '5' }))
      expect(events).to.deep.equal([bookmark, added('x')])
      expect(last()).to.equal(`GET ${PATH}?resourceVersion=5&watch=true&allowWatchBookmarks=true`)
    })

    it('asks for initial events, and passes errors on as events', async () => {
      const error = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }
      server.on('GET /api/v1/configmaps', streamAndEnd(added('x'), error))
      const options = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' as const, timeoutSeconds: 9 }
      const events = await collect(connection.client.watch(CONFIG_MAP, options))
      expect(events).to.deep.equal([added('x'), { type: 'ERROR', status: error.object }])
      expect([...server.requests.at(-1)!.query.keys()]).to.include.members(['sendInitialEvents', 'timeoutSeconds'])
    })

    it('names the kind that was asked for in metadata', async () => {
      const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: { name: 'x' } }
      server.on(`GET ${PATH}`, streamAndEnd({ type: 'DELETED', object: partial }))
      const options = { namespace: 'default', metadataOnly: true, sendInitialEvents: true }
      const events = await collect(connection.client.watch(CONFIG_MAP, options))
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } }
      expect(events).to.deep.equal([{ type: 'DELETED', object }])
    })

    it('passes errors on as they are when it asks for metadata only', async () => {
      const error = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }
      server.on(`GET ${PATH}`, streamAndEnd(error))
      const options = { namespace: 'default', metadataOnly: true, sendInitialEvents: true }
      const events = await collect(connection.client.watch(CONFIG_MAP, options))
      expect(events).to.deep.equal([{ type: 'ERROR', status: error.object }])
    })

    it('rejects when it is refused', async () => {
      server.on(`GET ${PATH}`, refuse(410, 'Expired'))
      const options = { namespace: 'default', resourceVersion: '5' }
      expect(await failure(collect(connection.client.watch(CONFIG_MAP, options)))).to.include({ httpStatus: 410 })
    })

    for (const { name, play } of [
      { name: 'the connection breaks', play: cut(`${JSON.stringify(added('x'))}\n{"type`) },
      { name: 'the server closes within an event', play: streamAndEnd(added('x'), '{"type":"ADD') },
      { name: 'something comes that is not an event', play: stream(added('x'), '<html>\n') },
    ]) {
      it(`delivers what came and rejects when ${name}`, async () => {
        server.on(`GET ${PATH}`, play)
        const seen: string[] = []
        const watch = async (): Promise<void> => {
          const options = { namespace: 'default', resourceVersion: '5' }
          for await (const { type } of connection.client.watch(CONFIG_MAP, options)) seen.push(type)
        }
        expect(await failure(watch())).to.include({ httpStatus: 0, reason: 'NoAnswer' })
        expect(seen).to.deep.equal(['BOOKMARK', 'ADDED'])
      })
    }

    it('ends when its signal aborts', async () => {
      server.on(`GET ${PATH}`, stream(added('x')))
      const stop = new AbortController()
      const watch = async (): Promise<void> => {
        const options = { namespace: 'default', resourceVersion: '5', signal: stop.signal }
        for await (const { type } of connection.client.watch(CONFIG_MAP, options)) {
          if (type === 'ADDED') stop.abort(new Error('enough'))
        }
      }
      expect(await failure(watch())).to.have.property('message', 'enough')
    })

    it('closes its connection when its reader stops', async () => {
      let closed = false
      server.on(`GET ${PATH}`, (request, response) => {
        response.on('close', () => {
          closed = true
        })
        return stream(added('x'))(request, response)
      })
      await collect(connection.client.watch(CONFIG_MAP, { namespace: 'default', resourceVersion: '5' }), 2)
      while (!closed) await new Promise((resolve) => setImmediate(resolve))
    })
  })

  it('lets a lease be read while all other connections are taken', async () => {
    const lease = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' }
    const leases = kind('leases', 'Lease', 'Namespaced', lease.group, lease.version)
    const own = new ScriptedServer()
    own.always('GET /api', respond(200, coreDiscovery))
    own.always('GET /apis', respond(200, discovery(lease.group, [version('v1', [leases])])))
    const object = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: KEY }
    own.always('GET /apis/coordination.k8s.io/v1/namespaces/default/leases/a', respond(200, object))
    own.always(`GET ${PATH}/a`, stall)
    const options = { userAgent: 'test', logger: nopLogger, clock, connections: 1 }
    const single = await connect({ ...options, server: { url: await own.start() } })
    await single.client.get(lease, KEY)
    const stop = new AbortController()
    const stuck = failure(single.client.get(CONFIG_MAP, KEY, { signal: stop.signal }))
    await eventually(() => own.lines.includes(`GET ${PATH}/a`), 'the only connection is taken')
    expect(await single.client.get(lease, KEY)).to.deep.equal(object)
    stop.abort()
    expect(await stuck).to.equal(stop.signal.reason)
    await single.close()
    await own.stop()
  })

  describe('while discovery does not answer', () => {
    let silent: ScriptedServer
    let waiting: Connection
    beforeEach(async () => {
      silent = new ScriptedServer().always('GET /api', stall).always('GET /apis', stall)
      const server = { url: await silent.start() }
      waiting = await connect({ userAgent: 'test', logger: nopLogger, clock, server })
    })
    afterEach(async () => {
      await waiting.close()
      await silent.stop()
    })

    type Ask = (signal: AbortSignal) => Promise<unknown>
    const written = { fieldManager: 'f', force: false }
    const asks: Readonly<Record<string, Ask>> = {
      get: (signal) => waiting.client.get(CONFIG_MAP, KEY, { signal }),
      list: (signal) => waiting.client.list(CONFIG_MAP, { signal }),
      watch: (signal) => waiting.client.watch(CONFIG_MAP, { signal })[Symbol.asyncIterator]().next(),
      create: (signal) => waiting.client.create(configMap, { ...written, signal }),
      apply: (signal) => waiting.client.apply(configMap, { ...written, signal }),
      patch: (signal) => waiting.client.patch(CONFIG_MAP, KEY, { type: 'merge', body: {} }, { ...written, signal }),
      delete: (signal) => waiting.client.delete(CONFIG_MAP, KEY, { signal }),
    }
    for (const [verb, ask] of Object.entries(asks)) {
      it(`ends what is asked for by ${verb} when its signal aborts`, async () => {
        const stop = new AbortController()
        const asked = failure(ask(stop.signal))
        await eventually(() => silent.requests.length === 2, 'discovery is asked')
        stop.abort(new Error('the caller stopped'))
        expect(await asked).to.equal(stop.signal.reason)
      })
    }
  })

  it('finds a kind again that was served a moment ago, once discovery may be asked', async () => {
    server.on(`GET ${PATH}/a`, respond(404, '404 page not found'))
    await failure(connection.client.get(CONFIG_MAP, KEY))
    expect(server.lines.filter((line) => line === 'GET /api').length).to.equal(1)
    await clock.advance(5000)
    server.on(`GET ${PATH}/a`, respond(404, '404 page not found')).on(`GET ${PATH}/a`, respond(200, configMap))
    await failure(connection.client.get(CONFIG_MAP, KEY))
    await connection.client.get(CONFIG_MAP, KEY)
    expect(server.lines.filter((line) => line === 'GET /api').length).to.equal(2)
  })
})
