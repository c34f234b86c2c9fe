import { formatGvk } from '../../../core/kube/group-version-kind.ts'
import type { BuiltinSchemas } from '../../../core/schema/builtin-schemas.ts'
import type { KnownKinds } from '../../migrate/known-kinds.ts'

/** What every server has. */
export function knownKinds(builtin: BuiltinSchemas): KnownKinds {
  const scopes = new Map(builtin.resources().map((one) => [formatGvk(one), one.namespaced]))
  return { schema: (gvk) => builtin.get(gvk), isNamespaced: (gvk) => scopes.get(formatGvk(gvk)) }
}
