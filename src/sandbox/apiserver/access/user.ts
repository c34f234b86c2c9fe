/** Who makes a request. */
export interface User {
  readonly name: string
  readonly uid?: string | undefined
  readonly groups: readonly string[]
  readonly extra?: UserExtra | undefined
}

export type UserExtra = { readonly [key: string]: readonly string[] }

export const MASTERS = 'system:masters'
export const AUTHENTICATED = 'system:authenticated'
export const UNAUTHENTICATED = 'system:unauthenticated'

export const ANONYMOUS: User = { name: 'system:anonymous', groups: [UNAUTHENTICATED] }

const ACCOUNT_PREFIX = 'system:serviceaccount:'

export function serviceAccountName(namespace: string, name: string): string {
  return `${ACCOUNT_PREFIX}${namespace}:${name}`
}

export function serviceAccountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
}

/** The namespace and name of a ServiceAccount from the name of its user; `undefined` when it is none. */
export function parseServiceAccount(userName: string): { namespace: string; name: string } | undefined {
  const [, namespace, name] =
    /^system:serviceaccount:([a-z0-9](?:[-a-z0-9]*[a-z0-9])?):([a-z0-9][-a-z0-9.]*)$/.exec(userName) ?? []
  return namespace === undefined || name === undefined ? undefined : { namespace, name }
}
