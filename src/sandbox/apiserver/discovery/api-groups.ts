import type { JsonObject } from '../../../core/base/json.ts'
import { apiVersionOf } from '../../../core/kube/group-version-kind.ts'
import type { ResourceRegistry } from '../resource-registry.ts'
import { compareVersions } from './compare-versions.ts'

export interface ServedGroup {
  readonly name: string
  /** Preferred one first. */
  readonly versions: readonly string[]
}

/** `/api`. */
export function apiVersions(serverAddress: string): JsonObject {
  const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress }]
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs }
}

/** `/apis`. */
export function apiGroupList(registry: ResourceRegistry): JsonObject {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groupsOf(registry).map(groupEntry) }
}

/** `/apis/<group>`. */
export function apiGroup(registry: ResourceRegistry, name: string): JsonObject | undefined {
  const group = groupsOf(registry).find((each) => each.name === name)
  return group && { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) }
}

function groupEntry({ name, versions }: ServedGroup): JsonObject {
  const entries = versions.map((version) => ({ groupVersion: apiVersionOf({ group: name, version }), version }))
  return { name, versions: entries, preferredVersion: entries[0] }
}

/** In the order of their priorities on the real server; groups of CRDs come after them. */
const BUILTIN_GROUPS = [
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
  'resource.k8s.io',
  'flowcontrol.apiserver.k8s.io',
]

/** All groups but the legacy one. */
export function groupsOf(registry: ResourceRegistry): readonly ServedGroup[] {
  const groups = new Map<string, Set<string>>()
  for (const { group, version } of registry.all()) {
    if (group === '') continue
    const versions = groups.get(group) ?? new Set()
    groups.set(group, versions.add(version))
  }
  return [...groups]
    .sort(([left], [right]) => rankOf(left) - rankOf(right) || (left < right ? -1 : 1))
    .map(([name, versions]) => ({ name, versions: [...versions].sort(compareVersions) }))
}

function rankOf(group: string): number {
  const rank = BUILTIN_GROUPS.indexOf(group)
  return rank === -1 ? BUILTIN_GROUPS.length : rank
}
