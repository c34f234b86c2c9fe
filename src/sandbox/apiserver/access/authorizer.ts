import type { Attributes } from './attributes.ts'
import { ANONYMOUS, MASTERS, type User } from './user.ts'

/** One rule of a role. */
export interface PolicyRule {
  readonly verbs?: readonly string[] | undefined
  readonly apiGroups?: readonly string[] | undefined
  readonly resources?: readonly string[] | undefined
  readonly resourceNames?: readonly string[] | undefined
  readonly nonResourceURLs?: readonly string[] | undefined
}

export interface Decision {
  readonly allowed: boolean
  /** What allows it, or what was missing; may be empty. */
  readonly reason: string
}

export interface Rules {
  readonly rules: readonly PolicyRule[]
  /** What could not be resolved. */
  readonly errors: readonly string[]
}

/** Who may do what. */
export interface Authorizer {
  decide(user: User, attributes: Attributes): Decision
  /** Everything a user may do in a namespace; empty: in the cluster. */
  rulesOf(user: User, namespace: string): Rules
}

/** Paths that need no token. */
const PUBLIC = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/'])

const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

/** Everybody with a token may do everything; without one, almost nothing. */
export const ALWAYS_ALLOW: Authorizer = {
  decide: (user, { path, resource }) => ({
    allowed: user !== ANONYMOUS || (!resource && PUBLIC.has(path)),
    reason: '',
  }),
  rulesOf: () => ({ rules: EVERYTHING, errors: [] }),
}

/** The administrators' group may do everything, without any rule. */
export function isMaster({ groups }: User): boolean {
  return groups.includes(MASTERS)
}
