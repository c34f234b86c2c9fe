import type { Project } from '../../engine/operator/project.ts'
import type { Permission, PolicyRule } from '../../engine/role/task-kind.ts'
import type { Place, Right } from './right.ts'

const GROUP = 'rbac.authorization.k8s.io'
const ROLES = { ClusterRole: 'clusterroles', Role: 'roles' } as const

/**
 * What it takes to make an object of RBAC besides the rights to its kind. Nobody grants what they may not do themselves: who makes
 * a role must hold its rules, and who makes a binding must hold those of the role, or may `bind` this role.
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
