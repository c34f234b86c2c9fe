import type { JsonObject } from '../../core/base/json.ts'
import { apiVersionOf, formatGvk, type Gvk } from '../../core/kube/group-version-kind.ts'
import type { BuiltinSchemas } from '../../core/schema/builtin-schemas.ts'
import { checkShapes } from '../../core/schema/check-shape.ts'
import { checkCrdSchemas, crdSchemas } from '../../core/schema/crd-schemas.ts'
import type { Schema } from '../../core/schema/schema.ts'
import type { KindSchemas } from '../../engine/role/kind-schemas.ts'

/** Schemas from outside of a project. */
export interface KnownSchemas {
  readonly builtin: BuiltinSchemas
  /** CustomResourceDefinitions of kinds that roles read or make and that are not theirs. */
  readonly crds?: readonly JsonObject[] | undefined
  /** What a cluster serves: instead of what every server has. */
  readonly served?: Pick<KindSchemas, 'get'> | undefined
}

/** What is known of kinds: those that every server has, those of the project, and further ones. */
export function projectSchemas(
  { builtin, crds = [], served }: KnownSchemas,
  own: readonly { readonly object: JsonObject }[],
): KindSchemas {
  const meta = builtin.definition('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta') as Schema
  const custom = new Map<string, Schema>()
  for (const crd of [...crds, ...own.map(({ object }) => object)]) {
    for (const schema of schemasOf(crd, meta)) {
      const [gvk] = schema['x-kubernetes-group-version-kind'] ?? []
      if (gvk) custom.set(formatGvk(gvk), schema)
    }
  }
  return {
    get: (gvk: Gvk) => custom.get(formatGvk(gvk)) ?? served?.get(gvk) ?? builtin.get(gvk),
    kindsOf: (groupVersion) => {
      const kinds = builtin.resources().filter((one) => apiVersionOf(one) === groupVersion)
      return kinds.length === 0 || served !== undefined ? undefined : kinds.map(({ kind }) => kind)
    },
    versionsWith: (kind) =>
      served === undefined
        ? builtin
            .resources()
            .filter((one) => one.kind === kind)
            .map(apiVersionOf)
        : [],
    isWhole: served === undefined,
    versionsOf: (group) => {
      const versions = builtin.resources().filter((one) => one.group === group)
      const isOwn = [...custom.keys()].some((gvk) => gvk.startsWith(`${group}/`))
      return versions.length === 0 || isOwn || served !== undefined
        ? undefined
        : [...new Set(versions.map(({ version }) => version))]
    },
  }
}

/** A CRD with a schema that a server would refuse says nothing of its kind. */
function schemasOf(crd: JsonObject, meta: Schema): Iterable<Schema> {
  const isRefused = checkShapes(crd.spec).length > 0 || checkCrdSchemas(crd).length > 0
  return isRefused ? [] : crdSchemas(crd, meta).values()
}
