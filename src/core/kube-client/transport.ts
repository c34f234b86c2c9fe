import { isUtf8 } from 'node:buffer'
import type { Dispatcher } from 'undici'
import type { Clock } from '../base/clock.ts'
import { CodedError } from '../base/coded-error.ts'
import { inTime } from '../base/in-time.ts'
import type { Logger } from '../base/logger.ts'
import { ApiError } from '../kube/api-error.ts'
import type { Access, ServerAccess } from './access.ts'
import { Exchange } from './exchange.ts'
import { Guard } from './exchange-guard.ts'
import { type Lane, type Lanes, openLanes } from './lanes.ts'
import type { RequestRate } from './request-rate.ts'
import { type HttpMethod, retryDecision } from './retry-policy.ts'
import { ServerGate } from './server-gate.ts'
import { type HttpAnswer, toApiError } from './to-api-error.ts'

export interface TransportOptions {
  readonly server: ServerAccess
  readonly userAgent: string
  readonly clock: Clock
  readonly logger: Logger
  /** Connections that requests share. Watches have their own. Defaults to 32. */
  readonly connections?: number | undefined
  /** Milliseconds that a request may take, with all waiting and retries. Defaults to 30 s. */
  readonly deadline?: number | undefined
  /** Requests of the shared lane a second. Defaults to no limit. */
  readonly rate?: RequestRate | undefined
  /** Defaults to none. */
  readonly onExchange?: ExchangeListener | undefined
}

/**
 * Called when a request leaves, and when it leaves again after a failure, in the asynchronous context of its caller; not for streams. What
 * it returns is called with the status of the answer, or with what is thrown instead: the first call counts. Neither ever throws.
 */
export type ExchangeListener = (sent: SentRequest) => (end: ExchangeEnd) => void

export interface SentRequest {
  readonly method: HttpMethod
  /** With the query, encoded. */
  readonly url: string
}

export type ExchangeEnd = { readonly httpStatus: number } | { readonly error: unknown }

export interface HttpRequest {
  readonly method: HttpMethod
  /** With the query, encoded. */
  readonly path: string
  readonly accept?: string | undefined
  readonly contentType?: string | undefined
  /** Further headers. Defaults to none. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** `own` never waits behind other requests, `lease` not even when watches are to wait. Defaults to `shared`. */
  readonly lane?: Lane | undefined
  /** Called at the last moment before each attempt leaves. What it throws is thrown, and nothing is sent. */
  readonly beforeSend?: (() => void) | undefined
  /** Receives each new warning of the server. A warning may quote the body. Defaults to the log. */
  readonly warn?: ((warning: string) => void) | undefined
}

interface Tries {
  readonly attempt: number
  /** When the deadline of all of them is. */
  readonly end: number
  /** Access is renewed once a request. */
  readonly mayRenew: boolean
}

type AttemptOnce<Result> = (access: Access, milliseconds: number) => Promise<Result>

/**
 * HTTP to one API server: pooled connections, access, deadlines, retries that are safe, and patience when the server
 * asks for it. Knows nothing of objects.
 */
export class Transport {
  readonly #options: TransportOptions
  readonly #origin: string
  readonly #basePath: string
  readonly #gates: Readonly<Record<Lane, ServerGate>>
  readonly #warned = new Set<string>()
  #lanes: Lanes | undefined
  #isClosed = false

  constructor(options: TransportOptions) {
    this.#options = options
    this.#origin = options.server.url.origin
    this.#basePath = options.server.url.pathname.replace(/\/+$/, '')
    const { clock } = options
    this.#gates = { shared: new ServerGate(clock), own: new ServerGate(clock), lease: new ServerGate(clock) }
  }

  get serverUrl(): string {
    return this.#origin + this.#basePath
  }

  /** The answer of success; rejects with an `ApiError`, or with the signal's reason. */
  send(request: HttpRequest): Promise<HttpAnswer> {
    return this.#retry(request, (access, milliseconds) => this.#exchange(request, access, milliseconds))
  }

