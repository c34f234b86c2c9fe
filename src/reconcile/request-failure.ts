import type { JsonObject } from '../base/json.ts'
import { ApiError, type ApiErrorCause, isConflict, isForbidden, isInvalid, isNotFound } from '../kube/api-error.ts'
import { formatGvk } from '../kube/group-version-kind.ts'
import { formatKey, type KubeObject, type ObjectKey } from '../kube/object.ts'
import type { ResourceMapping } from '../kube/resource-mapper.ts'
import { TaskFailure } from '../role/task-outcome.ts'

/** What was asked of the server. */
export interface Attempt {
  readonly verb: 'get' | 'list' | 'create' | 'patch' | 'delete'
  readonly mapping: Pick<ResourceMapping, 'gvk' | 'plural'>
  readonly key: ObjectKey
  /** Whether no other name is ever asked for, so that a rule can be limited to it. Defaults to false. */
  readonly isOnlyName?: boolean | undefined
  readonly subresource?: string | undefined
  /** What was sent, or what it was sent to: tells what an object of RBAC binds. */
  readonly object?: KubeObject | undefined
}

/**
 * Sends a request; what the server refuses becomes words that a person can act on.
 *
 * A missing right is named with the rule that would grant it. What is said about a Secret names fields, never values.
 */
export async function attempt<T>(what: Attempt, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    throw error instanceof ApiError ? explained(error, what) : error
  }
}

/**
 * Whether a write that carried a uid did not find the object of that uid: the server says 409 when the name is free, 422
 * when another object has it.
 */
export function isOtherObject(error: unknown): error is ApiError {
  if (isNotFound(error) || isConflict(error)) return true
  return isInvalid(error) && error.causes.length > 0 && error.causes.every(({ field }) => field === 'metadata.uid')
}

/** Whether an object was refused because its namespace is being deleted, also where `attempt` has explained it. */
export function isNamespaceTerminating(error: unknown): boolean {
  const cause = error instanceof TaskFailure ? error.cause : error
  return cause instanceof ApiError && cause.causes.some(({ reason }) => reason === 'NamespaceTerminating')
}

function explained(error: ApiError, what: Attempt): Error {
  if (isNamespaceTerminating(error)) {
    return new TaskFailure('Failed', `cannot create ${nameOf(what)}: its namespace is being deleted`, { cause: error })
  }
  const verb = isForbidden(error) ? missingVerb(error) : undefined
  if (verb !== undefined) return missingRight(error, what, verb)
  const rules = isForbidden(error) ? ungrantedRules(error) : []
  if (rules.length > 0) return mayNotGrant(error, what, rules)
  if (what.mapping.gvk.kind === 'Secret' && error.httpStatus >= 400) return withoutValues(error, what)
  return error
}

/** Admission answers 403, too; only authorization says it in this form. */
function missingVerb(error: ApiError): string | undefined {
  return / cannot ([a-z]+) resource /.exec(error.message)?.[1]
}

/** `verb` is not always the one that was tried: an apply may create, and the server says which of the two is not allowed. */
function missingRight(error: ApiError, what: Attempt, verb: string): TaskFailure {
  const { mapping, key, subresource, isOnlyName } = what
  const resource = subresource ? `${mapping.plural}/${subresource}` : mapping.plural
  // Whatever is read is watched, too.
  const verbs = what.verb === 'list' ? 'get, list, watch' : [...new Set([verb, what.verb])].join(', ')
  // A create cannot be limited to a name.
  const names = isOnlyName && verb !== 'create' ? `, resourceNames: [${key.name}]` : ''
  const rule = `{apiGroups: ["${mapping.gvk.group}"], resources: [${resource}], verbs: [${verbs}]${names}}`
  const isEverywhere = key.namespace === '' || error.message.includes('at the cluster scope')
  const where = isEverywhere ? 'in the cluster' : `in namespace "${key.namespace}"`
  return new TaskFailure('Forbidden', `may not ${verb} ${resource} ${where}: grant ${rule}`, { cause: error })
}

/** The rules that the server wants of whoever makes a role or a binding: it names each on a line, in the way of Go. */
function ungrantedRules({ message }: ApiError): readonly string[] {
  const [, lines = ''] = message.split('attempting to grant RBAC permissions not currently held:\n')
  return [...lines.matchAll(/^\{.+?\}/gm)].map(([rule]) =>
    rule
      .replace(/\b(API|[A-Z])(\w+):\[/g, (_all, first: string, rest: string) => `${first.toLowerCase()}${rest}: [`)
      .replaceAll('" "', '", "'),
  )
}

/** A condition has no room for those of a role that may do everything. */
const MOST_RULES = 3

/** Nobody grants what they may not do themselves, unless they may bind the role. */
function mayNotGrant(error: ApiError, what: Attempt, rules: readonly string[]): TaskFailure {
  const ref = what.object?.roleRef as { readonly kind: string; readonly name: string } | undefined
  const more = rules.length > MOST_RULES ? ` and ${rules.length - MOST_RULES} more` : ''
  const remedy = ref ? bindRule(ref, what) : `${rules.slice(0, MOST_RULES).join(', ')}${more}`
  const message = `may not make ${nameOf(what)}, which grants more than the operator may do itself: grant it ${remedy}`
  return new TaskFailure('Forbidden', message, { cause: error })
}

function bindRule({ kind, name }: { readonly kind: string; readonly name: string }, { mapping }: Attempt): string {
  return `{apiGroups: ["${mapping.gvk.group}"], resources: [${kind.toLowerCase()}s], resourceNames: [${name}], verbs: [bind]}`
}

function withoutValues(error: ApiError, what: Attempt): ApiError {
  const fields = error.causes.map(({ field = '?', reason = error.reason }) => `${field}: ${reason}`).join(', ')
  const message = `cannot ${what.verb} ${nameOf(what)}: ${fields === '' ? error.reason : fields}`
  const causes = error.causes.map(causeWithoutValues)
  const { retryAfterSeconds } = error
  return new ApiError(error.httpStatus, error.reason, message, { retryAfterSeconds, status: { details: { causes } } })
}

/** Of the message of a conflict, the manager's name is kept; any other may quote a value. */
function causeWithoutValues({ field, reason, message = '' }: ApiErrorCause): JsonObject {
  const manager = reason === 'FieldManagerConflict' ? /"[^"]*"/.exec(message)?.[0] : undefined
  return { field, reason, message: manager && `conflict with ${manager}` }
}

function nameOf({ mapping, key }: Attempt): string {
  return `${formatGvk(mapping.gvk)} ${formatKey(key)}`
}
