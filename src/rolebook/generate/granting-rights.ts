import type { Project } from '../../engine/operator/project.ts'
import type { Permission, PolicyRule } from '../../engine/role/task-kind.ts'
import type { Place, Right } from './right.ts'

const GROUP = 'rbac.authorization.k8s.io'
const ROLES = { ClusterRole: 'clusterroles', Role: 'roles' } as const

/**
 * The rights that making an object of RBAC needs, besides those to its kind. A client can grant only rights that it has itself:
 * to make a role it must hold the rules of the role, and to make a binding it must hold them, too, or may `bind` this role.
 */
export function grantingRights({ grants }: Permission, places: readonly Place[]): readonly Right[] {
  if (grants === undefined || grants === 'computed') return []
  const rights = 'role' in grants ? [bindRight(grants.role)] : grants.rules.flatMap(rightsIn)
  return places.flatMap(({ namespace }) => rights.map((right) => ({ ...right, namespace })))
}

function bindRight({ kind, name }: { readonly kind: keyof typeof ROLES; readonly name: string }): Right {
  return { verb: 'bind', group: GROUP, resource: ROLES[kind], name }
}

function rightsIn({ apiGroups, resources, resourceNames, verbs }: PolicyRule): readonly Right[] {
  const names: readonly (string | undefined)[] = resourceNames ?? [undefined]
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) => names.flatMap((name) => verbs.map((verb) => ({ verb, group, resource, name })))),
  )
}

/** What no computed right allows since only a run knows what is granted, a sentence for each kind of each role. */
export function unknownGrants({ watches }: Pick<Project, 'watches'>): readonly string[] {
  const found = watches.flatMap(({ role }) =>
    role.permissions
      .filter(({ grants }) => grants === 'computed')
      .map(({ gvk: { kind } }) => {
        const remedy = kind.endsWith('Binding') ? '`bind` for the roles that they name' : '`escalate` for them'
        return `What a ${kind} of the role "${role.name}" grants is known to a run alone: add those rights, or ${remedy}`
      }),
  )
  return [...new Set(found)]
}
