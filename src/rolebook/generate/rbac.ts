import type { JsonObject } from '../../core/base/json.ts'
import type { PolicyRule } from '../../engine/role/task-kind.ts'
import { nameElsewhere } from './install-settings.ts'
import type { Right } from './right.ts'

export interface RbacSettings {
  /** Of what is made in the namespace; elsewhere the namespace stands in the name. */
  readonly name: string
  /** Where the ServiceAccount is. */
  readonly namespace: string
}

/** A ServiceAccount with exactly these rights: a ClusterRole for those everywhere, a Role for each namespace. */
export function rbacObjects(rights: readonly Right[], settings: RbacSettings): readonly JsonObject[] {
  const { name, namespace } = settings
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } }
  // Everywhere comes first.
  const places = [...new Set(rights.map((right) => right.namespace ?? ''))].sort()
  const granted = places.flatMap((place) => {
    const rules = rulesOf(rights.filter((right) => (right.namespace ?? '') === place))
    return grant(rules, place, settings)
  })
  return [account, ...granted]
}

function grant(rules: readonly PolicyRule[], place: string, settings: RbacSettings): readonly JsonObject[] {
  const name = place === settings.namespace ? settings.name : nameElsewhere(settings)
  const [kind, metadata] = place === '' ? ['ClusterRole', { name }] : ['Role', { name, namespace: place }]
  return [
    { apiVersion: RBAC, kind, metadata, rules },
    {
      apiVersion: RBAC,
      kind: `${kind}Binding`,
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
      subjects: [{ kind: 'ServiceAccount', name: settings.name, namespace: settings.namespace }],
    },
  ]
}

const RBAC = 'rbac.authorization.k8s.io/v1'

/** In the order in which people name them. */
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'bind']

/** Rights of one place as rules: resources of a group that allow the same stand together. */
export function rulesOf(rights: readonly Right[]): readonly PolicyRule[] {
  const verbsOf = groupBy(rights, ({ group, resource, name = '' }) => [group, resource, name])
  const rules = [...verbsOf].map(([key, found]) => {
    const [group = '', resource = '', name = ''] = key
    return { group, resource, name, verbs: inOrder(found.map(({ verb }) => verb)) }
  })
  const together = groupBy(rules, ({ group, name, verbs }) => [group, name, ...verbs])
  return [...together.values()].map((alike) => {
    const { group, name, verbs } = alike[0] as (typeof alike)[number]
    return {
      apiGroups: [group],
      resources: alike.map(({ resource }) => resource),
      ...(name !== '' && { resourceNames: [name] }),
      verbs,
    }
  })
}

function inOrder(verbs: readonly string[]): readonly string[] {
  return [...verbs].sort((left, right) => VERBS.indexOf(left) - VERBS.indexOf(right))
}

/** In the order of the first of each. */
function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => readonly string[]) {
  const groups = new Map<string, { readonly key: readonly string[]; readonly items: Item[] }>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key.join('\0')) ?? { key, items: [] }
    group.items.push(item)
    groups.set(key.join('\0'), group)
  }
  return new Map([...groups.values()].map((group) => [group.key, group.items]))
}
