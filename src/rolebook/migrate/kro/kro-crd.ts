import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { Gvk } from '../../../core/kube/group-version-kind.ts'
import { newCrd } from '../../scaffold/new-crd.ts'
import type { NewSchema } from './new-schema.ts'

export interface KroCrdParts {
  readonly gvk: Gvk
  /** `spec.schema` of the ResourceGraphDefinition. */
  readonly declared: JsonObject
  readonly spec: NewSchema
  readonly status: { readonly [name: string]: NewSchema }
}

/** The CRD that kro would have made, with the conditions of our engine. */
export function kroCrd({ gvk, declared, spec, status }: KroCrdParts): JsonObject {
  const { scope, shortNames, categories, metadata, additionalPrinterColumns } = declared
  const { labels, annotations } = isJsonObject(metadata) ? metadata : {}
  return newCrd({
    gvk,
    spec: spec as JsonObject,
    status: status as JsonObject,
    scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    names: { ...(shortNames !== undefined && { shortNames }), ...(categories !== undefined && { categories }) },
    metadata: { ...(labels !== undefined && { labels }), ...(annotations !== undefined && { annotations }) },
    columns: columnsOf(additionalPrinterColumns),
  })
}

/** Those of `status.state` have nothing to show. */
function columnsOf(columns: JsonValue | undefined): readonly JsonObject[] {
  const given = isJsonArray(columns) ? columns.filter(isJsonObject) : []
  return given.filter(({ jsonPath }) => jsonPath !== '.status.state')
}
