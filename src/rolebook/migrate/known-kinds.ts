import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
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

function kindsOf({ kind, spec }: JsonObject): readonly (readonly [string, Kind])[] {
  if (kind !== 'CustomResourceDefinition' || !isJsonObject(spec) || !isJsonObject(spec.names)) return []
  const { group, names, scope } = spec
  const versions = isJsonArray(spec.versions) ? spec.versions.filter(isJsonObject) : []
  return versions.map(({ name, schema }) => {
    const gvk = { group: String(group), version: String(name), kind: String(names.kind) }
    const whole = isJsonObject(schema) ? (schema.openAPIV3Schema as Schema | undefined) : undefined
    return [formatGvk(gvk), { schema: whole, isNamespaced: scope !== 'Cluster' }]
  })
}
