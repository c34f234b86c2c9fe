import { getPath, isJsonObject, type JsonObject } from '../base/json.ts'
import type { Project } from '../config/project.ts'
import type { Gvk } from '../kube/group-version-kind.ts'

/**
 * Whether the server knows of each condition of a kind whose it is, or there is none. Where conditions are one atomic list,
 * the operator must look who else writes them.
 */
export function conditionsAreAMap({ crds }: Pick<Project, 'crds'>, { group, version, kind }: Gvk): boolean {
  const specs = crds.map(({ spec }) => spec).filter(isJsonObject)
  const spec = specs.find((one) => one.group === group && getPath(one, ['names', 'kind']) === kind)
  // What a project has for a CRD has been checked.
  const versions = spec?.versions as readonly JsonObject[] | undefined
  const found = versions?.find(({ name }) => name === version)
  if (!found) return false
  const conditions = getPath(found, ['schema', 'openAPIV3Schema', 'properties', 'status', 'properties', 'conditions'])
  return conditions === undefined || (conditions as JsonObject)['x-kubernetes-list-type'] === 'map'
}
