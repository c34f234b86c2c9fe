import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Clock } from '../../core/base/clock.ts'
import { CodedError, explain } from '../../core/base/coded-error.ts'
import type { Logger } from '../../core/base/logger.ts'
import { createServer } from '../../core/base/node-http.ts'
import { untilAborted } from '../../core/base/until-aborted.ts'
import { type AdminAnswer, type AdminRequest, type AdminRoute, type RefusalCode, statusAnswer } from './admin-route.ts'
import { formatListenAddress, isLoopback, type ListenAddress } from './listen-address.ts'
import type { Runnable } from './runnable.ts'

export interface AdminServerOptions {
  /** What the server is for, as messages name it: `metrics`. */
  readonly name: string
  readonly address: ListenAddress
  /** Absent: plain HTTP. */
  readonly tls?: CertificateSource | undefined
  readonly routes: readonly AdminRoute[]
  /** Absent: routes that need it answer only requests from this machine. */
  readonly authorize?: ((request: AdminRequest) => Promise<Access>) | undefined
  readonly clock: Clock
  readonly logger: Logger
}

/** Whether a caller may see a path. `unauthenticated`: the caller is unknown. */
export type Access =
  | { readonly kind: 'allowed' | 'unauthenticated' }
  | { readonly kind: 'forbidden'; readonly message: string }

export interface CertificateSource {
  /** In PEM. It is read from time to time, since certificates are renewed. */
  current(): Promise<{ readonly cert: string; readonly key: string }>
}

const LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
}
const MAX_CONNECTIONS = 128
/** Milliseconds for which a connection may be silent. */
const IDLE_MS = 30_000
/** Milliseconds for one answer. */
const PATIENCE = 10_000
/** Milliseconds between two reads of the certificate. */
const CERTIFICATE_PERIOD = 10_000

/** A small read-only server for the administration of the operator. It has fixed paths and limits everything that a client chooses. */
export class AdminServer implements Runnable {
  readonly name: string
  readonly #options: AdminServerOptions
  #listening: Promise<Server | TlsServer> | undefined
  #port = 0
  #certificate = ''

  constructor(options: AdminServerOptions) {
    this.name = `${options.name} server`
    this.#options = options
  }

  /** The URL, once the server listens. */
  get url(): string {
    const { address, tls } = this.#options
    const host = address.host === '' ? 'localhost' : address.host
    return `${tls ? 'https' : 'http'}://${formatListenAddress({ host, port: this.#port })}`
  }

  /** Starts to listen. @throws CodedError `CannotListen` */
  async listen(): Promise<void> {
    this.#listening ??= this.#listen()
    await this.#listening
  }

  async start(signal: AbortSignal): Promise<void> {
    await this.listen()
    const stopFollowing = this.#followCertificate((await this.#listening) as TlsServer)
    await untilAborted(signal)
    stopFollowing()
    await this.close()
  }

