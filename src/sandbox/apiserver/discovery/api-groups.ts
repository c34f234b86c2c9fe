import type { JsonObject } from '../../../core/base/json.ts'
import { apiVersionOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { API_SERVICE } from '../aggregation/api-service-controller.ts'
import { isLocal } from '../kinds/api-service.ts'
import { numberAt, objectAt, textAt } from '../kinds/common/fields.ts'
import type { ServerState } from '../write/write-request.ts'
import { compareVersions } from './compare-versions.ts'

/** What discovery looks at: the resources that are served, and the APIServices that rank them. */
export type DiscoveredState = Pick<ServerState, 'registry' | 'objects'>

export interface ServedGroup {
  readonly name: string
  /** Preferred one first. */
  readonly versions: readonly ServedVersion[]
}

export interface ServedVersion {
  readonly name: string
  /** Served by another program, that is, by none. */
  readonly isRemote: boolean
}

/** `/api`. */
export function apiVersions(serverAddress: string): JsonObject {
  const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress }]
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs }
}

/** `/apis`. */
export function apiGroupList(state: DiscoveredState): JsonObject {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groupsOf(state).map(groupEntry) }
}

/** `/apis/<group>`. */
export function apiGroup(state: DiscoveredState, name: string): JsonObject | undefined {
  const group = groupsOf(state).find((each) => each.name === name)
  return group && { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) }
}

function groupEntry({ name, versions }: ServedGroup): JsonObject {
  const entries = versions.map((version) => ({
    groupVersion: apiVersionOf({ group: name, version: version.name }),
    version: version.name,
  }))
  return { name, versions: entries, preferredVersion: entries[0] }
}

/** The one group without an APIService, before all others. */
const FIRST: ServedGroup = { name: API_SERVICE.group, versions: [{ name: API_SERVICE.version, isRemote: false }] }

/** All groups but the legacy one, as their APIServices rank them. */
export function groupsOf({ registry, objects }: DiscoveredState): readonly ServedGroup[] {
  const groups = new Map<string, RankedVersion[]>()
  for (const version of objects.list(API_SERVICE).map(rankedVersion).sort(compareGroups)) {
    const { group, name, isRemote } = version
    if (group === '' || !(isRemote || registry.hasGroupVersion(group, name))) continue
    const versions = groups.get(group) ?? []
    versions.push(version)
    groups.set(group, versions)
  }
  return [FIRST, ...[...groups].map(([name, versions]) => ({ name, versions: versions.sort(compareRanks) }))]
}

/** Whether a version of a group is the matter of another program. */
export function isRemote({ objects }: Pick<ServerState, 'objects'>, group: string, version: string): boolean {
  const found = objects.get(API_SERVICE, { namespace: '', name: `${version}.${group}` })
  return found !== undefined && !isLocal(found)
}

interface RankedVersion extends ServedVersion {
  readonly group: string
  readonly groupPriority: number
  readonly versionPriority: number
}

function rankedVersion(apiService: KubeObject): RankedVersion {
  const spec = objectAt(apiService, 'spec')
  return {
    group: textAt(spec, 'group'),
    name: textAt(spec, 'version'),
    groupPriority: numberAt(spec, 'groupPriorityMinimum'),
    versionPriority: numberAt(spec, 'versionPriority'),
    isRemote: !isLocal(apiService),
  }
}

function compareGroups(left: RankedVersion, right: RankedVersion): number {
  return right.groupPriority - left.groupPriority || (nameOf(left) < nameOf(right) ? -1 : 1)
}

function nameOf({ name, group }: RankedVersion): string {
  return `${name}.${group}`
}

function compareRanks(left: RankedVersion, right: RankedVersion): number {
  return right.versionPriority - left.versionPriority || compareVersions(left.name, right.name)
}
