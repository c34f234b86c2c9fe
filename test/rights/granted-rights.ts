import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import type { KubeObject } from '../../src/core/kube/object.ts'
import type { PolicyRule } from '../../src/engine/role/task-kind.ts'
import type { AuditedRequest } from '../control-plane/audit-log.ts'

/** One verb on one resource, and where in `deploy/rbac.yaml` it stands. */
export interface GrantedRight {
  /** `apps/deployments patch`, `rolebook-system: /configmaps/rolebook-ledger get`. */
  readonly text: string
  readonly group: string
  /** With its subresource. */
  readonly resource: string
  readonly verb: string
  readonly name?: string | undefined
  /** Of the Role; absent: of the ClusterRole. */
  readonly namespace?: string | undefined
}

type RoleObject = KubeObject & { readonly rules: readonly PolicyRule[] }

const roles = (): readonly RoleObject[] =>
  parseAllDocuments(readFileSync('deploy/rbac.yaml', 'utf8'))
    .map((document) => document.toJS() as RoleObject)
    .filter(({ rules }) => rules !== undefined)

/** Everything that `deploy/rbac.yaml` grants. */
export function grantedRights(): readonly GrantedRight[] {
  return roles().flatMap(({ rules, metadata: { namespace } }) => rules.flatMap((rule) => rightsIn(rule, namespace)))
}

function rightsIn({ apiGroups, resources, resourceNames = [undefined], verbs }: RuleWithNames, namespace?: string) {
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      resourceNames.flatMap((name) =>
        verbs.map((verb): GrantedRight => {
          const object = name === undefined ? resource : `${resource}/${name}`
          const text = `${namespace === undefined ? '' : `${namespace}: `}${group}/${object} ${verb}`
          return { text, group, resource, verb, name, namespace }
        }),
      ),
    ),
  )
}

type RuleWithNames = Omit<PolicyRule, 'resourceNames'> & { readonly resourceNames?: readonly (string | undefined)[] }

/** The Roles of `deploy/rbac.yaml` as they are without some of the rights: a rule for each that is left. */
export function rolesWithout(removed: readonly GrantedRight[]): readonly KubeObject[] {
  const gone = new Set(removed.map(({ text }) => text))
  return roles().map((role) => ({
    ...role,
    rules: role.rules
      .flatMap((rule) => rightsIn(rule, role.metadata.namespace))
      .filter(({ text }) => !gone.has(text))
      .map(({ group, resource, name, verb }) => ({
        apiGroups: [group],
        resources: [resource],
        ...(name !== undefined && { resourceNames: [name] }),
        verbs: [verb],
      })),
  }))
}

/** Whether a request is one that a right is for. An apply that makes an object needs the right to create it, too. */
export function isUsed(
  right: GrantedRight,
  { group, resource, verb, name, namespace, status }: AuditedRequest,
): boolean {
  const verbs = verb === 'patch' && status === 201 ? ['patch', 'create'] : [verb]
  return (
    right.group === group &&
    right.resource === resource &&
    verbs.includes(right.verb) &&
    (right.name === undefined || right.name === name) &&
    (right.namespace === undefined || right.namespace === namespace)
  )
}
