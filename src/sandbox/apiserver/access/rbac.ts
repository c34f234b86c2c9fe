import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { ObjectStore } from '../store/object-store.ts'
import type { Attributes } from './attributes.ts'
import { type Authorizer, type Decision, isMaster, type PolicyRule, type Rules } from './authorizer.ts'
import { ruleAllows } from './rule-matching.ts'
import { serviceAccountName, type User } from './user.ts'

export const RBAC_GROUP = 'rbac.authorization.k8s.io'

export interface RoleRef {
  readonly kind: string
  readonly name: string
}

interface Subject {
  readonly kind: string
  readonly name: string
  readonly namespace?: string | undefined
}

interface Source {
  readonly rule: PolicyRule
  readonly describe: () => string
}

/** Role-based access control over the stored roles and bindings. */
export class Rbac implements Authorizer {
  readonly #store: ObjectStore

  constructor(store: ObjectStore) {
    this.#store = store
  }

  decide(user: User, attributes: Attributes): Decision {
    if (isMaster(user)) return { allowed: true, reason: '' }
    const errors: string[] = []
    for (const { rule, describe } of this.#sources(user, attributes.resource?.namespace ?? '', errors)) {
      if (ruleAllows(rule, attributes)) return { allowed: true, reason: `RBAC: allowed by ${describe()}` }
    }
    return { allowed: false, reason: errors.length === 0 ? '' : `RBAC: ${joinErrors(errors)}` }
  }

  rulesOf(user: User, namespace: string): Rules {
    const errors: string[] = []
    const rules = [...this.#sources(user, namespace, errors)].map(({ rule }) => rule)
    return { rules, errors }
  }

  /** The rules of a role; `undefined` when it does not exist. */
  rulesOfRole({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    const table = kind === 'ClusterRole' ? 'clusterroles' : 'roles'
    const found = this.#store.get(`${RBAC_GROUP}/${table}`, kind === 'ClusterRole' ? '' : namespace, name)
    return found && ((found.object.rules ?? []) as readonly PolicyRule[])
  }

  *#sources(user: User, namespace: string, errors: string[]): Iterable<Source> {
    yield* this.#sourcesIn(user, { table: 'clusterrolebindings', namespace: '' }, errors)
    if (namespace !== '') yield* this.#sourcesIn(user, { table: 'rolebindings', namespace }, errors)
  }

  *#sourcesIn(
    user: User,
    { table, namespace }: { table: string; namespace: string },
    errors: string[],
  ): Iterable<Source> {
    for (const { object } of this.#store.table(`${RBAC_GROUP}/${table}`).list(namespace)) {
      const subject = subjectsOf(object).find((each) => appliesTo(each, user, namespace))
      if (!subject) continue
      const ref = object.roleRef as JsonObject as unknown as RoleRef
      const rules = this.rulesOfRole(ref, namespace)
      if (!rules) errors.push(`${ref.kind.toLowerCase()}.${RBAC_GROUP} ${JSON.stringify(ref.name)} not found`)
      else yield* rules.map((rule) => ({ rule, describe: () => describeBinding(object, ref, subject) }))
    }
  }
}

/** As Go prints several errors. */
export function joinErrors(errors: readonly string[]): string {
  const distinct = [...new Set(errors)]
  return distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(', ')}]`
}

function subjectsOf(binding: KubeObject): readonly Subject[] {
  return (binding.subjects ?? []) as unknown as readonly Subject[]
}

function appliesTo({ kind, name, namespace }: Subject, user: User, bindingNamespace: string): boolean {
  if (kind === 'User') return user.name === name
  if (kind === 'Group') return user.groups.includes(name)
  const home = namespace || bindingNamespace
  return kind === 'ServiceAccount' && home !== '' && user.name === serviceAccountName(home, name)
}

function describeBinding({ kind, metadata }: KubeObject, ref: RoleRef, subject: Subject): string {
  const { name = '', namespace } = metadata
  const shown = JSON.stringify(namespace ? `${name}/${namespace}` : name)
  return `${kind} ${shown} of ${ref.kind} ${JSON.stringify(ref.name)} to ${describeSubject(subject, namespace ?? '')}`
}

function describeSubject({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  return `${kind} ${JSON.stringify(kind === 'ServiceAccount' ? `${name}/${namespace || bindingNamespace}` : name)}`
}
