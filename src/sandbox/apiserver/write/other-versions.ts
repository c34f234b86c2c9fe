import { apiVersionOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { OtherVersions } from '../apply/object-versions.ts'
import type { ResourceRegistry } from '../resource-registry.ts'
import { presentObject, type ServedResource, toStorage } from '../served-resource.ts'

const cache = new WeakMap<ServedResource, OtherVersions | 'none'>()

/** The versions in which managers of a resource may own fields; `undefined` when there is but one. */
export function otherVersionsOf(resource: ServedResource, registry: ResourceRegistry): OtherVersions | undefined {
  let versions = cache.get(resource)
  if (versions === undefined) {
    versions =
      (resource.schemas ? customVersions(resource.schemas, resource.webhook) : builtinVersions(resource, registry)) ??
      'none'
    cache.set(resource, versions)
  }
  return versions === 'none' ? undefined : versions
}

/** All that the CRD names, also what is not served. Others are an error there, not unknown. */
function customVersions(
  schemas: NonNullable<ServedResource['schemas']>,
  webhook: ServedResource['webhook'],
): OtherVersions {
  return {
    knows: () => true,
    convert: (object, apiVersion) => {
      if (schemas.has(apiVersion)) return webhook ? webhook.convert(object, apiVersion) : { ...object, apiVersion }
      throw new Error(`request to convert CR to an invalid group/version: ${apiVersion}`)
    },
    schema: (apiVersion) => schemas.get(apiVersion),
    // The main endpoint knows its status in the version of the request only.
    ignoresAlike: (subresource) => subresource === 'status',
  }
}

/** Those of the same group: an entry in another one is dropped, as that of an Event in `events.k8s.io` is in the core group. */
function builtinVersions({ table, gvk }: ServedResource, registry: ResourceRegistry): OtherVersions | undefined {
  const versions = new Map<string, ServedResource>()
  for (const each of registry.all()) {
    if (each.table === table && each.gvk.group === gvk.group) versions.set(apiVersionOf(each.gvk), each)
  }
  if (versions.size < 2) return undefined
  return {
    knows: (apiVersion) => versions.has(apiVersion),
    convert: (object, apiVersion) => {
      const [from, to] = [versions.get(object.apiVersion), versions.get(apiVersion)] as [ServedResource, ServedResource]
      return presentObject(to, toStorage(from, object)) as KubeObject
    },
    schema: (apiVersion) => versions.get(apiVersion)?.schema,
    ignoresAlike: () => true,
  }
}
