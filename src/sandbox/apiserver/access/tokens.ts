import { hmacSha256 } from '../../../core/base/hash.ts'
import type { ObjectApi } from '../object-api.ts'
import { goList } from './rule-coverage.ts'
import { AUTHENTICATED, MASTERS, serviceAccountGroups, serviceAccountName, type User, type UserExtra } from './user.ts'

/** What the server itself asks of tokens for it. */
export const API_AUDIENCE = 'https://kubernetes.default.svc'

/** An object that a token ends with. */
export interface TokenBinding {
  readonly name: string
  readonly uid: string
}

export interface TokenSubject {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly pod?: TokenBinding | undefined
  readonly secret?: TokenBinding | undefined
  readonly node?: TokenBinding | undefined
}

export interface TokenTerms {
  readonly audiences: readonly string[]
  /** Milliseconds since 1970. */
  readonly issued: number
  /** `undefined`: never, as with tokens that are kept in a Secret. */
  readonly expires: number | undefined
}

/** Whose a token is, and for whom. */
export interface TokenUser {
  readonly user: User
  readonly audiences: readonly string[]
}

/** Why a token authenticates no user, in the words of the real server. */
export class TokenError extends Error {}

const ADMIN: User = { name: 'kubernetes-admin', groups: [MASTERS, AUTHENTICATED] }
const BROKEN = '[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]'
const HEADER = { alg: 'HS256', typ: 'JWT' }

/**
 * Bearer tokens: the administrator's, and those issued to ServiceAccounts, which end with their time, their account and
 * the object that they are bound to. They are signed with a key that follows from the administrator's token, so that
 * a server that starts again with the same one knows them.
 */
export class Tokens {
  readonly #adminToken: string
  readonly #objects: Pick<ObjectApi, 'get'>
  readonly #others: ReadonlyMap<string, User>

  constructor(adminToken: string, objects: Pick<ObjectApi, 'get'>, others: ReadonlyMap<string, User> = new Map()) {
    this.#adminToken = adminToken
    this.#objects = objects
    this.#others = others
  }

  /**
   * Without `audiences`, the token has to be one for this server.
   *
   * @throws TokenError
   */
  verify(token: string, now: number, audiences: readonly string[] = [API_AUDIENCE]): TokenUser {
    const known = token === this.#adminToken ? ADMIN : this.#others.get(token)
    if (known) return { user: known, audiences }
    const claims = this.#claimsOf(token)
    if (!claims) throw new TokenError(isSigned(token) ? BROKEN : 'invalid bearer token')
    const { aud, exp } = claims
    const shared = audiences.filter((each) => aud.includes(each))
    if (shared.length === 0) {
      throw new TokenError(
        `[invalid bearer token, token audiences ${goList(aud)} is invalid for the target audiences ${goList(audiences)}]`,
      )
    }
    if (exp !== undefined && exp * 1000 <= now)
      throw new TokenError('[invalid bearer token, service account token has expired]')
    return { user: this.#userOf(claims), audiences: shared }
  }

  issue(subject: TokenSubject, { audiences, issued, expires }: TokenTerms): string {
    const { namespace, name, uid, pod, secret, node } = subject
    const time = Math.floor(issued / 1000)
    const claims = {
      aud: audiences,
      iat: time,
      iss: API_AUDIENCE,
      ...(expires !== undefined && { exp: Math.floor(expires / 1000), jti: crypto.randomUUID() }),
      'kubernetes.io': { namespace, node, pod, secret, serviceaccount: { name, uid } },
      nbf: time,
      sub: serviceAccountName(namespace, name),
    }
    const content = `${base64url(HEADER)}.${base64url(claims)}`
    return `${content}.${this.#sign(content)}`
  }

  #sign(content: string): string {
    return Buffer.from(hmacSha256(this.#adminToken, content), 'hex').toString('base64url')
  }

  /** Of a token that this server signed: so they are what `issue` made them. */
  #claimsOf(token: string): Claims | undefined {
    const dot = token.lastIndexOf('.')
    const content = token.slice(0, dot)
    if (dot === -1 || token.slice(dot + 1) !== this.#sign(content)) return undefined
    const [, claims = ''] = content.split('.')
    return JSON.parse(Buffer.from(claims, 'base64url').toString())
  }

  #userOf({ jti, 'kubernetes.io': subject }: Claims): User {
    const { namespace, serviceaccount, pod, secret, node } = subject
    const { name, uid } = serviceaccount
    const account = this.#uidOf('ServiceAccount', namespace, name)
    if (account === undefined)
      throw new TokenError(`[invalid bearer token, serviceaccounts ${JSON.stringify(name)} not found]`)
    if (account !== uid) {
      throw new TokenError(`[invalid bearer token, service account UID (${account}) does not match claim (${uid})]`)
    }
    for (const [kind, bound] of [
      ['Secret', secret],
      ['Pod', pod],
    ] as const)
      this.#checkBound(kind, namespace, bound)
    const groups = [...serviceAccountGroups(namespace), AUTHENTICATED]
    return {
      name: serviceAccountName(namespace, name),
      uid,
      groups,
      ...(jti !== undefined && { extra: extraOf(jti, pod, node) }),
    }
  }

  #checkBound(kind: string, namespace: string, bound: TokenBinding | undefined): void {
    if (!bound) return
    const uid = this.#uidOf(kind, namespace, bound.name)
    if (uid === undefined) throw new TokenError('[invalid bearer token, service account token has been invalidated]')
    if (uid === bound.uid) return
    const claim = `service account ${kind.toLowerCase()} ref claim`
    throw new TokenError(`[invalid bearer token, ${kind} UID (${uid}) does not match ${claim} (${bound.uid})]`)
  }

  #uidOf(kind: string, namespace: string, name: string): string | undefined {
    return this.#objects.get({ group: '', version: 'v1', kind }, { namespace, name })?.metadata.uid
  }
}

/** Whether it looks like a token of ours at least. */
function isSigned(token: string): boolean {
  return token.split('.').length === 3
}

interface Claims {
  readonly aud: readonly string[]
  readonly exp?: number
  readonly jti?: string
  readonly 'kubernetes.io': Claimed
}

interface Claimed {
  readonly namespace: string
  readonly serviceaccount: TokenBinding
  readonly pod?: TokenBinding
  readonly secret?: TokenBinding
  readonly node?: TokenBinding
}

function extraOf(id: string, pod: TokenBinding | undefined, node: TokenBinding | undefined): UserExtra {
  const prefix = 'authentication.kubernetes.io'
  return {
    [`${prefix}/credential-id`]: [`JTI=${id}`],
    ...(node && { [`${prefix}/node-name`]: [node.name], [`${prefix}/node-uid`]: [node.uid] }),
    ...(pod && { [`${prefix}/pod-name`]: [pod.name], [`${prefix}/pod-uid`]: [pod.uid] }),
  }
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
