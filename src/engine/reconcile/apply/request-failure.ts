import type { JsonObject } from '../../../core/base/json.ts'
import {
  ApiError,
  type ApiErrorCause,
  isConflict,
  isForbidden,
  isInvalid,
  isNamespaceTerminating,
  isNotFound,
  isTransient,
} from '../../../core/kube/api-error.ts'
import { formatGvk } from '../../../core/kube/group-version-kind.ts'
import { formatKey, formatObject, type KubeObject, type ObjectKey } from '../../../core/kube/object.ts'
import type { ResourceMapping } from '../../../core/kube/resource-mapper.ts'
import { TaskFailure } from '../../role/task-outcome.ts'

/** The request that was made. */
export interface Attempt {
  readonly verb: 'get' | 'list' | 'create' | 'patch' | 'delete'
  readonly mapping: Pick<ResourceMapping, 'gvk' | 'plural'>
  readonly key: ObjectKey
  /** Whether no other name is ever used, so that a rule can be limited to this one. Defaults to false. */
  readonly isOnlyName?: boolean | undefined
  readonly subresource?: string | undefined
  /** The object that was sent or changed. It shows what an object of RBAC binds. */
  readonly object?: KubeObject | undefined
}

/**
 * Sends a request, and turns a refusal of the server into a message that a person can act on.
 *
 * A missing right is named with the rule that would grant it. A message about a Secret names fields and never values.
 */
export async function attempt<T>(what: Attempt, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    throw error instanceof ApiError ? explained(error, what) : error
  }
}

/**
 * Whether a write that carried a uid did not find that object. The server answers 409 if the name is free, and 422 if another object has
 * it.
 */
export function isOtherObject(error: unknown): error is ApiError {
  if (isNotFound(error) || isConflict(error)) return true
  return isInvalid(error) && error.causes.length > 0 && error.causes.every(({ field }) => field === 'metadata.uid')
}

/** The failure of an apply without force: other managers have fields that it sets. Without such fields, the object was replaced. */
export function fieldConflict(error: ApiError, object: KubeObject): TaskFailure {
  const fields = error.causes
    .filter(({ reason }) => reason === 'FieldManagerConflict')
    .map(({ field, message = '' }) => `\`${field}\` belongs to ${/"[^"]*"/.exec(message)?.[0] ?? 'another manager'}`)
  if (fields.length > 0)
    return new TaskFailure('FieldConflict', `cannot patch ${formatObject(object)}: ${fields.join(', ')}`)
  return new TaskFailure('Failed', `cannot patch ${formatObject(object)}: it was replaced meanwhile`, {
    retriable: true,
  })
}

/** Whether an object was refused because its namespace is being deleted. Works also for an error that `attempt` has explained. */
export function isOfTerminatingNamespace(error: unknown): boolean {
  return isNamespaceTerminating(error instanceof TaskFailure ? error.cause : error)
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

/** The verb that authorization refused. Admission also answers 403, but not in this form. */
function missingVerb(error: ApiError): string | undefined {
  return / cannot ([a-z]+) resource /.exec(error.message)?.[1]
}

/** `verb` may differ from the one that was tried: an apply may create, and the server says which of the two is not allowed. */
function missingRight(error: ApiError, what: Attempt, verb: string): TaskFailure {
  const { mapping, key, subresource, isOnlyName } = what
  const resource = subresource ? `${mapping.plural}/${subresource}` : mapping.plural
  // The engine also watches what it reads.
  const verbs = what.verb === 'list' ? 'get, list, watch' : [...new Set([verb, what.verb])].join(', ')
  // RBAC cannot limit a create to a name.
  const names = isOnlyName && verb !== 'create' ? `, resourceNames: [${key.name}]` : ''
  const rule = `{apiGroups: ["${mapping.gvk.group}"], resources: [${resource}], verbs: [${verbs}]${names}}`
  const isEverywhere = key.namespace === '' || error.message.includes('at the cluster scope')
  const where = isEverywhere ? 'in the cluster' : `in namespace "${key.namespace}"`
  return new TaskFailure('Forbidden', `cannot ${verb} ${resource} ${where}: the right is missing (grant ${rule})`, {
    cause: error,
  })
}

/** The rules that are missing to create a role or a binding. The server names each on a line, in the syntax of Go. */
function ungrantedRules({ message }: ApiError): readonly string[] {
  const [, lines = ''] = message.split('attempting to grant RBAC permissions not currently held:\n')
  return [...lines.matchAll(/^\{.+?\}/gm)].map(([rule]) =>
    rule
      .replace(/\b(API|[A-Z])(\w+):\[/g, (_all, first: string, rest: string) => `${first.toLowerCase()}${rest}: [`)
      .replaceAll('" "', '", "'),
  )
}

/** How many rules a message names: a condition has no room for all of them. */
const MOST_RULES = 3

/** Explains that the operator cannot grant rights that it does not have, unless it may bind the role. */
function mayNotGrant(error: ApiError, what: Attempt, rules: readonly string[]): TaskFailure {
  const ref = what.object?.roleRef as { readonly kind: string; readonly name: string } | undefined
  const more = rules.length > MOST_RULES ? ` and ${rules.length - MOST_RULES} more` : ''
  const remedy = ref ? bindRule(ref, what) : `${rules.slice(0, MOST_RULES).join(', ')}${more}`
  const message = `cannot write ${nameOf(what)}: it grants more than the operator may do itself (grant the operator ${remedy})`
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

/** Keeps only the name of the manager in a conflict. Any other message may quote a value. */
function causeWithoutValues({ field, reason, message = '' }: ApiErrorCause): JsonObject {
  const manager = reason === 'FieldManagerConflict' ? /"[^"]*"/.exec(message)?.[0] : undefined
  return { field, reason, message: manager && `conflict with ${manager}` }
}

function nameOf({ mapping, key }: Attempt): string {
  return `${formatGvk(mapping.gvk)} ${formatKey(key)}`
}

/**
 * Milliseconds before an error is retried that no person need know of: something was written on an old view of it, or the server is
 * away. `undefined`: the error must be reported.
 */
export function quietRetryAfter(error: unknown): number | undefined {
  if (!(isOtherObject(error) || isTransient(error))) return undefined
  return (error.retryAfterSeconds ?? 0) * 1000
}
