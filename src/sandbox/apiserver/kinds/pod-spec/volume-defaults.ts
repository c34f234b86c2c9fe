import type { JsonObject } from '../../../../core/base/json.ts'
import { mapField, mapFields, mapItems, textAt, withDefaults } from '../common/fields.ts'
import { claimSpecDefaults } from '../persistent-volume-claim-spec.ts'
import { fieldSourceDefaults, pullPolicyOf } from './container-defaults.ts'

/** Of sources that PersistentVolumes have as well. */
const PERSISTENT: Readonly<Record<string, (source: JsonObject) => JsonObject>> = {
  hostPath: (source) => withDefaults(source, { type: '' }),
  iscsi: (source) => withDefaults(source, { iscsiInterface: 'default' }),
  rbd: (source) => withDefaults(source, { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' }),
  azureDisk: (source) =>
    withDefaults(source, { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' }),
  scaleIO: (source) => withDefaults(source, { storageMode: 'ThinProvisioned', fsType: 'xfs' }),
}

/** What each kind of volume source gets. */
const SOURCE_DEFAULTS: Readonly<Record<string, (source: JsonObject) => JsonObject>> = {
  ...PERSISTENT,
  secret: (source) => withDefaults(source, { defaultMode: 420 }),
  configMap: (source) => withDefaults(source, { defaultMode: 420 }),
  downwardAPI: (source) => mapItems(withDefaults(source, { defaultMode: 420 }), 'items', fieldSourceDefaults),
  projected: (source) => mapItems(withDefaults(source, { defaultMode: 420 }), 'sources', projectionDefaults),
  image: (source) => withDefaults(source, { pullPolicy: pullPolicyOf(textAt(source, 'reference')) }),
  ephemeral: (source) =>
    mapField(source, 'volumeClaimTemplate', (template) => mapField(template, 'spec', claimSpecDefaults)),
}

/** Sources of a PersistentVolume get what they get in a pod. */
export function persistentSourceDefaults(spec: JsonObject): JsonObject {
  return mapFields(spec, PERSISTENT)
}

/** A volume that names no source is an empty directory. */
export function volumeDefaults(given: JsonObject): JsonObject {
  const source = Object.keys(given).find((name) => name !== 'name' && given[name] !== undefined)
  if (source === undefined) return { ...given, emptyDir: {} }
  const defaults = SOURCE_DEFAULTS[source]
  return defaults ? mapField(given, source, defaults) : given
}

function projectionDefaults(projection: JsonObject): JsonObject {
  const withExpiry = mapField(projection, 'serviceAccountToken', (token) =>
    withDefaults(token, { expirationSeconds: 3600 }),
  )
  return mapField(withExpiry, 'downwardAPI', (source) => mapItems(source, 'items', fieldSourceDefaults))
}
