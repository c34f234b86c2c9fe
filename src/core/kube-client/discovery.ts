import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import type { Gvk } from '../kube/group-version-kind.ts'
import type { ResourceMapping } from '../kube/resource-mapper.ts'

/** One version of a group, as the server describes it. */
export interface ServedVersion {
  readonly group: string
  readonly version: string
  /** False when the server that stands behind the group could not be asked: what it serves is unknown. */
  readonly known: boolean
  readonly resources: readonly ResourceMapping[]
}

/** From aggregated discovery (`APIGroupDiscoveryList`). Versions keep the server's order of preference. */
export function parseAggregated(list: JsonObject): readonly ServedVersion[] {
  return objectsIn(list.items).flatMap((item) => {
    const group = textIn(item.metadata, 'name')
    return objectsIn(item.versions).map((version) => parseAggregatedVersion(version, group))
  })
}

function parseAggregatedVersion(entry: JsonObject, group: string): ServedVersion {
  const version = textIn(entry, 'version')
  const resources = objectsIn(entry.resources).map(
    (resource): ResourceMapping => ({
      gvk: kindIn(resource.responseKind, { group, version }),
      plural: textIn(resource, 'resource'),
      namespaced: resource.scope === 'Namespaced',
      subresources: objectsIn(resource.subresources).map((subresource) => textIn(subresource, 'subresource')),
      verbs: textsIn(resource.verbs),
    }),
  )
  return { group, version, known: entry.freshness !== 'Stale', resources }
}

/** Groups and versions from the legacy documents `APIGroupList` (`/apis`) and `APIVersions` (`/api`), the preferred first. */
export function parseGroupVersions(document: JsonObject): readonly { group: string; version: string }[] {
  if (document.kind === 'APIVersions') return textsIn(document.versions).map((version) => ({ group: '', version }))
  return objectsIn(document.groups).flatMap((item) => {
    const preferred = textIn(item.preferredVersion, 'version')
    const versions = objectsIn(item.versions).map((entry) => textIn(entry, 'version'))
    versions.sort((left, right) => Number(right === preferred) - Number(left === preferred))
    return versions.map((version) => ({ group: textIn(item, 'name'), version }))
  })
}

/** From a legacy `APIResourceList`, in which subresources stand beside their resources as `plural/subresource`. */
export function parseResourceList(list: JsonObject, { group, version }: Omit<Gvk, 'kind'>): readonly ResourceMapping[] {
  const entries = objectsIn(list.resources)
  const subresourcesOf = (plural: string): string[] =>
    entries
      .map((entry) => textIn(entry, 'name').split('/'))
      .flatMap(([parent, subresource]) => (parent === plural && subresource !== undefined ? [subresource] : []))
  return entries
    .filter((entry) => !textIn(entry, 'name').includes('/'))
    .map((entry) => ({
      gvk: { group, version, kind: textIn(entry, 'kind') },
      plural: textIn(entry, 'name'),
      namespaced: entry.namespaced === true,
      subresources: subresourcesOf(textIn(entry, 'name')),
      verbs: textsIn(entry.verbs),
    }))
}

/** `responseKind` leaves out group and version where they are those of the path. */
function kindIn(value: JsonValue | undefined, { group, version }: Omit<Gvk, 'kind'>): Gvk {
  return {
    group: textIn(value, 'group') || group,
    version: textIn(value, 'version') || version,
    kind: textIn(value, 'kind'),
  }
}

function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : []
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function textIn(value: JsonValue | undefined, name: string): string {
  const found = isJsonObject(value) ? value[name] : undefined
  return typeof found === 'string' ? found : ''
}
