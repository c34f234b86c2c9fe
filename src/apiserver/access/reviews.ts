import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import type { KubeObject } from '../../kube/object.ts'
import { invalid } from '../api-status.ts'
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

/** A decoded review with its status. */
export function answerReview(table: string, object: KubeObject, context: ReviewContext): KubeObject {
  if (table.endsWith('accessreviews')) checkAttributes(object)
  const review = Object.hasOwn(REVIEWS, table) ? REVIEWS[table] : undefined
  return review ? review(object, context) : object
}

/** @throws ApiError 422 */
function checkAttributes({ spec }: KubeObject): void {
  const { resourceAttributes, nonResourceAttributes } = isJsonObject(spec) ? spec : {}
  if ((resourceAttributes === undefined) !== (nonResourceAttributes === undefined)) return
  const given = resourceAttributes === undefined ? 'null' : JSON.stringify(resourceAttributes)
  const text = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
  const message = `Invalid value: ${given}: ${text}`
  const cause = { reason: 'FieldValueInvalid', message, field: 'spec.resourceAttributes' }
  throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', [cause])
}

function reviewToken(object: KubeObject, { tokens, now }: ReviewContext): KubeObject {
  const spec: JsonValue | undefined = object.spec
  const token = isJsonObject(spec) ? spec.token : undefined
  const user = typeof token === 'string' ? tokens.userOf(token, now) : undefined
  if (!user) return answer(object, { user: {}, error: 'invalid bearer token' })
  return answer(object, { authenticated: true, user: userInfo(user) })
}

function answer(object: KubeObject, status: JsonObject): KubeObject {
  return { ...object, status }
}

function userInfo({ name, uid, groups }: User): JsonObject {
  return { username: name, ...(uid !== undefined && { uid }), groups }
}
