import type { Clock } from '../../core/base/clock.ts'
import { sha256 } from '../../core/base/hash.ts'
import { isJsonObject, type JsonObject } from '../../core/base/json.ts'
import type { Writer } from '../../core/kube/client.ts'
import type { AdminRequest } from './admin-route.ts'
import type { Access } from './admin-server.ts'

export interface DelegatedAccessOptions {
  /** A client that needs no lease: reviews do not change the cluster. */
  readonly client: Pick<Writer, 'create'>
  readonly clock: Clock
}

/** Milliseconds for which an answer is valid. A refusal is valid for less, since the right may be granted soon. */
const TTL = { yes: 60_000, no: 10_000 }
/** How many answers are kept. Callers choose their tokens, so there must be a limit. */
const MAX_ANSWERS = 1_000

/**
 * Lets the API server decide which callers may see a path. A TokenReview says which user a token belongs to, and a SubjectAccessReview
 * whether that user may `get` the path as a non-resource URL.
 */
export class DelegatedAccess {
  readonly #options: DelegatedAccessOptions
  readonly #users: Answers<JsonObject | undefined>
  readonly #rights: Answers<boolean>

  constructor(options: DelegatedAccessOptions) {
    this.#options = options
    this.#users = new Answers(options.clock)
    this.#rights = new Answers(options.clock)
  }

  /** Rejects when the API server cannot be asked. */
  async authorize(request: Pick<AdminRequest, 'path' | 'header'>): Promise<Access> {
    const [, token = ''] = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(request.header('authorization') ?? '') ?? []
    if (token === '') return { kind: 'unauthenticated' }
    const user = await this.#users.get(sha256(token), () => this.#userOf(token))
    if (!user) return { kind: 'unauthenticated' }
    const { path } = request
    const question = sha256(JSON.stringify([user, path]))
    if (await this.#rights.get(question, () => this.#mayGet(user, path))) return { kind: 'allowed' }
    const message = `user "${String(user.username)}" cannot get path "${path}": the right is missing (grant a ClusterRole with nonResourceURLs)`
    return { kind: 'forbidden', message }
  }

  async #userOf(token: string): Promise<JsonObject | undefined> {
    const status = await this.#review('authentication.k8s.io/v1', 'TokenReview', { token })
    return status.authenticated === true && isJsonObject(status.user) ? status.user : undefined
  }

  async #mayGet({ username, groups, extra, uid }: JsonObject, path: string): Promise<boolean> {
    const nonResourceAttributes = { path, verb: 'get' }
    const spec = { user: username, groups, extra, uid, nonResourceAttributes }
    const status = await this.#review('authorization.k8s.io/v1', 'SubjectAccessReview', spec)
    return status.allowed === true && status.denied !== true
  }

  async #review(apiVersion: string, kind: string, spec: JsonObject): Promise<JsonObject> {
    const review = { apiVersion, kind, metadata: {}, spec }
    // A review is shared by all callers that wait for it, so none of them can abort it.
    const { status } = await this.#options.client.create(review, { fieldManager: 'rolebook' })
    return isJsonObject(status) ? status : {}
  }
}

/** Answers that are valid for a while. A caller that asks while an answer is on its way waits for that one. */
class Answers<T> {
  readonly #clock: Clock
  readonly #known = new Map<string, { readonly answer: Promise<T>; until: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get(question: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#known.get(question)
    if (known && known.until > this.#clock.monotonic()) return known.answer
    this.#known.delete(question)
    const entry = { answer: ask(), until: Number.POSITIVE_INFINITY }
    this.#known.set(question, entry)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAX_ANSWERS && oldest !== undefined) this.#known.delete(oldest)
    entry.answer.then(
      (answer) => {
        entry.until = this.#clock.monotonic() + (answer ? TTL.yes : TTL.no)
      },
      () => this.#known.get(question) === entry && this.#known.delete(question),
    )
    return entry.answer
  }
}
