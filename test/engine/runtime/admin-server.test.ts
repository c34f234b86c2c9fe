import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import {
  type AdminAnswer,
  type AdminRequest,
  type AdminRoute,
  textAnswer,
} from '../../../src/engine/runtime/admin-route.ts'
import { AdminServer, type AdminServerOptions } from '../../../src/engine/runtime/admin-server.ts'

const LOOPBACK = { host: '127.0.0.1', port: 0 }

const ROUTES: readonly AdminRoute[] = [
  { path: '/open', access: 'public', handle: ({ query }) => textAnswer(200, `open ${query.get('a')}`) },
  { path: '/things/', access: 'public', handle: ({ path }) => textAnswer(200, path) },
  { path: '/things/one/', access: 'public', handle: () => textAnswer(200, 'the longer') },
  { path: '/closed', access: 'authorized', handle: () => textAnswer(200, 'closed') },
  {
    path: '/broken',
    access: 'public',
    handle() {
      throw new Error('out of order')
    },
  },
]

interface Answered {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

describe('AdminServer', () => {
  const stops: (() => Promise<void>)[] = []

  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()))
  })

  async function serve(options: Partial<AdminServerOptions> = {}): Promise<AdminServer> {
    const defaults = { name: 'test', address: LOOPBACK, routes: ROUTES, clock: new FakeClock(), logger: nopLogger }
    const server = new AdminServer({ ...defaults, ...options })
    await server.listen()
    const abort = new AbortController()
    const running = server.start(abort.signal)
    stops.push(async () => {
      abort.abort()
      await running
    })
    return server
  }

  it('streams for as long as a route has something to send, beyond the time that an answer may take', async () => {
    const clock = new FakeClock()
    const more = Promise.withResolvers<void>()
    const stream: AdminAnswer['stream'] = async (send, signal) => {
      await send('first ')
      await more.promise
      await send(signal.aborted ? 'aborted' : 'second')
    }
    const answer = { status: 200, contentType: 'text/plain', body: 'begin ', stream }
    const server = await serve({ clock, routes: [{ path: '/stream', access: 'public', handle: () => answer }] })
    const response = await fetch(`${server.url}/stream`)
    await clock.advance(60_000)
    more.resolve()
    expect(await response.text()).to.equal('begin first second')
  })

  it('ends a stream whose client is gone, however slowly it has read', async () => {
    const ended = Promise.withResolvers<number>()
    const stream: AdminAnswer['stream'] = async (send, signal) => {
      let texts = 0
      while (!signal.aborted) {
        await send('x'.repeat(1_000_000))
        texts++
      }
      ended.resolve(texts)
    }
    const answer = { status: 200, contentType: 'text/plain', body: '', stream }
    const server = await serve({ routes: [{ path: '/stream', access: 'public', handle: () => answer }] })
    const gone = new AbortController()
    await fetch(`${server.url}/stream`, { signal: gone.signal })
    gone.abort()
    expect(await ended.promise, 'texts that were not taken').to.be.below(50)
  })

  const cases = [
    { name: 'an exact path with its query', path: '/open?a=b?c', status: 200, body: 'open b?c' },
    { name: 'a path below a prefix, undecoded', path: '/things/a%2fb/../c', status: 200, body: '/things/a%2fb/../c' },
    { name: 'the longest prefix', path: '/things/one/x', status: 200, body: 'the longer' },
    { name: 'HEAD without a body', path: '/open', method: 'HEAD', status: 200, body: '' },
    { name: 'a path that is longer than an exact one', path: '/open/', status: 404, reason: 'NotFound' },
    { name: 'a path without a handler', path: '/', status: 404, reason: 'NotFound' },
    { name: 'a target that is not a path', path: 'http://elsewhere/open', status: 400, reason: 'BadRequest' },
    { name: 'POST', path: '/open', method: 'POST', status: 405, reason: 'MethodNotAllowed' },
    { name: 'DELETE where there is nothing', path: '/', method: 'DELETE', status: 405, reason: 'MethodNotAllowed' },
    { name: 'a body', path: '/open', send: 'x', status: 413, reason: 'RequestEntityTooLarge' },
    {
      name: 'a Host of another name (DNS rebinding)',
      path: '/open',
      host: 'evil.example',
      status: 403,
      reason: 'Forbidden',
    },
    { name: 'a Host without a port', path: '/open', host: 'localhost', status: 200, body: 'open null' },
    { name: 'a Host of IPv6', path: '/open', host: '[::1]:80', status: 200, body: 'open null' },
    {
      name: 'a Host that only begins like one',
      path: '/open',
      host: '127.0.0.1.evil.example',
      status: 403,
      reason: 'Forbidden',
    },
    { name: 'a handler that fails', path: '/broken', status: 500, reason: 'InternalError' },
    { name: 'an authorized path on loopback', path: '/closed', status: 200, body: 'closed' },
    {
      name: 'headers beyond 16 KiB',
      path: '/open',
      host: 'x'.repeat(20_000),
      status: 431,
      reason: 'RequestHeaderFieldsTooLarge',
    },
  ]
  for (const { name, path, method = 'GET', host, send, status, body, reason } of cases) {
    it(`answers ${status} to ${name}`, async () => {
      const server = await serve()
      const answer = await ask(server, { path, method, host, send })
      expect(answer.status).to.equal(status)
      if (body !== undefined) expect(answer.body).to.equal(body)
      if (reason !== undefined) {
        expect(JSON.parse(answer.body)).to.include({
          kind: 'Status',
          apiVersion: 'v1',
          status: 'Failure',
          reason,
          code: status,
        })
        expect(answer.headers['content-type']).to.equal('application/json')
      }
    })
  }

  it('answers 400 to what is no request, and goes on after a client that hangs up in the middle of one', async () => {
    const { url } = await serve()
    const { hostname, port } = new URL(url)
    const garbage = connect({ host: hostname, port: Number(port) })
    garbage.end('no request at all\r\n\r\n')
    const answered = await text(garbage)
    expect(answered).to.match(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(answered.split('\r\n\r\n')[1] ?? '')).to.include({ kind: 'Status', reason: 'BadRequest' })
    const hasty = connect({ host: hostname, port: Number(port) })
    await new Promise((resolve) => hasty.write('GET /open HTTP/1.1\r\nHost: ', resolve))
    hasty.resetAndDestroy()
    expect((await fetch(`${url}/open`)).status).to.equal(200)
  })

  it('answers 503 when a handler takes too long, and aborts the handler', async () => {
    const clock = new FakeClock()
    const begun = Promise.withResolvers<AbortSignal>()
    const handle = (request: AdminRequest): Promise<never> => {
      begun.resolve(request.signal)
      return new Promise(() => undefined)
    }
    const server = await serve({ clock, routes: [{ path: '/slow', access: 'public', handle }] })
    const answer = ask(server, { path: '/slow' })
    const signal = await begun.promise
    await clock.advance(10_000)
    expect((await answer).status).to.equal(503)
    expect(signal.aborted).to.equal(true)
  })
})

function ask(
  server: AdminServer,
  {
    path,
    method = 'GET',
    host,
    send,
  }: { path: string; method?: string; host?: string | undefined; send?: string | undefined },
): Promise<Answered> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const headers = { ...(host !== undefined && { host }), ...(send && { 'content-length': send.length }) }
    const request = httpRequest({ hostname, port, path, method, headers, agent: false }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }))
    })
    request.on('error', reject)
    request.end(send)
  })
}
