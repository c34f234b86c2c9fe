import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { type LogFields, type Logger, nopLogger } from '../../../src/core/base/logger.ts'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import { type Access, fixedCredentials } from '../../../src/core/kube-client/access.ts'
import { RequestRate } from '../../../src/core/kube-client/request-rate.ts'
import { type HttpRequest, Transport, type TransportOptions } from '../../../src/core/kube-client/transport.ts'
import { eventually } from '../../support/eventually.ts'
import { cut, limit, type Play, refuse, respond, ScriptedServer, stall, stream } from '../../support/scripted-server.ts'

const READ: HttpRequest = { method: 'GET', path: '/x' }
const WRITE: HttpRequest = { method: 'PATCH', path: '/x', body: '{}', contentType: 'application/merge-patch+json' }
const OK = respond(200, { ok: true })

describe('Transport', () => {
  let server: ScriptedServer
  let clock: FakeClock
  let transport: Transport
  beforeEach(async () => {
    server = new ScriptedServer()
    clock = new FakeClock()
    transport = makeTransport(await server.start())
  })
  afterEach(async () => {
    await transport.close()
    await server.stop()
  })

  function makeTransport(url: string, options: Partial<TransportOptions> = {}): Transport {
    const credentials = fixedCredentials({ headers: { authorization: 'Bearer t' }, tls: {} })
    const access = { url: new URL(url), credentials }
    return new Transport({ server: access, userAgent: 'rolebook/test', clock, logger: nopLogger, ...options })
  }

  const failure = (request: Promise<unknown>): Promise<ApiError> =>
    request.then(
      () => expect.fail('it succeeded'),
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        return error
      },
    )

  /** Sockets need real time, waiting needs fake time: lets both pass in turns. */
  async function letTimePassUntilSettled(sent: Promise<unknown>): Promise<void> {
    let settled = false
    const settle = (): void => {
      settled = true
    }
    sent.then(settle, settle)
    while (!settled) {
      await eventually(() => settled || (clock.nextIn ?? 1e9) <= 11_000, 'the transport waits or ends')
      if (!settled) await clock.advance(50)
    }
  }

  describe('with a limit of requests a second', () => {
    beforeEach(() => {
      const rate = new RequestRate({ clock, perSecond: 0.02, burst: 1 })
      transport = makeTransport(server.url, { rate })
      server.always('GET /x', OK)
    })

    it('holds a request back, and does not count that towards its deadline', async () => {
      await transport.send(READ)
      const second = transport.send(READ)
      await clock.advance(49_999)
      expect(server.requests.length).to.equal(1)
      await clock.advance(1)
      expect((await second).httpStatus).to.equal(200)
    })

    it('holds neither watches nor leases back', async () => {
      await transport.send(READ)
      await transport.send({ ...READ, lane: 'lease' })
      await transport.send({ ...READ, lane: 'own' })
      expect(server.requests.length).to.equal(3)
    })

    it('sends nothing for a caller who gives up meanwhile', async () => {
      await transport.send(READ)
      const caller = new AbortController()
      const second = transport.send({ ...READ, signal: caller.signal }).catch((error: unknown) => error)
      const reason = new Error('never mind')
      caller.abort(reason)
      expect(await second).to.equal(reason)
      expect(server.requests.length).to.equal(1)
    })
  })

  it('sends method, path, headers and body as they are, and says who it is', async () => {
    server.on('PATCH /base/x', OK)
    transport = makeTransport(`${server.url}/base/`)
    expect(transport.serverUrl).to.equal(`${server.url}/base`)
    await transport.send({ ...WRITE, path: '/x?a=b%2Fc' })
    const { headers, body, query } = server.requests[0]!
    expect(headers).to.include({
      authorization: 'Bearer t',
      'user-agent': 'rolebook/test',
      'content-type': 'application/merge-patch+json',
      accept: 'application/json',
    })
    expect([body, query.get('a')]).to.deep.equal(['{}', 'b/c'])
  })

  it('sends many requests over few connections', async () => {
    server.always('GET /x', OK)
    transport = makeTransport(server.url, { connections: 4 })
    await Promise.all(Array.from({ length: 200 }, () => transport.send(READ)))
    expect(server.connections).to.be.at.most(4)
  })

  it('lets watches and leases pass while all shared connections are taken', async () => {
    transport = makeTransport(server.url, { connections: 1 })
    server.on('GET /slow', stall).always('GET /x', OK).on('GET /watch', stream('line'))
    const stop = new AbortController()
    const slow = transport.send({ method: 'GET', path: '/slow', signal: stop.signal }).catch(() => 'stopped')
    await eventually(() => server.requests.length === 1, 'the slow request arrives')
    await transport.send({ ...READ, lane: 'own' })
    for await (const chunk of await transport.stream({ method: 'GET', path: '/watch' })) {
      expect(Buffer.from(chunk).toString()).to.equal('line')
      break
    }
    stop.abort()
    expect(await slow).to.equal('stopped')
  })

  describe('retries', () => {
    const cases: { name: string; fault: Play; request: HttpRequest; retried: boolean; code: number }[] = [
      { name: 'a read after 429', fault: refuse(429, 'TooManyRequests'), request: READ, retried: true, code: 429 },
      { name: 'a write after 429', fault: refuse(429, 'TooManyRequests'), request: WRITE, retried: true, code: 429 },
      { name: 'a read after a limit of the server', fault: limit(1), request: READ, retried: true, code: 429 },
      { name: 'a read after a lost answer', fault: cut(), request: READ, retried: true, code: 0 },
      { name: 'no write after a lost answer', fault: cut(), request: WRITE, retried: false, code: 0 },
      { name: 'a read after a cut answer', fault: cut('{"a":'), request: READ, retried: true, code: 0 },
      { name: 'no write after a cut answer', fault: cut('{"a":'), request: WRITE, retried: false, code: 0 },
      { name: 'nothing after 500', fault: refuse(500, 'InternalError'), request: READ, retried: false, code: 500 },
      { name: 'nothing after HTML', fault: respond(502, '<html>'), request: READ, retried: false, code: 502 },
      {
        name: 'a read after 503 with Retry-After',
        fault: refuse(503, 'ServiceUnavailable', { headers: { 'retry-after': '1' } }),
        request: READ,
        retried: true,
        code: 503,
      },
      {
        name: 'no write after 503 with Retry-After',
        fault: refuse(503, 'ServiceUnavailable', { headers: { 'retry-after': '1' } }),
        request: WRITE,
        retried: false,
        code: 503,
      },
    ]
    for (const { name, fault, request, retried, code } of cases) {
      it(name, async () => {
        server.on(`${request.method} /x`, fault).always(`${request.method} /x`, OK)
        const sent = transport.send(request)
        await letTimePassUntilSettled(sent)
        if (retried) expect((await sent).httpStatus).to.equal(200)
        else expect((await failure(sent)).httpStatus).to.equal(code)
        expect(server.requests.length).to.equal(retried ? 2 : 1)
      })
    }

    it('a write that was never sent, a few times, and then says so', async () => {
      const { url } = server
      await server.stop()
      transport = makeTransport(url)
      const sent = transport.send(WRITE)
      await letTimePassUntilSettled(sent)
      const error = await failure(sent)
      expect(clock.monotonic()).to.be.within(300, 2000)
      expect([error.httpStatus, error.reason]).to.deep.equal([0, 'NoAnswer'])
      server = new ScriptedServer()
      await server.start()
    })
  })

  it('lets every request of the server wait while Retry-After lasts, and none longer', async () => {
    server.on('GET /x', limit(5)).always('GET /x', OK)
    server.always('PATCH /x', OK)
    const first = transport.send(READ)
    await eventually(() => server.requests.length === 1 && clock.nextIn === 5000, 'the first is refused')
    const second = transport.send(WRITE)
    await clock.advance(4999)
    expect(server.requests.length).to.equal(1)
    await clock.advance(201)
    await Promise.all([first, second])
    expect(server.requests.length).to.equal(3)
  })

  const ofOne: { name: string; refusal: Play }[] = [
    { name: 'a webhook', refusal: refuse(429, 'TooManyRequests', { message: 'admission webhook "quota" denied' }) },
    { name: 'a webhook that says when', refusal: refuse(429, 'TooManyRequests', { headers: { 'retry-after': '5' } }) },
    {
      name: 'a disruption budget',
      refusal: refuse(429, 'TooManyRequests', { details: { causes: [{ reason: 'DisruptionBudget' }] } }),
    },
    { name: 'a storage', refusal: refuse(503, 'ServiceUnavailable', { headers: { 'retry-after': '5' } }) },
  ]
  for (const { name, refusal } of ofOne) {
    it(`holds back no other request when the server refuses one for a while: ${name}`, async () => {
      server.on('GET /x', refusal).always('GET /x', OK).always('PATCH /x', OK)
      const first = transport.send(READ)
      await eventually(() => server.requests.length === 1 && (clock.nextIn ?? 30_000) <= 10_000, 'the first is refused')
      const other = transport.send(WRITE)
      await eventually(() => server.lines.includes('PATCH /x'), 'the other arrives')
      expect((await other).httpStatus).to.equal(200)
      await clock.advance(10_000)
      expect((await first).httpStatus).to.equal(200)
    })
  }

  it('sends nothing whose time ends while the server limits requests again and again', async () => {
    const answers: (() => unknown)[] = []
    const late: Play = (request, response) => void answers.push(() => limit(20)(request, response))
    server.on('GET /late', late).on('GET /x', limit(20)).always('GET /x', OK).always('PATCH /x', OK)
    const slow = failure(transport.send({ ...READ, path: '/late' }))
    await eventually(() => answers.length === 1, 'the slow one arrives')
    const first = failure(transport.send(READ))
    await eventually(() => clock.nextIn === 20_000, 'the first is refused')
    const refused: ApiError[] = []
    const waiting = failure(transport.send(WRITE)).then((error) => refused.push(error))
    await clock.advance(15_000)
    answers[0]?.()
    await slow
    await clock.advance(5_200)
    await eventually(() => refused.length === 1, 'the waiting one gives up')
    expect(refused[0]?.retryAfterSeconds).to.be.within(14, 15)
    await Promise.all([first, waiting])
    expect([server.requests.length, clock.pending]).to.deep.equal([2, 0])
  })

  it('lets its caller give up while Retry-After lasts', async () => {
    server.on('GET /x', limit(5)).always('GET /x', OK)
    const first = transport.send(READ)
    await eventually(() => server.requests.length === 1 && clock.nextIn === 5000, 'the first is refused')
    const stop = new AbortController()
    const second = transport.send({ ...READ, signal: stop.signal }).catch((error: unknown) => error)
    await eventually(() => clock.pending === 2, 'the second waits as well')
    stop.abort(new Error('enough'))
    expect(await second).to.equal(stop.signal.reason)
    await clock.advance(5200)
    await first
    expect(server.requests.length).to.equal(2)
  })

  it('fails at once, with the time to wait, when Retry-After lasts longer than a request may', async () => {
    server.on('GET /x', limit(60))
    const refused = await failure(transport.send(READ))
    const waiting = await failure(transport.send(WRITE))
    expect([refused.retryAfterSeconds, waiting.retryAfterSeconds]).to.deep.equal([60, 60])
    expect([refused.httpStatus, waiting.httpStatus, server.requests.length]).to.deep.equal([429, 429, 1])
  })

  it('does not let leases wait for a Retry-After that others got', async () => {
    server.on('GET /x', limit(60)).always('GET /x', OK)
    await failure(transport.send(READ))
    expect((await transport.send({ ...READ, lane: 'own' })).httpStatus).to.equal(200)
  })

  for (const { name, fault } of [
    { name: 'no answer', fault: stall },
    { name: 'an answer that stops half way', fault: stream('{"a":') },
  ]) {
    it(`gives up after the deadline: ${name}`, async () => {
      server.always('PATCH /x', fault)
      const sent = failure(transport.send(WRITE))
      await eventually(() => server.requests.length === 1, 'the request arrives')
      await clock.advance(30_000)
      const error = await sent
      expect([error.httpStatus, error.reason]).to.deep.equal([0, 'NoAnswer'])
      expect(clock.pending).to.equal(0)
    })
  }

  it('gives up a stream whose headers do not come, but never one that is open', async () => {
    server.on('GET /x', stall).on('GET /x', stream('line'))
    const opening = failure(transport.stream(READ))
    await eventually(() => server.requests.length === 1, 'the request arrives')
    await clock.advance(30_000)
    expect((await opening).reason).to.equal('NoAnswer')
    const open = await transport.stream(READ)
    await clock.advance(3_600_000)
    for await (const chunk of open) {
      expect(Buffer.from(chunk).toString()).to.equal('line')
      break
    }
  })

  it("rejects with the caller's reason when the caller gives up, waiting or sent", async () => {
    server.always('GET /x', stall)
    const stop = new AbortController()
    const sent = transport.send({ ...READ, signal: stop.signal }).catch((error: unknown) => error)
    await eventually(() => server.requests.length === 1, 'the request arrives')
    stop.abort(new Error('enough'))
    expect(await sent).to.have.property('message', 'enough')
    expect(await transport.send({ ...READ, signal: stop.signal }).catch((error: unknown) => error)).to.equal(
      stop.signal.reason,
    )
    expect(clock.pending).to.equal(0)
  })

  it('refuses an answer that is no UTF-8, instead of keeping what it cannot read', async () => {
    server.always('PATCH /x', (_request, response) => {
      response.end(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]))
    })
    expect((await failure(transport.send(WRITE))).reason).to.equal('NoAnswer')
  })

  it('renews access once after 401, then gives the refusal to the caller', async () => {
    const used: Access[] = [
      { headers: { authorization: 'old' }, tls: {} },
      { headers: { authorization: 'new' }, tls: {} },
    ]
    let current = 0
    const credentials = {
      current: async () => used[current]!,
      renew: async () => {
        current = 1
        return true
      },
      close: () => undefined,
    }
    transport = makeTransport(server.url, { server: { url: new URL(server.url), credentials } })
    server.on('GET /x', refuse(401, 'Unauthorized')).on('GET /x', OK).always('GET /x', refuse(401, 'Unauthorized'))
    await transport.send(READ)
    expect(server.requests.map(({ headers }) => headers.authorization)).to.deep.equal(['old', 'new'])
    expect((await failure(transport.send(READ))).httpStatus).to.equal(401)
    expect(server.requests.length).to.equal(4)
  })

  for (const { name, first } of [
    { name: 'before anything is sent', first: undefined },
    { name: 'after a refusal', first: { headers: {}, tls: {} } },
  ]) {
    describe(`while credentials do not come, ${name},`, () => {
      let sent: Promise<unknown>
      let caller: AbortController
      beforeEach(async () => {
        let isAsked = false
        const hang = (): Promise<never> => {
          isAsked = true
          return new Promise(() => undefined)
        }
        const current = async (): Promise<Access> => first ?? hang()
        const credentials = { current, renew: hang, close: () => undefined }
        transport = makeTransport(server.url, { server: { url: new URL(server.url), credentials } })
        server.always('GET /x', refuse(401, 'Unauthorized'))
        caller = new AbortController()
        sent = transport.send({ ...READ, signal: caller.signal }).catch((error: unknown) => error)
        await eventually(() => isAsked, 'they are asked for')
      })

      it('waits as long as a request may take', async () => {
        await clock.advance(30_000)
        const error = await sent
        expect(error).to.include({ httpStatus: 401, reason: 'Unauthorized' })
        expect(error)
          .to.have.property('message')
          .that.matches(/^cannot GET \/x: .*exec plugin/)
        expect(clock.pending).to.equal(0)
      })

      it('lets its caller give up', async () => {
        caller.abort(new Error('enough'))
        expect(await sent).to.equal(caller.signal.reason)
        expect(clock.pending).to.equal(0)
      })
    })
  }

  it('logs each warning of the server once', async () => {
    const warnings: (LogFields | undefined)[] = []
    const logger: Logger = { ...nopLogger, warn: (_message, fields) => warnings.push(fields) }
    transport = makeTransport(server.url, { logger })
    server.always('GET /x', respond(200, {}, { warning: ['299 - "unknown field \\"spec.x\\""', '299 - "b"'] }))
    await transport.send(READ)
    await transport.send(READ)
    expect(warnings.length).to.equal(2)
    expect(warnings[0]?.warning).to.contain('unknown field')
  })

  it('gives each warning of the server to a caller that asks for warnings, and does not log it', async () => {
    const warnings: string[] = []
    server.always('GET /x', respond(200, {}, { warning: ['299 - "a"', '299 - "b"'] }))
    const logger: Logger = { ...nopLogger, warn: () => expect.fail('it was logged') }
    transport = makeTransport(server.url, { logger })
    for (let time = 0; time < 2; time++) await transport.send({ ...READ, warn: (warning) => warnings.push(warning) })
    expect(warnings).to.deep.equal(['299 - "a"', '299 - "b"'])
  })

  it('ends what is under way when it is closed', async () => {
    server.always('PATCH /x', stall)
    const sent = failure(transport.send(WRITE))
    await eventually(() => server.requests.length === 1, 'the request arrives')
    await transport.close()
    expect((await sent).reason).to.equal('NoAnswer')
  })

  it('sends nothing again once it is closed, nor anything new', async () => {
    server.always('GET /x', stall)
    const sent = failure(transport.send(READ))
    await eventually(() => server.requests.length === 1, 'the request arrives')
    await transport.close()
    await letTimePassUntilSettled(sent)
    const { message } = await failure(transport.send(READ))
    expect(message).to.equal('cannot GET /x: the connection is closed')
    expect([server.requests.length, clock.pending]).to.deep.equal([1, 0])
  })
})
