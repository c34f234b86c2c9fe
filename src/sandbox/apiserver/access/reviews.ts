import { isJsonArray, isJsonObject, type JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { badRequest, invalid, type StatusCause } from '../api-status.ts'
import { textOf } from '../kinds/common/fields.ts'
import { withMeta } from '../write/object-meta.ts'
import { ownerInGoOrder } from '../write/validate-meta.ts'
import type { Attributes } from './attributes.ts'
import type { Authorizer, PolicyRule } from './authorizer.ts'
import { joinErrors } from './rbac.ts'
import { checkSelectors, selectorErrors } from './review-selectors.ts'
import { TokenError, type Tokens } from './tokens.ts'
import type { User, UserExtra } from './user.ts'

export interface ReviewContext {
  readonly user: User
  /** Of the path; empty for a review of the cluster. */
  readonly namespace: string
  readonly tokens: Tokens
  readonly authorizer: Authorizer
  /** Milliseconds since 1970. */
  readonly now: number
}

type Review = (object: KubeObject, context: ReviewContext) => KubeObject

const GROUP = 'authorization.k8s.io'

/** Resources that are questions: answered at once and never stored. By table. */
const REVIEWS: Readonly<Record<string, Review>> = {
  [`${GROUP}/selfsubjectaccessreviews`]: (object, context) => reviewAccess(object, context.user, context),
  [`${GROUP}/subjectaccessreviews`]: (object, context) => reviewAccess(object, askedUser(object), context),
  [`${GROUP}/localsubjectaccessreviews`]: (object, context) => reviewAccess(object, askedUser(object), context),
  [`${GROUP}/selfsubjectrulesreviews`]: reviewRules,
  'authentication.k8s.io/selfsubjectreviews': (object, { user, now }) =>
    answer(
      {
        ...object,
        metadata: { creationTimestamp: new Date(now).toISOString().replace(/\.\d+/, '') },
      },
      { userInfo: userInfo(user) },
    ),
  'authentication.k8s.io/tokenreviews': reviewToken,
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
  const spec = specOf(object)
  const selectors = checkSelectors(spec.resourceAttributes)
  const causes = [...checkSpec(spec, table), ...selectors, ...checkMetadata(object, table)]
  if (causes.length > 0) throw invalid({ group: GROUP, kind: '' }, '', causes)
}

function checkSpec(
  { resourceAttributes, nonResourceAttributes, user, groups }: JsonObject,
  table: string,
): StatusCause[] {
  const causes: StatusCause[] = []
  if (resourceAttributes !== undefined && isJsonObject(nonResourceAttributes)) {
    const { path = '', verb = '' } = nonResourceAttributes
    const given = JSON.stringify({ Path: path, Verb: verb })
    causes.push(
      refusal('spec.nonResourceAttributes', given, 'cannot be specified in combination with resourceAttributes'),
    )
  }
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    const text = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
    causes.push(refusal('spec.resourceAttributes', 'null', text))
  }
  if (!table.includes('/self') && !user && groups === undefined) {
    causes.push(refusal('spec.user', '""', 'at least one of user or group must be specified'))
  }
  return causes
}

function checkMetadata(object: KubeObject, table: string): readonly StatusCause[] {
  const { managedFields, ...rest } = object.metadata
  const isLocal = table.endsWith('/localsubjectaccessreviews')
  const { namespace, ...others } = rest
  const causes: StatusCause[] = []
  if (Object.keys(isLocal ? others : rest).length > 0) {
    const text = isLocal ? 'must be empty except for namespace' : 'must be empty'
    causes.push(refusal('metadata', JSON.stringify(inGoOrder(object.metadata)), text))
  }
  if (!isLocal) return causes
  const { resourceAttributes, nonResourceAttributes } = specOf(object)
  const asked = isJsonObject(resourceAttributes) ? String(resourceAttributes.namespace ?? '') : undefined
  if (asked !== undefined && asked !== namespace) {
    causes.push(refusal('spec.resourceAttributes.namespace', JSON.stringify(asked), 'must match metadata.namespace'))
  }
  if (isJsonObject(nonResourceAttributes)) {
    const { path = '', verb = '' } = nonResourceAttributes
    const given = JSON.stringify({ Path: path, Verb: verb })
    causes.push(refusal('spec.nonResourceAttributes', given, 'disallowed on this kind of request'))
  }
  return causes
}