  /** Stops the server, even if it never listened. */
  async close(): Promise<void> {
    const server = await this.#listening?.catch(() => undefined)
    if (!server) return
    await new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    })
  }

  async #listen(): Promise<Server | TlsServer> {
    const { address, tls, name } = this.#options
    const certificate = await tls?.current()
    this.#certificate = JSON.stringify(certificate)
    const server = certificate
      ? createTlsServer({ ...LIMITS, ...certificate, minVersion: 'TLSv1.2' })
      : createServer(LIMITS)
    server.maxConnections = MAX_CONNECTIONS
    server.timeout = IDLE_MS
    server.on('request', (request, response) => void this.#serve(request, response))
    server.on('clientError', refuse)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    server.once('error', reject)
    server.listen({ port: address.port, ...(address.host !== '' && { host: address.host }) }, resolve)
    try {
      await promise
    } catch (cause) {
      const where = formatListenAddress(address)
      throw new CodedError('CannotListen', `cannot listen on ${where} for ${name}`, { cause })
    }
    this.#port = (server.address() as AddressInfo).port
    return server
  }

  #followCertificate(server: TlsServer): () => void {
    const { tls, clock, logger } = this.#options
    if (!tls) return () => undefined
    let cancel = (): void => undefined
    const look = async (): Promise<void> => {
      try {
        const certificate = await tls.current()
        if (this.#certificate !== JSON.stringify(certificate)) {
          server.setSecureContext(certificate)
          this.#certificate = JSON.stringify(certificate)
          logger.info('the certificate is renewed', { server: this.name })
        }
      } catch (error) {
        logger.warn('cannot renew the certificate: the last one is still used', {
          server: this.name,
          error: explain(error),
        })
      }
      again()
    }
    let isOver = false
    const again = (): void => {
      if (!isOver) cancel = clock.schedule(CERTIFICATE_PERIOD, () => void look())
    }
    again()
    return () => {
      isOver = true
      cancel()
    }
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController()
    response.once('close', () => gone.abort(new Error('the client is gone')))
    let answer: AdminAnswer
    try {
      answer = await this.#answer(incoming, gone)
    } catch (error) {
      this.#options.logger.warn('a request failed', { server: this.name, error: explain(error) })
      answer = statusAnswer(500, 'the request failed (see the log of the operator)')
    }
    await send(incoming, response, { answer, signal: gone.signal }).catch((error: unknown) => {
      if (!gone.signal.aborted)
        this.#options.logger.warn('an answer broke off', { server: this.name, error: explain(error) })
      response.destroy()
    })
  }

  async #answer(incoming: IncomingMessage, gone: AbortController): Promise<AdminAnswer> {
    const refusal = this.#refusalOf(incoming)
    if (refusal) return refusal
    const request = toRequest(incoming, gone.signal)
    const route = this.#routeFor(request.path)
    if (!route) return statusAnswer(404, 'there is nothing at this path')
    const answered = new AbortController()
    const patience = this.#options.clock.sleep(PATIENCE, AbortSignal.any([gone.signal, answered.signal]))
    const late = patience.then(() => {
      // What is streamed goes on after the answer.
      if (!answered.signal.aborted) gone.abort(new Error('the answer took too long'))
      return statusAnswer(503, 'the answer took too long')
    })
    return Promise.race([this.#handle(route, request), late]).finally(() => answered.abort())
  }

  async #handle(route: AdminRoute, request: AdminRequest): Promise<AdminAnswer> {
    return (route.access === 'authorized' && (await this.#refusalFor(request))) || route.handle(request)
  }

  #refusalOf({ method, headers, url = '' }: IncomingMessage): AdminAnswer | undefined {
    const { host } = this.#options.address
    if (isLoopback(host) && !isLoopback(hostOf(headers.host))) {
      // Against DNS rebinding: a page in a browser may make any name point to this machine.
      return statusAnswer(403, 'the Host header names another machine')
    }
    if (method !== 'GET' && method !== 'HEAD') {
      return { ...statusAnswer(405, 'only GET and HEAD are answered'), headers: { Allow: 'GET, HEAD' } }
    }
    if (!url.startsWith('/')) return statusAnswer(400, 'the target is not a path')
    if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0) {
      return { ...statusAnswer(413, 'the request must not have a body'), headers: { Connection: 'close' } }
    }
    return undefined
  }

  async #refusalFor(request: AdminRequest): Promise<AdminAnswer | undefined> {
    const { authorize, address } = this.#options
    if (!authorize) {
      return isLoopback(address.host)
        ? undefined
        : statusAnswer(403, 'this path answers only requests from the machine itself')
    }
    const access = await authorize(request)
    if (access.kind === 'allowed') return undefined
    if (access.kind === 'forbidden') return statusAnswer(403, access.message)
    return { ...statusAnswer(401, 'a valid bearer token is required'), headers: { 'WWW-Authenticate': 'Bearer' } }
  }

  #routeFor(path: string): AdminRoute | undefined {
    const fitting = this.#options.routes.filter((one) =>
      one.path.endsWith('/') ? path.startsWith(one.path) : path === one.path,
    )
    return fitting.sort((left, right) => right.path.length - left.path.length)[0]
  }
}

function toRequest({ url = '', headers }: IncomingMessage, signal: AbortSignal): AdminRequest {
  const [path = '', ...query] = url.split('?')
  const header = (name: string): string | undefined => [headers[name]].flat()[0]
  return { path, query: new URLSearchParams(query.join('?')), signal, header }
}

/** The host that a Host header names, without the port. */
function hostOf(header = ''): string {
  return header.replace(/:[0-9]*$/, '').replace(/^\[(.*)\]$/, '$1')
}

interface Sending {
  readonly answer: AdminAnswer
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
}

async function send({ method }: IncomingMessage, response: ServerResponse, sending: Sending): Promise<void> {
  const { answer, signal } = sending
  response.writeHead(answer.status, {
    'Content-Type': answer.contentType,
    ...(!answer.stream && { 'Content-Length': Buffer.byteLength(answer.body) }),
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    ...answer.headers,
  })
  if (method === 'HEAD') return void response.end()
  if (answer.stream) {
    response.write(answer.body)
    await answer.stream((text) => written(response, text, signal), signal)
    return void response.end()
  }
  response.end(answer.body)
}

/** Writes a text. Resolves when the client has taken enough of what was written, or is gone. */
async function written(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted || response.write(text)) return
  await once(response, 'drain', { signal }).catch(() => undefined)
}

const CLIENT_ERRORS: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long'],
}

/** Answers what is not an HTTP request, or not one in time. */
function refuse(error: Error & { code?: string }, socket: Pick<Socket, 'writable' | 'destroy' | 'end'>): void {
  if (!socket.writable) return void socket.destroy()
  const [code, message] = CLIENT_ERRORS[String(error.code)] ?? [400, 'this is not an HTTP request']
  const { body } = statusAnswer(code, message)
  const head = [
    `HTTP/1.1 ${code} Refused`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`)
}
