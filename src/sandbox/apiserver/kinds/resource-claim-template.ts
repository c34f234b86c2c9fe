import { type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { asStruct, type FieldErrors, invalid } from './common/field-errors.ts'
import { mapField, objectAt } from './common/fields.ts'
import { metadataStruct, validateTemplateMetadata } from './common/template-metadata.ts'
import { defaultClaimSpec, validateClaimSpec } from './devices/claim-spec.ts'
import { claimSpecStruct } from './devices/claim-structs.ts'
import type { KindContext, KindRules } from './kind-rules.ts'

const gvk = { group: 'resource.k8s.io', version: 'v1', kind: 'ResourceClaimTemplate' }

/** From which claims of pods are made. */
export const resourceClaimTemplate: KindRules = {
  gvk,
  keepsEmpty: true,
  applyDefaults: (object) => mapField(object, 'spec', (spec) => mapField(spec, 'spec', defaultClaimSpec)),
  validate,
  columns: columnsOf(gvk),
}

function validate(object: KubeObject, old: KubeObject | undefined, { stored }: KindContext): FieldErrors {
  const spec = objectAt(object, 'spec')
  const isKept = old !== undefined && jsonEquals(objectAt(stored(object), 'spec'), objectAt(old, 'spec'))
  return [
    ...validateTemplateMetadata(objectAt(spec, 'metadata'), 'spec.metadata'),
    ...validateClaimSpec(objectAt(spec, 'spec'), 'spec.spec'),
    ...(old && !isKept ? [frozenSpec(spec)] : []),
  ]
}

function frozenSpec(spec: JsonObject): FieldErrors[number] {
  const shown = { ...metadataStruct(objectAt(spec, 'metadata')), Spec: claimSpecStruct(objectAt(spec, 'spec')) }
  return asStruct(invalid('spec', shown, 'field is immutable'))
}
