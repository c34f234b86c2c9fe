import type { JsonObject } from '../../base/json.ts'
import { mapField, withDefaults } from './common/fields.ts'
import { canonicalRequirements } from './common/quantity.ts'

/** What the spec of a claim gets: in a PersistentVolumeClaim, a template of a StatefulSet, an ephemeral volume. */
export function claimSpecDefaults(spec: JsonObject): JsonObject {
  const sized = mapField(
    withDefaults(spec, { volumeMode: 'Filesystem', resources: {} }),
    'resources',
    canonicalRequirements,
  )
  // Each of the two data sources is written into the other, as long as the newer one stays in the namespace.
  const { dataSource, dataSourceRef } = sized
  if (dataSource !== undefined && dataSourceRef === undefined) return { ...sized, dataSourceRef: dataSource }
  return sized
}
