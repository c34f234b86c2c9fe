import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import { mappingsOfCrd } from '../../core/kube/crd-kinds.ts'
import { formatGvk, type Gvk } from '../../core/kube/group-version-kind.ts'
import type { Schema } from '../../core/schema/schema.ts'

/** What is known of kinds. */
export interface KnownKinds {
  /** The schema of a kind; `undefined` when nothing is known of it. */
  schema(gvk: Gvk): Schema | undefined
  /** Whether its objects are in a namespace; `undefined` when it is not known. */
  isNamespaced(gvk: Gvk): boolean | undefined
}

/** The same, and the kinds of the CustomResourceDefinitions among some objects. */
export function withCrds(objects: readonly JsonValue[], known: KnownKinds): KnownKinds {
  const kinds = new Map(objects.filter(isJsonObject).flatMap(kindsOf))
  return {
    schema: (gvk) => kinds.get(formatGvk(gvk))?.schema ?? known.schema(gvk),
    isNamespaced: (gvk) => kinds.get(formatGvk(gvk))?.isNamespaced ?? known.isNamespaced(gvk),
  }
}

interface Kind {
  readonly schema: Schema | undefined
  readonly isNamespaced: boolean
}

function kindsOf(object: JsonObject): readonly (readonly [string, Kind])[] {
  const { kind, spec } = object
  if (kind !== 'CustomResourceDefinition' || !isJsonObject(spec)) return []
  const versions = isJsonArray(spec.versions) ? spec.versions.filter(isJsonObject) : []
  return mappingsOfCrd(object).map(({ gvk, namespaced }, index) => {
    const declared = versions[index]?.schema
    const schema = isJsonObject(declared) ? (declared.openAPIV3Schema as Schema | undefined) : undefined
    return [formatGvk(gvk), { schema, isNamespaced: namespaced }]
  })
}