  /** The body of a success as it arrives. The deadline ends with the headers. Iterate it, or it stays open. */
  stream(request: HttpRequest): Promise<AsyncIterable<Uint8Array>> {
    const own: HttpRequest = { ...request, lane: 'own' }
    return this.#retry(own, (access, milliseconds) => this.#open(own, access, milliseconds))
  }

  /** Ends all connections, and the waiting for credentials. What is sent later is refused. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#options.server.credentials.close()
    const lanes = this.#lanes
    this.#lanes = undefined
    if (lanes) await Promise.all([lanes.shared.destroy(), lanes.own.destroy(), lanes.lease.destroy()])
  }

  async #retry<Result>(
    request: HttpRequest,
    once: AttemptOnce<Result>,
    tries: Tries = this.#firstTry(),
  ): Promise<Result> {
    const { clock, server } = this.#options
    const { attempt, mayRenew } = tries
    // The server is not to be blamed for what we hold back ourselves.
    const end = tries.end + (await this.#passRate(request))
    await this.#passGate(request, end)
    const current = server.credentials.current()
    const access = current instanceof Promise ? await this.#inTime(request, end, current) : current
    if (this.#isClosed) throw new ApiError(0, 'NoAnswer', `cannot ${actionOf(request)}: the connection is closed`)
    try {
      return await once(access, end - clock.monotonic())
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const renews = mayRenew && error.httpStatus === 401
      if (!renews || !(await this.#inTime(request, end, server.credentials.renew(access))))
        await this.#waitBeforeRetry(request, error, { ...tries, end })
      return this.#retry(request, once, { attempt: attempt + 1, end, mayRenew: mayRenew && !renews })
    }
  }

  #firstTry(): Tries {
    const { clock, deadline = 30_000 } = this.#options
    return { attempt: 0, end: clock.monotonic() + deadline, mayRenew: true }
  }

  /** Resolves when the request may be sent again; throws `error` when it may not. */
  async #waitBeforeRetry(request: HttpRequest, error: ApiError, { attempt, end }: Tries): Promise<void> {
    const { clock } = this.#options
    const { shutFor, retryAfter } = retryDecision(error, request.method, attempt)
    if (shutFor !== undefined) this.#gates[request.lane ?? 'shared'].shutFor(shutFor)
    if (retryAfter === undefined || clock.monotonic() + retryAfter >= end) throw error
    await clock.sleep(retryAfter, request.signal)
  }

  #passRate({ lane = 'shared', signal }: HttpRequest): Promise<number> | number {
    const { rate } = this.#options
    return rate && lane === 'shared' ? waitFor(rate, signal) : 0
  }

  #passGate(request: HttpRequest, end: number): Promise<void> | undefined {
    const gate = this.#gates[request.lane ?? 'shared']
    request.signal?.throwIfAborted()
    return gate.isOpenBefore(end) ? undefined : this.#waitAt(gate, request, end)
  }

  async #waitAt(gate: ServerGate, request: HttpRequest, end: number): Promise<void> {
    const passed = await gate.pass(end, request.signal)
    request.signal?.throwIfAborted()
    if (passed) return
    const retryAfterSeconds = gate.opensIn / 1000
    const cause = `its time ends before the server takes requests again (in ${Math.ceil(retryAfterSeconds)} s)`
    throw new ApiError(429, 'TooManyRequests', `cannot ${actionOf(request)}: ${cause}`, { retryAfterSeconds })
  }

  /** Credentials may come from a program that hangs, which neither the deadline nor the caller waits for. */
  #inTime<Result>(request: HttpRequest, end: number, credentials: Promise<Result>): Promise<Result> {
    const cause = 'credentials did not come in time (see what the exec plugin of the kubeconfig waits for)'
    const tooLate = (): ApiError => new ApiError(401, 'Unauthorized', `cannot ${actionOf(request)}: ${cause}`)
    return inTime(credentials, { clock: this.#options.clock, end, signal: request.signal, tooLate })
  }

  async #exchange(request: HttpRequest, access: Access, milliseconds: number): Promise<HttpAnswer> {
    const guard = new Guard(this.#options.clock, milliseconds, request)
    const exchange = new Exchange(guard.check)
    guard.whenOver((reason) => exchange.end(reason))
    const ended = this.#options.onExchange?.({ method: request.method, url: this.serverUrl + request.path })
    try {
      this.#laneOf(request, access).dispatch(this.#sent(request, access), exchange)
      const { httpStatus, headers, body } = await exchange.answer
      ended?.({ httpStatus })
      return this.#checked({ httpStatus, headers, text: toText(body) }, request)
    } catch (error) {
      const reason = guard.explain(error, actionOf(request))
      ended?.({ error: reason })
      throw reason
    } finally {
      guard.release()
    }
  }

  async #open(request: HttpRequest, access: Access, milliseconds: number): Promise<AsyncIterable<Uint8Array>> {
    const guard = new Guard(this.#options.clock, milliseconds, request)
    const abort = new AbortController()
    guard.whenOver((reason) => abort.abort(reason))
    try {
      const options = { ...this.#sent(request, access), signal: abort.signal }
      const { statusCode, headers, body } = await this.#laneOf(request, access).request(options)
      if (statusCode >= 300) {
        const text = toText(Buffer.from(await body.arrayBuffer()))
        this.#checked({ httpStatus: statusCode, headers, text }, request)
      }
      guard.endDeadline()
      return guarded(body, guard, actionOf(request))
    } catch (error) {
      guard.release()
      throw guard.explain(error, actionOf(request))
    }
  }

  #sent(request: HttpRequest, access: Access): Dispatcher.DispatchOptions & { origin: string } {
    const { method, path, body, accept = 'application/json', contentType } = request
    const headers: Record<string, string> = {
      ...request.headers,
      ...access.headers,
      accept,
      'user-agent': this.#options.userAgent,
    }
    if (contentType !== undefined) headers['content-type'] = contentType
    return { origin: this.#origin, path: this.#basePath + path, method, headers, body: body ?? null }
  }

  #laneOf({ lane = 'shared' }: HttpRequest, access: Access): Dispatcher {
    return this.#lanesFor(access)[lane]
  }

  #lanesFor({ tls }: Access): Lanes {
    if (this.#lanes?.tls === tls) return this.#lanes
    const { connections = 32, server } = this.#options
    const former = this.#lanes
    this.#lanes = openLanes({ tls, connections, proxyUrl: server.proxyUrl, dispatcher: server.dispatcher })
    void former?.shared.close()
    void former?.own.close()
    void former?.lease.close()
    return this.#lanes
  }

  #checked(answer: HttpAnswer, request: HttpRequest): HttpAnswer {
    this.#logWarnings(answer, request)
    if (answer.httpStatus < 300) return answer
    throw toApiError(answer, actionOf(request), this.#options.clock.now())
  }

  /** Warnings of the API server (deprecated kinds, fields that it drops) and of webhooks, each text once. */
  #logWarnings({ headers }: HttpAnswer, request: HttpRequest): void {
    for (const warning of [headers.warning ?? []].flat()) {
      if (this.#warned.has(warning) || this.#warned.size >= 1000) continue
      this.#warned.add(warning)
      if (request.warn) request.warn(warning)
      else this.#options.logger.warn('the API server warns', { request: actionOf(request), warning })
    }
  }
}

async function waitFor(rate: RequestRate, signal: AbortSignal | undefined): Promise<number> {
  const waited = await rate.pass(signal)
  signal?.throwIfAborted()
  return waited
}

async function* guarded(body: AsyncIterable<Uint8Array>, guard: Guard, action: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw guard.explain(error, action)
  } finally {
    guard.release()
  }
}

function toText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new CodedError('BadAnswer', 'the answer is not valid UTF-8')
  return bytes.toString('utf8')
}

/** `GET /api/v1/pods`: without the query, which is long and may change from try to try. */
function actionOf({ method, path }: HttpRequest): string {
  return `${method} ${path.split('?', 1)[0]}`
}
