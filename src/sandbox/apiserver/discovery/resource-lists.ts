import { sha256 } from '../../../core/base/hash.ts'
import type { JsonObject } from '../../../core/base/json.ts'
import { apiVersionOf, type Gvk } from '../../../core/kube/group-version-kind.ts'
import type { ResourceRegistry } from '../resource-registry.ts'
import type { ServedResource, ServedSubresource } from '../served-resource.ts'
import { type DiscoveredState, groupsOf, type ServedVersion } from './api-groups.ts'

/** `/api/v1` and `/apis/<group>/<version>`: the resources of one version. */
export function apiResourceList(registry: ResourceRegistry, group: string, version: string): JsonObject {
  const resources = [...registry.all()]
    .filter((resource) => resource.group === group && resource.version === version)
    .sort((left, right) => (left.plural < right.plural ? -1 : 1))
    .flatMap((resource) => [
      resourceEntry(resource),
      ...[...resource.subresources.values()].map((each) => subresourceEntry(resource, each)),
    ])
  const apiVersion = group === '' ? {} : { apiVersion: 'v1' }
  return { kind: 'APIResourceList', ...apiVersion, groupVersion: apiVersionOf({ group, version }), resources }
}

function resourceEntry(resource: ServedResource): JsonObject {
  const { plural, singular, namespaced, kind, shownVerbs: verbs = resource.verbs, shortNames, categories } = resource
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(verbs.includes('watch') && { storageVersionHash: storageVersionHash(resource) }),
  }
}

/** By which clients see that the stored version changed. */
function storageVersionHash({ group, storageVersion, kind }: ServedResource): string {
  const hash = sha256(`${group}/${storageVersion}/${kind}`)
  return Buffer.from(hash.slice(0, 16), 'hex').toString('base64')
}

function subresourceEntry(resource: ServedResource, { name, gvk, verbs }: ServedSubresource): JsonObject {
  const isForeign = gvk.group !== resource.group || gvk.version !== resource.version
  return {
    name: `${resource.plural}/${name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...(isForeign && { group: gvk.group, version: gvk.version }),
    kind: gvk.kind,
    verbs,
  }
}

/** Built-in resources leave out group and version where they are those around them. */
function responseKind({ custom, gvk }: ServedResource, kind: Gvk): Gvk {
  const isSame = kind.group === gvk.group && kind.version === gvk.version
  return isSame && !custom ? { group: '', version: '', kind: kind.kind } : kind
}

/** Aggregated discovery (`APIGroupDiscoveryList`) of the legacy group, or of all others. */
export function aggregatedDiscovery(state: DiscoveredState, root: 'api' | 'apis', version: string): JsonObject {
  const groups = root === 'api' ? [LEGACY] : groupsOf(state)
  const items = groups.map(({ name, versions }) => ({
    metadata: name === '' ? {} : { name },
    versions: versions.map((each) => discoveredVersion(state.registry, name, each)),
  }))
  return { kind: 'APIGroupDiscoveryList', apiVersion: `apidiscovery.k8s.io/${version}`, metadata: {}, items }
}

const LEGACY = { name: '', versions: [{ name: 'v1', isRemote: false }] }

function discoveredVersion(
  registry: ResourceRegistry,
  group: string,
  { name: version, isRemote }: ServedVersion,
): JsonObject {
  if (isRemote) return { version, freshness: 'Stale' }
  const resources = [...registry.all()]
    .filter((resource) => resource.group === group && resource.version === version)
    .map(discoveredResource)
  return { version, resources, freshness: 'Current' }
}

function discoveredResource(resource: ServedResource): JsonObject {
  const { plural, gvk, namespaced, singular, shownVerbs: verbs = resource.verbs, shortNames, categories } = resource
  const subresources = [...resource.subresources.values()].map((each) => ({
    subresource: each.name,
    responseKind: responseKind(resource, each.gvk),
    verbs: each.verbs,
  }))
  return {
    resource: plural,
    responseKind: responseKind(resource, gvk),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources }),
  }
}
