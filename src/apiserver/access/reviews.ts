import { isJsonObject, type JsonObject } from '../../base/json.ts'
import type { KubeObject } from '../../kube/object.ts'
import { badRequest, invalid } from '../api-status.ts'
import { withMeta } from '../write/object-meta.ts'
import type { Tokens, User } from './tokens.ts'

export interface ReviewContext {
  readonly user: User
  readonly tokens: Tokens
  /** Milliseconds since 1970. */
  readonly now: number
}

type Review = (object: KubeObject, context: ReviewContext) => KubeObject

/** Resources that are questions: answered at once and never stored. By table. */
const REVIEWS: Readonly<Record<string, Review>> = {
  'authorization.k8s.io/selfsubjectaccessreviews': (object) => answer(object, { allowed: true }),
  'authorization.k8s.io/subjectaccessreviews': (object) => answer(object, { allowed: true }),
  'authorization.k8s.io/localsubjectaccessreviews': (object) => answer(object, { allowed: true }),
  'authorization.k8s.io/selfsubjectrulesreviews': (object) =>
    answer({ ...withMeta(object, { managedFields: undefined }), spec: {} }, ALL_RULES),
  'authentication.k8s.io/selfsubjectreviews': (object, { user, now }) =>
    answer(withMeta(object, { creationTimestamp: new Date(now).toISOString().replace(/\.\d+/, '') }), {
      userInfo: userInfo(user),
    }),
  'authentication.k8s.io/tokenreviews': reviewToken,
}

const ALL_RULES: JsonObject = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
}

export function isReview(table: string): boolean {
  return Object.hasOwn(REVIEWS, table)
}

/**
 * A decoded review with its status.
 *
 * @throws ApiError 400, 422
 */
export function answerReview(table: string, object: KubeObject, context: ReviewContext): KubeObject {
  if (table.endsWith('accessreviews')) checkQuestion(object, table)
  return (REVIEWS[table] as Review)(object, context)
}

/** @throws ApiError 422 */
function checkQuestion(object: KubeObject, table: string): void {
  const { resourceAttributes, nonResourceAttributes, user, groups } = object.spec as JsonObject
  const causes: StatusCause[] = []
  if (resourceAttributes !== undefined && isJsonObject(nonResourceAttributes)) {
    const { path = '', verb = '' } = nonResourceAttributes
    const given = JSON.stringify({ Path: path, Verb: verb })
    causes.push(refusal('nonResourceAttributes', given, 'cannot be specified in combination with resourceAttributes'))
  }
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    const text = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
    causes.push(refusal('resourceAttributes', 'null', text))
  }
  if (!table.includes('/self') && !user && groups === undefined) {
    causes.push(refusal('user', '""', 'at least one of user or group must be specified'))
  }
  if (causes.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', causes)
}

type StatusCause = { readonly reason: string; readonly message: string; readonly field: string }

function refusal(field: string, given: string, text: string): StatusCause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${given}: ${text}`, field: `spec.${field}` }
}

/** @throws ApiError 400 */
function reviewToken(object: KubeObject, { tokens, now }: ReviewContext): KubeObject {
  const { token = '' } = object.spec as JsonObject
  if (token === '') throw badRequest('token is required for TokenReview in authentication')
  const user = tokens.userOf(String(token), now)
  if (!user) return answer(object, { user: {}, error: 'invalid bearer token' })
  return answer(object, { authenticated: true, user: userInfo(user) })
}

function answer(object: KubeObject, status: JsonObject): KubeObject {
  return { ...object, status }
}

function userInfo({ name, uid, groups }: User): JsonObject {
  return { username: name, ...(uid !== undefined && { uid }), groups }
}
