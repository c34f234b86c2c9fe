import { randomHex } from '../../base/hash.ts'
import type { ObjectApi } from '../object-api.ts'

/** Who makes a request. */
export interface User {
  readonly name: string
  readonly uid?: string | undefined
  readonly groups: readonly string[]
}

export interface ServiceAccountToken {
  readonly token: string
  /** Milliseconds since 1970. */
  readonly expires: number
}

interface IssuedToken {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly expires: number
}

const ADMIN: User = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] }
const SERVICE_ACCOUNT = { group: '', version: 'v1', kind: 'ServiceAccount' }

/** Bearer tokens: the administrator's, and those issued to ServiceAccounts, which end with them. */
export class Tokens {
  readonly #adminToken: string
  readonly #objects: ObjectApi
  readonly #issued = new Map<string, IssuedToken>()

  constructor(adminToken: string, objects: ObjectApi) {
    this.#adminToken = adminToken
    this.#objects = objects
  }

  /** `undefined` when the token is nobody's. */
  userOf(token: string, now: number): User | undefined {
    if (token === this.#adminToken) return ADMIN
    const issued = this.#issued.get(token)
    if (!issued || issued.expires <= now) return undefined
    const account = this.#objects.get(SERVICE_ACCOUNT, issued)
    if (account?.metadata.uid !== issued.uid) return undefined
    const { namespace, name, uid } = issued
    const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated']
    return { name: `system:serviceaccount:${namespace}:${name}`, uid, groups }
  }

  /** The form is that of a JSON Web Token, for clients that look inside; what counts is that it was issued here. */
  issue(account: Omit<IssuedToken, 'expires'>, audiences: readonly string[], expires: number): ServiceAccountToken {
    const { namespace, name, uid } = account
    const claims = {
      aud: audiences,
      exp: Math.floor(expires / 1000),
      iss: 'https://kubernetes.default.svc',
      jti: randomHex(16),
      'kubernetes.io': { namespace, serviceaccount: { name, uid } },
      sub: `system:serviceaccount:${namespace}:${name}`,
    }
    const token = `${base64url({ alg: 'none', typ: 'JWT' })}.${base64url(claims)}.${randomHex(32)}`
    this.#issued.set(token, { ...account, expires })
    return { token, expires }
  }
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
