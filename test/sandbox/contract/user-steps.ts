import type { JsonObject, JsonValue } from '../../../src/core/base/json.ts'
import type { Step } from './exchange.ts'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const AUTHORIZATION = '/apis/authorization.k8s.io/v1'

/** Headers of a request that the administrator makes as another user. */
export function as(user: string, group?: string): Readonly<Record<string, string>> {
  return { 'impersonate-user': user, ...(group !== undefined && { 'impersonate-group': group }) }
}

export function rolesPath(kind: string): string {
  const plural = `${kind.toLowerCase()}s`
  return kind.startsWith('Cluster') ? `${RBAC}/${plural}` : `${RBAC}/namespaces/{ns}/${plural}`
}

export function rule(verbs: string, resources: string, more: JsonObject = {}): JsonObject {
  return { verbs: verbs.split(' '), apiGroups: [''], resources: resources.split(' '), ...more }
}

/** A role of the kind, its name shown in the name of the step. */
export function createRole(kind: string, name: string, rules: readonly JsonObject[], more: JsonObject = {}): Step {
  const { metadata, ...rest } = more
  return {
    name: `create ${kind} ${name}`,
    method: 'POST',
    path: rolesPath(kind),
    body: { metadata: { name, ...(metadata as JsonObject) }, rules, ...rest },
  }
}

export function user(name: string): JsonObject {
  return { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name }
}

export function group(name: string): JsonObject {
  return { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name }
}

export function account(name: string, namespace = '{ns}'): JsonObject {
  return { kind: 'ServiceAccount', name, namespace }
}

/** `ref` is a kind and a name: `Role/reader`. */
export function createBinding(kind: string, name: string, ref: string, subjects: readonly JsonObject[]): Step {
  return { name: `create ${kind} ${name}`, method: 'POST', path: rolesPath(kind), body: binding(name, ref, subjects) }
}

export function binding(name: string, ref: string, subjects: readonly JsonObject[]): JsonObject {
  const [refKind = '', refName = ''] = ref.split('/')
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: refKind, name: refName }
  return { metadata: { name }, roleRef, subjects }
}

export function remove(kind: string, name: string): Step {
  return { name: `delete ${kind} ${name}`, method: 'DELETE', path: `${rolesPath(kind)}/${name}` }
}

export function mayI(attributes: JsonObject): JsonObject {
  const spec = { resourceAttributes: { namespace: '{ns}', ...attributes } }
  return { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec }
}

/** The real server learns of roles a moment after they are written: asks until the answer is yes. */
export function untilAllowed(name: string, headers: Readonly<Record<string, string>>, attributes: JsonObject): Step {
  return {
    name: `wait until ${name}`,
    method: 'POST',
    path: `${AUTHORIZATION}/selfsubjectaccessreviews`,
    headers,
    body: mayI(attributes),
    until: (body: JsonValue) => JSON.stringify(body).includes('"allowed":true'),
  }
}
