import { isJsonObject, type JsonObject } from '../../core/base/json.ts'
import { formatGvk, type GroupKind, type Gvk } from '../../core/kube/group-version-kind.ts'
import type { BuiltinSchemas } from '../../core/schema/builtin-schemas.ts'
import type { Project } from '../../engine/operator/project.ts'

/** How a server calls a kind. */
export interface KindName {
  /** As in paths: `deployments`. */
  readonly plural: string
  readonly namespaced: boolean
}

/** `undefined`: nothing is known of the kind. */
export type KindNames = (kind: Gvk) => KindName | undefined

/** What can be known without a server: the kinds that every server has, and those of CRDs. */
export function offlineKindNames(crds: readonly JsonObject[], builtin: BuiltinSchemas): KindNames {
  const builtins = new Map(builtin.resources().map((resource) => [formatGvk(resource), resource]))
  return (gvk) => crds.flatMap((crd) => nameIn(crd, gvk) ?? [])[0] ?? builtins.get(formatGvk(gvk))
}

function nameIn({ spec }: JsonObject, { group, kind }: GroupKind): KindName | undefined {
  if (!isJsonObject(spec) || spec.group !== group || !isJsonObject(spec.names)) return undefined
  const { names, scope } = spec
  return names.kind === kind ? { plural: String(names.plural), namespaced: scope !== 'Cluster' } : undefined
}

/** The kinds that a project looks after, makes and reads, each once. */
export function kindsOf({ watches }: Pick<Project, 'watches'>): readonly Gvk[] {
  const kinds = watches.flatMap(({ watch, role }) => [watch.gvk, ...role.permissions.map(({ gvk }) => gvk)])
  return [...new Map(kinds.map((gvk) => [formatGvk(gvk), gvk])).values()]
}