const META_FIELDS = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
]

/** Fields as the server declares and prints them. */
function inGoOrder(metadata: KubeObject['metadata']): JsonObject {
  const ownerReferences = metadata.ownerReferences?.map(ownerInGoOrder)
  const fields = { ...metadata, ...(ownerReferences && { ownerReferences }) } as JsonObject
  return Object.fromEntries(META_FIELDS.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))
}

function refusal(field: string, given: string, text: string): StatusCause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${given}: ${text}`, field }
}

function reviewAccess(object: KubeObject, user: User, { authorizer }: ReviewContext): KubeObject {
  const spec = specOf(object)
  const { allowed, reason } = authorizer.decide(user, attributesOfSpec(spec))
  const evaluationError = selectorErrors(spec.resourceAttributes)
  return answer(object, {
    allowed,
    ...(reason !== '' && { reason }),
    ...(evaluationError !== '' && { evaluationError }),
  })
}

function attributesOfSpec({ resourceAttributes, nonResourceAttributes }: JsonObject): Attributes {
  if (!isJsonObject(resourceAttributes)) {
    const { verb, path } = isJsonObject(nonResourceAttributes) ? nonResourceAttributes : {}
    return { verb: textOf(verb), path: textOf(path) }
  }
  const { verb, group, resource, namespace, name, subresource } = resourceAttributes
  return {
    verb: textOf(verb),
    path: '',
    resource: {
      group: textOf(group),
      plural: textOf(resource),
      namespace: textOf(namespace),
      name: textOf(name),
      subresource: textOf(subresource),
    },
  }
}

function askedUser(object: KubeObject): User {
  const { user, groups, uid } = specOf(object)
  return { name: textOf(user), groups: isJsonArray(groups) ? groups.map(String) : [], uid: textOf(uid) }
}

/** @throws ApiError 400 */
function reviewRules(object: KubeObject, { user, authorizer }: ReviewContext): KubeObject {
  const namespace = textOf(specOf(object).namespace)
  if (namespace === '') throw badRequest('no namespace on request')
  const { rules, errors } = authorizer.rulesOf(user, namespace)
  const status: JsonObject = {
    resourceRules: rules.filter(({ resources }) => resources?.length).map(resourceRule),
    nonResourceRules: rules.filter((each) => each.nonResourceURLs?.length).map(pathRule),
    incomplete: false,
    ...(errors.length > 0 && { evaluationError: joinErrors(errors) }),
  }
  return answer({ ...withMeta({ ...object, metadata: {} }, {}), spec: {} }, status)
}

function resourceRule({ verbs = [], apiGroups, resources, resourceNames }: PolicyRule): JsonObject {
  return {
    verbs,
    ...(apiGroups?.length && { apiGroups }),
    ...(resources?.length && { resources }),
    ...(resourceNames?.length && { resourceNames }),
  }
}

function pathRule({ verbs = [], nonResourceURLs = [] }: PolicyRule): JsonObject {
  return { verbs, nonResourceURLs }
}

/** @throws ApiError 400 */
function reviewToken(object: KubeObject, { tokens, now }: ReviewContext): KubeObject {
  const { token, audiences } = specOf(object)
  if (textOf(token) === '') throw badRequest('token is required for TokenReview in authentication')
  const wanted = isJsonArray(audiences) && audiences.length > 0 ? audiences.map(String) : undefined
  try {
    const found = tokens.verify(textOf(token), now, wanted)
    return answer(object, { authenticated: true, user: userInfo(found.user), audiences: found.audiences })
  } catch (error) {
    if (!(error instanceof TokenError)) throw error
    const { status } = object
    const given = isJsonObject(status) ? status : {}
    return answer(object, { ...given, authenticated: undefined, user: given.user ?? {}, error: error.message })
  }
}

function answer(object: KubeObject, status: JsonObject): KubeObject {
  return { ...object, status }
}

export function userInfo({ name, uid, groups, extra }: User): JsonObject {
  return {
    ...(name !== '' && { username: name }),
    ...(uid && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(extra && { extra: sorted(extra) }),
  }
}

function sorted(extra: UserExtra): JsonObject {
  return Object.fromEntries(Object.entries(extra).sort(([left], [right]) => (left < right ? -1 : 1)))
}

function specOf({ spec }: KubeObject): JsonObject {
  return isJsonObject(spec) ? spec : {}
}
