import type { JsonObject } from '../../base/json.ts'
import { apiVersionOf } from '../../kube/group-version-kind.ts'
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

/** All groups but the legacy one, in the order in which they were added. */
export function groupsOf(registry: ResourceRegistry): readonly ServedGroup[] {
  const groups = new Map<string, Set<string>>()
  for (const { group, version } of registry.all()) {
    if (group === '') continue
    const versions = groups.get(group) ?? new Set()
    groups.set(group, versions.add(version))
  }
  return [...groups].map(([name, versions]) => ({ name, versions: [...versions].sort(compareVersions) }))
}
