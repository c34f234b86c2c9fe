import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What arrived. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** What is done with a request: an answer, or anything that a network and a server may do instead. */
export type Play = (request: SeenRequest, response: ServerResponse) => void | Promise<void>

/**
 * An HTTP server that plays a script: each request takes the first play whose pattern matches it and that has not been
 * used up. Without one it answers 500, and the test sees it in `requests`.
 */
export class ScriptedServer {
  readonly requests: SeenRequest[] = []
  readonly #server: Server
  readonly #script: { readonly pattern: string; readonly play: Play; uses: number }[] = []
  connections = 0

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response))
    this.#server.keepAliveTimeout = 60_000
    this.#server.on('connection', () => this.connections++)
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this.url
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  /** `pattern` is `GET /path` without the query; `uses` times, by default once. */
  on(pattern: string, play: Play, uses = 1): this {
    this.#script.push({ pattern, play, uses })
    return this
  }

  always(pattern: string, play: Play): this {
    return this.on(pattern, play, Number.POSITIVE_INFINITY)
  }

  /** `GET /path` of everything that arrived. */
  get lines(): string[] {
    return this.requests.map(({ method, path }) => `${method} ${path}`)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = await readRequest(request)
    this.requests.push(seen)
    const scene = this.#script.find(({ pattern, uses }) => uses > 0 && pattern === `${seen.method} ${seen.path}`)
    if (!scene) {
      respond(500, { message: `nothing in the script for ${seen.method} ${seen.path}` })(seen, response)
      return
    }
    scene.uses--
    await scene.play(seen, response)
  }
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  let body = ''
  request.setEncoding('utf8')
  for await (const chunk of request) body += chunk
  const url = new URL(request.url ?? '/', 'http://server')
  return { method: request.method ?? '', path: url.pathname, query: url.searchParams, headers: request.headers, body }
}

/** An answer with a JSON body, or with a text as it is. */
export function respond(
  httpStatus: number,
  body: object | string,
  headers: Record<string, string | string[]> = {},
): (request: SeenRequest, response: ServerResponse) => void {
  return (_request, response) => {
    const type = typeof body === 'string' ? 'text/html' : 'application/json'
    response.writeHead(httpStatus, { 'content-type': type, ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

/** An answer that is a `Status`. */
export function refuse(
  code: number,
  reason: string,
  extra: { details?: object; headers?: Record<string, string>; message?: string } = {},
): Play {
  const { details = {}, headers = {}, message = `refused: ${reason}` } = extra
  return respond(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message, details }, headers)
}

/** What the API server answers when it takes no more requests: a text, no `Status`. */
export function limit(seconds: number): Play {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'retry-after': String(seconds) }
  return respond(429, 'Too many requests, please try again later.\n', headers)
}

/** Cuts the connection, before any answer or after the beginning of one. */
export function cut(begin = ''): Play {
  return (_request, response) => {
    if (begin === '') {
      response.socket?.destroy()
      return
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(begin, () => setImmediate(() => response.socket?.destroy()))
  }
}

/** Takes the request and never answers. */
export const stall: Play = () => undefined

/** Headers and some lines of a watch, which then stays open. */
export function stream(...lines: readonly (object | string)[]): Play {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.flushHeaders()
    for (const line of lines) response.write(typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)
  }
}

/** The same, but the server closes it in an orderly way. */
export function streamAndEnd(...lines: readonly (object | string)[]): Play {
  return async (request, response) => {
    await stream(...lines)(request, response)
    response.end()
  }
}
