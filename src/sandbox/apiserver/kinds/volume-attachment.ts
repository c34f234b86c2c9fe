import { type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { checkSubdomain } from '../write/names.ts'
import { columnsOf } from './common/columns.ts'
import { asStruct, type FieldErrors, forbidden, invalid, invalidFor, required } from './common/field-errors.ts'
import { mapField, objectAt, textAt } from './common/fields.ts'
import { specAndStatus } from './common/strategies.ts'
import { validateAttachmentStatus } from './csi-validation.ts'
import type { KindRules } from './kind-rules.ts'
import { validateInlineVolumeSpec } from './persistent-volume-validation.ts'
import { persistentSourceDefaults } from './pod-spec/volume-defaults.ts'
import { validateDriver } from './pod-spec/volume-sources.ts'

const gvk = { group: 'storage.k8s.io', version: 'v1', kind: 'VolumeAttachment' }

export const volumeAttachment: KindRules = {
  gvk,
  ...specAndStatus({ attached: false }),
  applyDefaults: (object) =>
    mapField(object, 'spec', (spec) =>
      mapField(spec, 'source', (source) => mapField(source, 'inlineVolumeSpec', persistentSourceDefaults)),
    ),
  unconditionalUpdate: false,
  validate,
  validateStatusUpdate: validate,
  columns: columnsOf(gvk, {
    Attacher: (object) => textAt(objectAt(object, 'spec'), 'attacher'),
    PV: (object) => textAt(objectAt(objectAt(object, 'spec'), 'source'), 'persistentVolumeName'),
    Node: (object) => textAt(objectAt(object, 'spec'), 'nodeName'),
    Attached: (object) => objectAt(object, 'status').attached === true,
  }),
}

function validate(object: KubeObject, old?: KubeObject): FieldErrors {
  const spec = objectAt(object, 'spec')
  const { persistentVolumeName: volume } = objectAt(spec, 'source')
  const node = textAt(spec, 'nodeName')
  return [
    ...validateDriver(textAt(spec, 'attacher'), 'spec.attacher'),
    ...validateSource(objectAt(spec, 'source'), 'spec.source'),
    ...invalidFor('spec.nodeName', node, checkSubdomain(node)),
    ...validateAttachmentStatus(objectAt(object, 'status')),
    ...(typeof volume === 'string'
      ? invalidFor('spec.source.persistentVolumeName', volume, checkSubdomain(volume))
      : []),
    ...(old && !jsonEquals(spec, old.spec) ? [asStruct(invalid('spec', goSpec(spec), 'field is immutable'))] : []),
  ]
}

function validateSource(source: JsonObject, field: string): FieldErrors {
  const { inlineVolumeSpec: inline, persistentVolumeName: volume } = source
  const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'
  if (inline === undefined && volume === undefined) return [required(field, exactlyOne)]
  if (inline !== undefined && volume !== undefined) return [forbidden(field, exactlyOne)]
  if (inline !== undefined) {
    return validateInlineVolumeSpec(objectAt(source, 'inlineVolumeSpec'), `${field}.inlineVolumeSpec`)
  }
  const name = `${field}.persistentVolumeName`
  return volume === '' ? [required(name, 'must specify non empty persistentVolumeName')] : []
}

function goSpec(spec: JsonObject): JsonObject {
  const { persistentVolumeName = null, inlineVolumeSpec = null } = objectAt(spec, 'source')
  return {
    Attacher: textAt(spec, 'attacher'),
    Source: { PersistentVolumeName: persistentVolumeName, InlineVolumeSpec: inlineVolumeSpec },
    NodeName: textAt(spec, 'nodeName'),
  }
}
