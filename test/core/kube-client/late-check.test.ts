import type { ServerResponse } from 'node:http'
import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { guarded } from '../../../src/core/kube/client-decorators.ts'
import { type Connection, connect } from '../../../src/core/kube-client/connect.ts'
import { coreDiscovery, groupDiscovery } from '../../support/discovery-documents.ts'
import { eventually } from '../../support/eventually.ts'
import { limit, refuse, respond, ScriptedServer, stall, streamAndEnd } from '../../support/scripted-server.ts'

const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }
const LEASE = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' }
const KEY = { namespace: 'default', name: 'a' }
const PATH = 'PATCH /api/v1/namespaces/default/configmaps/a'
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
const PATCH = { type: 'merge', body: {} } as const
const OK = respond(200, { apiVersion: 'v1', kind: 'ConfigMap', metadata: KEY })

describe('A write that is not allowed any more when its turn comes', () => {
  let server: ScriptedServer
  let connection: Connection
  let clock: FakeClock
  let mayWrite: boolean
  beforeEach(async () => {
    server = new ScriptedServer()
    clock = new FakeClock()
    mayWrite = true
    const url = await server.start()
    server.always('GET /api', respond(200, coreDiscovery)).always('GET /apis', respond(200, groupDiscovery))
    const options = { userAgent: 'rolebook/test', logger: nopLogger, clock, connections: 1 }
    connection = await connect({ ...options, server: { url } })
  })
  afterEach(async () => {
    await connection.close()
    await server.stop()
  })

  const write = (): Promise<unknown> => {
    const check = (): void => {
      if (!mayWrite) throw new Error('not allowed')
    }
    const client = guarded(connection.client, check)
    return client.patch(CONFIG_MAP, KEY, PATCH, { fieldManager: 'm' }).catch((error: unknown) => String(error))
  }
  const writes = (): number => server.lines.filter((line) => line === PATH).length

  it('is not sent when it waited for a connection; the connection serves the next', async () => {
    const answers: ServerResponse[] = []
    server.on(PATH, (_request, response) => void answers.push(response)).always(PATH, OK)
    const first = write()
    await eventually(() => answers.length === 1, 'the first arrives')
    const second = write()
    await clock.settle()
    mayWrite = false
    answers[0]?.end('{"metadata":{}}')
    expect([await second, writes()]).to.deep.equal(['Error: not allowed', 1])
    await first
    mayWrite = true
    expect(await write()).to.have.property('kind', 'ConfigMap')
    expect([writes(), server.connections]).to.deep.equal([2, 1])
  })

  it('is not sent again when the server asked to wait', async () => {
    server.on(PATH, refuse(429, 'TooManyRequests', { headers: { 'retry-after': '2' } })).always(PATH, OK)
    const refused = write()
    await eventually(() => writes() === 1 && clock.nextIn === 2000, 'the first is refused')
    mayWrite = false
    await clock.advance(2500)
    expect([await refused, writes()]).to.deep.equal(['Error: not allowed', 1])
  })

  it('is not sent when it waited for an open gate', async () => {
    server.on(PATH, limit(2)).always(PATH, OK)
    const first = write()
    await eventually(() => writes() === 1 && clock.nextIn === 2000, 'the first is refused')
    const second = write()
    await clock.settle()
    mayWrite = false
    await clock.advance(2500)
    expect([await first, await second, writes()]).to.deep.equal(['Error: not allowed', 'Error: not allowed', 1])
  })

  it('is not sent when it waited for discovery', async () => {
    const sent = write()
    mayWrite = false
    expect([await sent, writes()]).to.deep.equal(['Error: not allowed', 0])
  })

  it('is checked by everybody who guards it', async () => {
    server.always(PATH, OK)
    const asked: string[] = []
    const inner = guarded(connection.client, ({ verb }) => void asked.push(`inner ${verb}`))
    await guarded(inner, ({ verb }) => void asked.push(`outer ${verb}`)).patch(CONFIG_MAP, KEY, PATCH, {
      fieldManager: 'm',
    })
    expect(asked).to.deep.equal(['outer patch', 'inner patch', 'outer patch', 'inner patch'])
  })

  describe('while a lease is served on time', () => {
    it('although the server does not answer what it serves', async () => {
      const quiet = await connect({
        userAgent: 'rolebook/test',
        logger: nopLogger,
        clock,
        server: { url: server.url, token: 'quiet' },
      })
      server.on(`PATCH ${LEASES}/a`, OK).on(`GET ${LEASES}`, streamAndEnd())
      await quiet.client.patch(LEASE, KEY, PATCH, { fieldManager: 'm' })
      for await (const _event of quiet.client.watch(LEASE, { namespace: 'default' })) expect.fail('nothing happened')
      expect(server.lines).to.deep.equal([`PATCH ${LEASES}/a`, `GET ${LEASES}`])
      await quiet.close()
    })

    it('although watches are to wait', async () => {
      server.on('GET /api/v1/namespaces/default/configmaps', limit(60))
      const watch = connection.client.watch(CONFIG_MAP, { namespace: 'default' })[Symbol.asyncIterator]()
      expect(await watch.next().catch((error: unknown) => error)).to.have.property('httpStatus', 429)
      server.on(`PATCH ${LEASES}/a`, OK).on(PATH, stall)
      await connection.client.patch(LEASE, KEY, PATCH, { fieldManager: 'm' })
      expect(server.lines.at(-1)).to.equal(`PATCH ${LEASES}/a`)
    })
  })
})
