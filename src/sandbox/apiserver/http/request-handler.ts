import type { IncomingMessage } from 'node:http'
import { explain } from '../../../core/base/coded-error.ts'
import type { JsonObject } from '../../../core/base/json.ts'
import { ApiError } from '../../../core/kube/api-error.ts'
import { attributesOf } from '../access/attributes.ts'
import { authenticate } from '../access/authenticate.ts'
import { authorize } from '../access/authorize.ts'
import { impersonated } from '../access/impersonation.ts'
import type { User } from '../access/user.ts'
import { internalError, statusError } from '../api-status.ts'
import type { OpenApiDocuments } from '../discovery/open-api.ts'
import type { FaultInjector } from '../faults/fault-injector.ts'
import type { FaultRequest } from '../faults/rule-counter.ts'
import { OutsideAnswers, PendingAnswer } from '../write/outside-answers.ts'
import type { ApiRequest, ParseYaml, PrintYaml } from './api-request.ts'
import { inPretty } from './pretty-reply.ts'
import { readBody } from './read-body.ts'
import { errorReply, jsonReply, type Reply, type Silence } from './reply.ts'
import type { ResourceServer } from './resource-request.ts'
import { route } from './router.ts'
import { Warnings } from './warnings.ts'
import { managerOfAgent } from './write-options.ts'
import { inYaml } from './yaml-reply.ts'

/** One answered request, for logs and tests that count. */
export interface RequestEntry {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly userAgent: string
  /** 0 when the connection was cut. */
  readonly status: number
  /** Of requests that write. */
  readonly fieldManager?: string | undefined
}

export interface InterceptedRequest {
  /** `after`: a write is done and its answer not yet sent. */
  readonly phase: 'before' | 'after'
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly userAgent: string
  /** What would be answered; 0 in phase `before`. */
  readonly status: number
}

/** `drop` cuts the connection without an answer; `undefined` lets the request pass. */
export type Intercept = (request: InterceptedRequest) => InterceptedReply | 'drop' | undefined

export interface InterceptedReply {
  readonly status: number
  readonly body?: JsonObject | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface RequestHandlerOptions extends ResourceServer {
  readonly version: JsonObject
  readonly openApi: OpenApiDocuments
  readonly parseYaml: ParseYaml | undefined
  readonly printYaml: PrintYaml | undefined
  readonly onRequest: ((entry: RequestEntry) => void) | undefined
  readonly intercept: Intercept | undefined
  readonly faults: FaultInjector | undefined
}

/** From an HTTP message to its reply: who it is, what they want, and what every answer carries. */
export class RequestHandler {
  /** `127.0.0.1:8443`; known once the server listens. */
  serverAddress = ''
  readonly #options: RequestHandlerOptions

  constructor(options: RequestHandlerOptions) {
    this.#options = options
  }

