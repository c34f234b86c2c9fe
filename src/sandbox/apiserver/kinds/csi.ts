import { jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { itemsAt, mapField, objectAt, textAt, textsAt, withDefaults } from './common/fields.ts'
import { withMetadata } from './common/strategies.ts'
import { validateCsiDriver, validateCsiNode, validateCsiStorageCapacity } from './csi-validation.ts'
import type { KindRules } from './kind-rules.ts'

const gvkOf = (kind: string) => ({ group: 'storage.k8s.io', version: 'v1', kind })
const driverGvk = gvkOf('CSIDriver')
const nodeGvk = gvkOf('CSINode')

const DRIVER_DEFAULTS = {
  attachRequired: true,
  podInfoOnMount: false,
  storageCapacity: false,
  fsGroupPolicy: 'ReadWriteOnceWithFSType',
  requiresRepublish: false,
  seLinuxMount: false,
}

/** What CSI drivers declare about themselves. The sandbox stores it and does not act on it. */
export const csiDriver: KindRules = {
  gvk: driverGvk,
  applyDefaults: (object) => ({ ...object, spec: driverDefaults(objectAt(object, 'spec')) }),
  validate: validateCsiDriver,
  warnings: (object, old) => (old && sameTokens(object, old) ? [] : driverWarnings(object)),
  prepareForCreate: withoutScheduling,
  prepareForUpdate: (object, old) => countChange(withoutScheduling(object), old),
  unconditionalUpdate: false,
  columns: columnsOf(driverGvk, {
    AttachRequired: (object) => objectAt(object, 'spec').attachRequired !== false,
    PodInfoOnMount: (object) => objectAt(object, 'spec').podInfoOnMount === true,
    StorageCapacity: (object) => objectAt(object, 'spec').storageCapacity === true,
    TokenRequests: (object) => audiencesOf(object),
    RequiresRepublish: (object) => objectAt(object, 'spec').requiresRepublish === true,
    Modes: (object) => textsAt(objectAt(object, 'spec'), 'volumeLifecycleModes').join(',') || '<none>',
  }),
}

/** Behind a gate that is closed. */
function withoutScheduling(object: KubeObject): KubeObject {
  return mapField(object, 'spec', ({ preventPodSchedulingIfMissing: _dropped, ...spec }) => spec)
}

function sameTokens(object: KubeObject, old: KubeObject): boolean {
  return jsonEquals(objectAt(object, 'spec').tokenRequests, objectAt(old, 'spec').tokenRequests)
}

/** A driver is born without a generation. */
function countChange(object: KubeObject, old: KubeObject): KubeObject {
  if (jsonEquals(object.spec, old.spec)) return object
  return withMetadata(object, { generation: (old.metadata.generation ?? 0) + 1 })
}

export const csiNode: KindRules = {
  gvk: nodeGvk,
  keepsEmpty: true,
  validate: validateCsiNode,
  unconditionalUpdate: false,
  columns: columnsOf(nodeGvk, { Drivers: (object) => itemsAt(objectAt(object, 'spec'), 'drivers').length }),
}

export const csiStorageCapacity: KindRules = {
  gvk: gvkOf('CSIStorageCapacity'),
  validate: validateCsiStorageCapacity,
  unconditionalUpdate: false,
  columns: columnsOf(gvkOf('CSIStorageCapacity')),
}

function driverDefaults(given: ReturnType<typeof objectAt>): ReturnType<typeof objectAt> {
  const hasModes = textsAt(given, 'volumeLifecycleModes').length > 0
  return withDefaults({ ...given, ...(!hasModes && { volumeLifecycleModes: ['Persistent'] }) }, DRIVER_DEFAULTS)
}

function driverWarnings(object: KubeObject): readonly string[] {
  const { tokenRequests = null, serviceAccountTokenInSecrets } = objectAt(object, 'spec')
  if (tokenRequests === null || serviceAccountTokenInSecrets !== undefined) return []
  return [
    'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
  ]
}

function audiencesOf(object: KubeObject): string {
  const spec = objectAt(object, 'spec')
  if (spec.tokenRequests === undefined) return '<unset>'
  return itemsAt(spec, 'tokenRequests')
    .map((request) => textAt(request, 'audience'))
    .join(',')
}
