import { expect } from 'chai'
import { CodedError } from '../../../src/core/base/coded-error.ts'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { type Access, fixedCredentials } from '../../../src/core/kube-client/access.ts'
import { DiscoveredMapper } from '../../../src/core/kube-client/discovered-mapper.ts'
import { Transport } from '../../../src/core/kube-client/transport.ts'
import { coreDiscovery, discovery, groupDiscovery, kind, version } from '../../support/discovery-documents.ts'
import { refuse, respond, ScriptedServer } from '../../support/scripted-server.ts'

const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget' }
const GIZMO = { group: 'example.com', version: 'v1', kind: 'Gizmo' }

describe('DiscoveredMapper', () => {
  let server: ScriptedServer
  let clock: FakeClock
  let transport: Transport
  let mapper: DiscoveredMapper
  beforeEach(async () => {
    server = new ScriptedServer()
    clock = new FakeClock()
    const credentials = fixedCredentials({ headers: {}, tls: {} })
    const access = { url: new URL(await server.start()), credentials }
    transport = new Transport({ server: access, userAgent: 'test', clock, logger: nopLogger })
    mapper = new DiscoveredMapper({ transport, clock, logger: nopLogger })
  })
  afterEach(async () => {
    await transport.close()
    await server.stop()
  })
  const aggregated = (groups: object = groupDiscovery): ScriptedServer =>
    server.always('GET /api', respond(200, coreDiscovery)).on('GET /apis', respond(200, groups))
  const failure = (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: unknown) => error)
  const asked = (path: string): number => server.requests.filter((request) => request.path === path).length

  it('learns everything in two requests, also for several callers at the same time', async () => {
    aggregated()
    const pod = { group: '', version: 'v1', kind: 'Pod' }
    const [widget, mapping] = await Promise.all([mapper.mappingFor(WIDGET), mapper.mappingFor(pod)])
    expect(widget).to.include({ plural: 'widgets', namespaced: true })
    expect(widget.subresources).to.deep.equal(['status'])
    expect(mapping.gvk).to.deep.equal(pod)
    expect(server.requests.length).to.equal(2)
  })

  it('prefers the version that the server names first, and one that has the kind', async () => {
    aggregated()
    expect(await mapper.preferred(WIDGET)).to.deep.equal(WIDGET)
    expect(await mapper.preferred({ group: 'example.com', kind: 'Gadget' })).to.include({ version: 'v1beta1' })
    expect(await mapper.preferred({ group: 'example.com', kind: 'Nothing' })).to.equal(undefined)
  })

  it('asks again for an unknown kind, but not more often than each 5 s', async () => {
    aggregated()
    await mapper.mappingFor(WIDGET)
    for (let count = 0; count < 10; count++) {
      expect(await failure(mapper.mappingFor(GIZMO))).to.include({ httpStatus: 404, reason: 'KindNotServed' })
    }
    expect(asked('/apis')).to.equal(1)
    await clock.advance(5000)
    const gizmo = kind('gizmos', 'Gizmo', 'Namespaced', 'example.com', 'v1')
    server.on('GET /apis', respond(200, discovery('example.com', [version('v1', [gizmo])])))
    expect((await mapper.mappingFor(GIZMO)).plural).to.equal('gizmos')
    expect(asked('/apis')).to.equal(2)
  })

  it('asks at once after refresh', async () => {
    aggregated()
    await mapper.mappingFor(WIDGET)
    mapper.refresh()
    server.on('GET /apis', respond(200, discovery('example.com', [])))
    expect(await failure(mapper.mappingFor(WIDGET))).to.include({ reason: 'KindNotServed' })
  })

  it('asks again for a kind in doubt, and holds up no other kind for it', async () => {
    aggregated()
    const pod = { group: '', version: 'v1', kind: 'Pod' }
    await mapper.mappingFor(WIDGET)
    await clock.advance(5000)
    mapper.doubt(WIDGET)
    server.on('GET /apis', respond(500, {}))
    expect(await failure(mapper.mappingFor(WIDGET)), 'while discovery fails').to.include({ httpStatus: 500 })
    expect((await mapper.mappingFor(pod)).plural, 'another kind meanwhile').to.equal('pods')
    server.on('GET /apis', respond(200, discovery('example.com', [])))
    expect(await failure(mapper.mappingFor(WIDGET))).to.include({ reason: 'KindNotServed' })
  })

  it('keeps what it knew of a group that cannot be reached, and says 503 for the rest of it', async () => {
    aggregated()
    await mapper.mappingFor(WIDGET)
    await clock.advance(5000)
    server.on('GET /apis', respond(200, discovery('example.com', [version('v1', [], 'Stale')])))
    expect(await failure(mapper.mappingFor(GIZMO))).to.include({ httpStatus: 503 })
    expect((await mapper.mappingFor(WIDGET)).plural).to.equal('widgets')
  })

  it('rejects with the failure itself while the server does not answer, then recovers', async () => {
    server.on('GET /apis', refuse(500, 'InternalError')).always('GET /api', respond(200, coreDiscovery))
    expect(await failure(mapper.mappingFor(WIDGET))).to.include({ httpStatus: 500 })
    server.on('GET /apis', respond(200, groupDiscovery))
    expect((await mapper.mappingFor(WIDGET)).plural).to.equal('widgets')
  })

  it('gives a failure to get credentials to the caller, instead of taking a group for broken', async () => {
    const failed = new CodedError('InvalidKubeconfig', 'gone')
    const given = fixedCredentials({ headers: {}, tls: {} })
    let times = 0
    const current = async (): Promise<Access> => {
      times += 1
      if (times > 2) throw failed
      return given.current()
    }
    const access = { url: new URL(server.url), credentials: { ...given, current } }
    const broken = new Transport({ server: access, userAgent: 'test', clock, logger: nopLogger })
    server.on('GET /api', respond(200, { kind: 'APIVersions', versions: ['v1'] }))
    server.on('GET /apis', respond(200, { kind: 'APIGroupList', groups: [] }))
    const asking = new DiscoveredMapper({ transport: broken, clock, logger: nopLogger }).mappingFor(WIDGET)
    expect(await failure(asking)).to.equal(failed)
    await broken.close()
  })

  it('reads the documents of older servers, group by group', async () => {
    const versions = [{ version: 'v1beta1' }, { version: 'v1' }]
    const groups = [{ name: 'example.com', versions, preferredVersion: { version: 'v1' } }]
    const broken = { name: 'broken.io', versions: [{ version: 'v1' }] }
    const resources = [
      { name: 'widgets', kind: 'Widget', namespaced: true, verbs: ['get'] },
      { name: 'widgets/status', kind: 'Widget', namespaced: true, verbs: ['get'] },
    ]
    server.on('GET /api', respond(200, { kind: 'APIVersions', versions: ['v1'] }))
    server.on(
      'GET /api/v1',
      respond(200, { resources: [{ name: 'namespaces', kind: 'Namespace', namespaced: false }] }),
    )
    server.on('GET /apis', respond(200, { kind: 'APIGroupList', groups: [...groups, broken] }))
    server.on('GET /apis/example.com/v1', respond(200, { resources }))
    server.on('GET /apis/example.com/v1beta1', respond(200, { resources }))
    server.on('GET /apis/broken.io/v1', refuse(500, 'InternalError'))
    expect(await mapper.mappingFor(WIDGET)).to.deep.include({ plural: 'widgets', subresources: ['status'] })
    expect(await mapper.preferred(WIDGET)).to.deep.equal(WIDGET)
    expect(await mapper.mappingFor({ group: '', version: 'v1', kind: 'Namespace' })).to.include({ namespaced: false })
    const missing = { group: 'broken.io', version: 'v1', kind: 'X' }
    expect(await failure(mapper.mappingFor(missing))).to.include({ httpStatus: 503 })
  })
})