  async handle(message: IncomingMessage): Promise<Reply | Silence> {
    const { method = 'GET', url = '/' } = message
    const userAgent = message.headers['user-agent'] ?? ''
    const reply = await this.#answer(message, parseTarget(url))
    this.#options.onRequest?.({
      method,
      path: url,
      userAgent,
      status: typeof reply === 'string' ? 0 : reply.status,
      fieldManager: method === 'GET' ? undefined : fieldManagerOf(url, userAgent),
    })
    return reply
  }

  async #answer(message: IncomingMessage, url: Target): Promise<Reply | Silence> {
    const body = await readBody(message).catch((error: unknown) => error)
    if (!Buffer.isBuffer(body)) return body instanceof ApiError ? errorReply(body) : 'drop'
    const { faults } = this.#options
    const asked = faultRequestOf(message, url)
    const action = faults?.choose(asked)
    if (faults && action) return faults.answer(action, asked, () => this.#serve(message, url, body))
    const before = this.#intercept(message, url, 0)
    if (before) return before
    const reply = await this.#serve(message, url, body)
    return this.#intercept(message, url, reply.status) ?? reply
  }

  #intercept({ method = 'GET', headers }: IncomingMessage, url: Target, status: number): Reply | 'drop' | undefined {
    const { intercept } = this.#options
    if (!intercept) return undefined
    const phase = status === 0 ? 'before' : 'after'
    const { pathname: path, searchParams: query } = url
    const fault = intercept({ phase, method, path, query, userAgent: headers['user-agent'] ?? '', status })
    if (fault === undefined || fault === 'drop') return fault
    return { ...jsonReply(fault.body ?? {}, fault.status), headers: fault.headers }
  }

  /** A request that needs the answer of a webhook begins anew with it. */
  async #serve(message: IncomingMessage, url: Target, body: Buffer): Promise<Reply> {
    const warnings = new Warnings()
    const outside = new OutsideAnswers()
    const attempt = (): Reply | PendingAnswer =>
      this.#replyTo(message, url, { body, outside, warn: (text) => warnings.add(text) })
    let reply = attempt()
    while (reply instanceof PendingAnswer) {
      await reply.arrived
      warnings.clear()
      reply = attempt()
    }
    const form = { headers: message.headers, path: url.pathname, query: url.searchParams }
    const shown = inPretty(inYaml(reply, { ...form, printYaml: this.#options.printYaml }), form)
    const headers = warnings.headers()
    return headers.length === 0 ? shown : { ...shown, headers: { ...shown.headers, Warning: headers } }
  }

  /** @throws ApiError 401, 403 */
  #userOf(message: IncomingMessage, target: { method: string; path: string; query: URLSearchParams }): User {
    const { tokens, state, authorizer } = this.#options
    const attributes = attributesOf(target)
    const caller = authenticate(message, tokens, state.clock.now())
    const user = impersonated(caller, message.headersDistinct, { authorizer, attributes })
    authorize(authorizer, user, attributes)
    return user
  }

  #replyTo(message: IncomingMessage, url: Target, rest: RequestRest): Reply | PendingAnswer {
    try {
      const segments = segmentsOf(url.pathname)
      const { method = 'GET', headers } = message
      const { parseYaml, printYaml } = this.#options
      const user = this.#userOf(message, { method, path: url.pathname, query: url.searchParams })
      const request = {
        method,
        path: url.pathname,
        parseYaml,
        printYaml,
        segments,
        query: url.searchParams,
        headers,
        user,
        ...rest,
      }
      return route({ ...this.#options, serverAddress: this.serverAddress }, request)
    } catch (error) {
      if (error instanceof ApiError) return errorReply(error)
      if (error instanceof PendingAnswer) return error
      if (error instanceof URIError) return errorReply(statusError(400, 'BadRequest', 'invalid URL escape'))
      // The value is nested too deeply to be walked.
      if (error instanceof RangeError) return errorReply(statusError(400, 'BadRequest', 'the request is too complex'))
      return errorReply(internalError(explain(error)))
    }
  }
}

type RequestRest = Pick<ApiRequest, 'body' | 'outside' | 'warn'>

/** What a request asks for. Not `URL`: that reads a path of two slashes as the name of a host. */
interface Target {
  readonly pathname: string
  readonly searchParams: URLSearchParams
}

function faultRequestOf({ method = 'GET', headers }: IncomingMessage, url: Target): FaultRequest {
  return { method, path: url.pathname, query: url.searchParams, userAgent: headers['user-agent'] ?? '' }
}

function parseTarget(url: string): Target {
  const path = url.replace(/^https?:\/\/[^/?]*/i, '')
  const mark = path.indexOf('?')
  const [pathname, query] = mark === -1 ? [path, ''] : [path.slice(0, mark), path.slice(mark + 1)]
  return { pathname, searchParams: new URLSearchParams(query) }
}

/** A path is decoded before it is cut: an encoded slash is one. Under the resources, slashes at the end do not count. */
function segmentsOf(path: string): readonly string[] {
  const decoded = decodeURIComponent(path).slice(1)
  const counted = /^apis?\//.test(decoded) ? decoded.replace(/\/+$/, '') : decoded
  return counted.split('/')
}

function fieldManagerOf(url: string, userAgent: string): string {
  return parseTarget(url).searchParams.get('fieldManager') || managerOfAgent(userAgent)
}
