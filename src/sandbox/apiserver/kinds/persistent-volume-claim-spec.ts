import type { JsonObject } from '../../../core/base/json.ts'
import { mapField, withDefaults } from './common/fields.ts'
import { canonicalRequirements } from './common/quantity.ts'

/** What the spec of a claim gets: in a PersistentVolumeClaim, a template of a StatefulSet, an ephemeral volume. */
export function claimSpecDefaults(spec: JsonObject): JsonObject {
  const sized = mapField(
    withDefaults(spec, { volumeMode: 'Filesystem', resources: {} }),
    'resources',
    canonicalRequirements,
  )
  const withGroup = (source: JsonObject): JsonObject => withDefaults(source, { apiGroup: null })
  return mapField(mapField(sized, 'dataSource', withGroup), 'dataSourceRef', withGroup)
}
