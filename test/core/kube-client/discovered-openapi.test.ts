import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { fixedCredentials } from '../../../src/core/kube-client/access.ts'
import { DiscoveredOpenApi } from '../../../src/core/kube-client/discovered-openapi.ts'
import { Transport } from '../../../src/core/kube-client/transport.ts'
import { SandboxCluster } from '../../../src/sandbox/cluster/sandbox-cluster.ts'
import { eventually } from '../../support/eventually.ts'
import { crd, WIDGET } from '../../support/operator-sandbox.ts'
import { refuse, respond, ScriptedServer, type SeenRequest } from '../../support/scripted-server.ts'

const CORE = { group: '', version: 'v1' }
const WIDGETS = { group: 'example.com', version: 'v1' }

describe('DiscoveredOpenApi', () => {
  let server: ScriptedServer
  let transport: Transport
  let openApi: DiscoveredOpenApi
  beforeEach(async () => {
    server = new ScriptedServer()
    const credentials = fixedCredentials({ headers: {}, tls: {} })
    const access = { url: new URL(await server.start()), credentials }
    transport = new Transport({ server: access, userAgent: 'test', clock: new FakeClock(), logger: nopLogger })
    openApi = new DiscoveredOpenApi(transport)
  })
  afterEach(async () => {
    await transport.close()
    await server.stop()
  })
  const failure = (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: unknown) => error)
  const index = (hash: string): object => ({
    paths: {
      'api/v1': { serverRelativeURL: `/openapi/v3/api/v1?hash=${hash}` },
      'apis/example.com/v1': { serverRelativeURL: '/openapi/v3/apis/example.com/v1?hash=1' },
      'apis/evil.com/v1': { serverRelativeURL: 'http://elsewhere' },
      'apis/odd.com/v1': 'no object',
    },
  })

  it('fetches a document again when its hash in the index is another, and only then', async () => {
    server.on('GET /openapi/v3', respond(200, index('1')), 2).on('GET /openapi/v3', respond(200, index('2')))
    server.on('GET /openapi/v3/api/v1', respond(200, { first: true }))
    expect(await openApi.document(CORE)).to.deep.equal({ first: true })
    expect(await openApi.document(CORE)).to.deep.equal({ first: true })
    server.on('GET /openapi/v3/api/v1', respond(200, { second: true }))
    expect(await openApi.document(CORE)).to.deep.equal({ second: true })
    expect(server.lines).to.deep.equal([
      'GET /openapi/v3',
      'GET /openapi/v3/api/v1',
      'GET /openapi/v3',
      'GET /openapi/v3',
      'GET /openapi/v3/api/v1',
    ])
  })

  it('asks once for all questions of a moment, and once more for those that come meanwhile', async () => {
    let answer = (): void => undefined
    const held = (seen: SeenRequest, response: Parameters<ReturnType<typeof respond>>[1]): void => {
      answer = () => respond(200, index('1'))(seen, response)
    }
    server.on('GET /openapi/v3', held).on('GET /openapi/v3', respond(200, index('2')))
    server.on('GET /openapi/v3/api/v1', respond(200, { first: true }))
    const first = [openApi.document(CORE), openApi.document(CORE)]
    await eventually(() => server.requests.length === 1, 'the index is asked for')
    const later = [openApi.document(CORE), openApi.document(CORE), openApi.document(CORE)]
    answer()
    expect(await Promise.all(first)).to.deep.equal([{ first: true }, { first: true }])
    server.on('GET /openapi/v3/api/v1', respond(200, { second: true }))
    expect(await Promise.all(later)).to.deep.equal(Array.from({ length: 3 }, () => ({ second: true })))
    expect(server.lines.filter((line) => line === 'GET /openapi/v3').length).to.equal(2)
  })

  for (const { name, group, answer } of [
    { name: 'a group that is not served', group: 'nope', answer: index('1') },
    { name: 'an address on another host', group: 'evil.com', answer: index('1') },
    { name: 'an entry without address', group: 'odd.com', answer: index('1') },
    { name: 'an index of another form', group: 'example.com', answer: { paths: [] } },
  ]) {
    it(`has no document: ${name}`, async () => {
      server.on('GET /openapi/v3', respond(200, answer))
      expect(await openApi.document({ group, version: 'v1' })).to.equal(undefined)
      expect(server.requests.length).to.equal(1)
    })
  }

  it('asks again after a failure, of the index or of the document', async () => {
    server.on('GET /openapi/v3', refuse(500, 'InternalError')).always('GET /openapi/v3', respond(200, index('1')))
    server.on('GET /openapi/v3/apis/example.com/v1', refuse(500, 'InternalError'))
    server.on('GET /openapi/v3/apis/example.com/v1', respond(200, { openapi: '3.0.0' }))
    expect(await failure(openApi.document(WIDGETS))).to.include({ httpStatus: 500 })
    expect(await failure(openApi.document(WIDGETS))).to.include({ httpStatus: 500 })
    expect(await openApi.document(WIDGETS)).to.deep.equal({ openapi: '3.0.0' })
  })

  it('shows a field that was added to a kind just before', async () => {
    const cluster = await SandboxCluster.start({ clock: systemClock, logger: nopLogger, tls: false })
    try {
      const known = { type: 'string' }
      const isThere = async (): Promise<boolean> =>
        JSON.stringify(await cluster.connection.openApi.document(WIDGET)).includes('"addedField"')
      await cluster.install(crd(WIDGET, { status: { type: 'object', properties: { known } } }))
      expect(await isThere()).to.equal(false)
      await cluster.install(crd(WIDGET, { status: { type: 'object', properties: { known, addedField: known } } }))
      expect(await isThere()).to.equal(true)
    } finally {
      await cluster.stop()
    }
  })
})
