import type { IncomingMessage } from 'node:http'
import { type Attributes, attributesOf } from '../../src/sandbox/apiserver/access/attributes.ts'
import type { Answer } from '../../src/sandbox/apiserver/http/in-memory-dispatcher.ts'
import type { Reply, Silence } from '../../src/sandbox/apiserver/http/reply.ts'
import type { FaultKind, World } from './fault-kind.ts'

/** A request of the engine, as it came to the server. */
export interface SeenRequest extends Attributes {
  /** Counted from 1 over the whole life, whichever process sent it. */
  readonly index: number
  readonly method: string
  /** With the query. */
  readonly url: string
  /** A watch that begins with the objects that are there, which is how the engine lists. */
  readonly streamsList: boolean
  /** 0: no answer. */
  status?: number
  /** Whether a fault took it, one that goes on for a while included. */
  isStruck?: boolean
}

/** A fault of a plan: it strikes at the first request from `at` on that its kind fits. */
export interface ArmedFault {
  readonly kind: FaultKind
  readonly at: number
  /** The request that it struck. */
  firedAt?: number
}

/** What goes on for a while after a fault has struck. */
export interface StandingFault {
  takes(request: SeenRequest): boolean
  readonly reply: Reply | Silence
  /** How many requests it takes at most. */
  times: number
}

/** Stands before a server: counts the requests of the engine, and lets faults strike them. */
export class FaultGate {
  readonly requests: SeenRequest[] = []
  readonly standing = new Set<StandingFault>()
  readonly faults: readonly ArmedFault[]
  readonly #serve: Answer
  readonly #world: World

  constructor(serve: Answer, faults: readonly ArmedFault[], world: World) {
    this.#serve = serve
    this.faults = faults
    this.#world = world
  }

  async answer(message: IncomingMessage): Promise<Reply | Silence> {
    const request = this.#seen(message)
    this.requests.push(request)
    const reply = await this.#reply(request, message)
    request.status = typeof reply === 'string' ? 0 : reply.status
    return reply
  }

  async #reply(request: SeenRequest, message: IncomingMessage): Promise<Reply | Silence> {
    for (const standing of this.standing) {
      if (standing.times <= 0) this.standing.delete(standing)
      else if (standing.takes(request)) {
        standing.times--
        request.isStruck = true
        return standing.reply
      }
    }
    const fault = this.faults.find(
      ({ kind, at, firedAt }) => firedAt === undefined && at <= request.index && kind.fits(request),
    )
    const serve = (url = request.url): Promise<Reply | Silence> => this.#serve(withUrl(message, url))
    if (!fault) return serve()
    fault.firedAt = request.index
    request.isStruck = true
    return fault.kind.strike({ request, serve, world: this.#world })
  }

  #seen({ method = 'GET', url = '' }: IncomingMessage): SeenRequest {
    const [path = '', search = ''] = url.split('?', 2)
    const query = new URLSearchParams(search)
    const streamsList = query.get('sendInitialEvents') === 'true'
    return { ...attributesOf({ method, path, query }), index: this.requests.length + 1, method, url, streamsList }
  }
}

function withUrl(message: IncomingMessage, url: string): IncomingMessage {
  return url === message.url ? message : Object.assign(Object.create(message) as IncomingMessage, { url })
}
