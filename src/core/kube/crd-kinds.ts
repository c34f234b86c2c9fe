import { isJsonArray, isJsonObject, type JsonObject } from '../base/json.ts'
import type { KubeObject } from './object.ts'
import type { ResourceMapping } from './resource-mapper.ts'

/** How a server serves the versions of a CRD. A CRD that is not whole yet has those that it names; verbs are not known. */
export function mappingsOfCrd(crd: KubeObject | JsonObject): readonly ResourceMapping[] {
  const spec = isJsonObject(crd.spec) ? crd.spec : {}
  const names = isJsonObject(spec.names) ? spec.names : {}
  const versions = isJsonArray(spec.versions) ? spec.versions.filter(isJsonObject) : []
  return versions.map(({ name, subresources }) => ({
    gvk: { group: String(spec.group), version: String(name), kind: String(names.kind) },
    plural: String(names.plural),
    namespaced: spec.scope === 'Namespaced',
    subresources: isJsonObject(subresources) ? Object.keys(subresources) : [],
    verbs: [],
  }))
}
