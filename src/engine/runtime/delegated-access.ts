import type { Clock } from '../../core/base/clock.ts'
import { sha256 } from '../../core/base/hash.ts'
import { isJsonObject, type JsonObject } from '../../core/base/json.ts'
import type { Writer } from '../../core/kube/client.ts'
import type { AdminRequest } from './admin-route.ts'
import type { Access } from './admin-server.ts'

export interface DelegatedAccessOptions {
  /** Reviews are no changes of the cluster: a client that needs no lease. */
  readonly client: Pick<Writer, 'create'>
  readonly clock: Clock
}

/** Milliseconds for which an answer is good. What is refused may be permitted soon, by whoever reads the refusal. */
const TTL = { yes: 60_000, no: 10_000 }
/** Answers kept at once: callers choose their tokens. */
const MAX_ANSWERS = 1_000

/**
 * Lets the API server decide who may see a path: a TokenReview says who the bearer of a token is, a SubjectAccessReview
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
  async authorize(request: AdminRequest): Promise<Access> {
    const [, token = ''] = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(request.header('authorization') ?? '') ?? []
    if (token === '') return { kind: 'unauthenticated' }
    const user = await this.#users.get(sha256(token), () => this.#userOf(token))
    if (!user) return { kind: 'unauthenticated' }
    const { path } = request
    const question = sha256(JSON.stringify([user, path]))
    if (await this.#rights.get(question, () => this.#mayGet(user, path))) return { kind: 'allowed' }
    const message = `user "${String(user.username)}" may not get path "${path}": it needs a ClusterRole with nonResourceURLs`
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
    // A review is shared by all who wait for it: none of them can take it back.
    const { status } = await this.#options.client.create(review, { fieldManager: 'rolebook' })
    return isJsonObject(status) ? status : {}
  }
}

/** Answers that are good for a while. Who asks while one is on its way waits for it. */
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
