import type { JsonObject } from '../../../core/base/json.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, invalid, notNegative } from './common/field-errors.ts'
import { mapField, numberAt, objectAt, withDefaults } from './common/fields.ts'
import { REPLICAS_SCALE } from './common/replicas.ts'
import { immutableSelector, validateSelectorAndTemplate } from './common/selector-and-template.ts'
import { specAndStatus } from './common/strategies.ts'
import type { KindRules } from './kind-rules.ts'
import { podTemplateDefaults } from './pod-spec/pod-spec-defaults.ts'
import { namedTemplateWarnings } from './pod-spec/pod-spec-warnings.ts'

const gvk = { group: 'apps', version: 'v1', kind: 'ReplicaSet' }

export const replicaSet: KindRules = {
  gvk,
  keepsEmpty: true,
  warnings: namedTemplateWarnings(['spec', 'template']),
  ...specAndStatus({ replicas: 0 }),
  applyDefaults: (object) => {
    const spec = withDefaults(objectAt(object, 'spec'), { replicas: 1, template: {} })
    return withDefaults(
      { ...object, spec: mapField(spec, 'template', podTemplateDefaults) },
      { status: { replicas: 0 } },
    )
  },
  validate: (object, old, { stored }) => [
    ...validateSpec(objectAt(object, 'spec'), objectAt(old, 'spec')),
    ...(old ? immutableSelector(stored(object), old) : []),
  ],
  validateStatusUpdate: (object) => validateReplicaCounts(objectAt(object, 'status')),
  generationFields: [['spec']],
  scale: REPLICAS_SCALE,
  columns: columnsOf(gvk, {
    Desired: (object) => numberAt(objectAt(object, 'spec'), 'replicas'),
    Current: (object) => numberAt(objectAt(object, 'status'), 'replicas'),
    Ready: (object) => numberAt(objectAt(object, 'status'), 'readyReplicas'),
  }),
}

function validateSpec(spec: JsonObject, old: JsonObject): FieldErrors {
  return [
    ...notNegative('spec.replicas', spec.replicas),
    ...notNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...validateSelectorAndTemplate(spec, old),
  ]
}

const COUNTS = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
  'terminatingReplicas',
]

/** Counts of a status: none negative, no part larger than the whole. */
export function validateReplicaCounts(status: JsonObject): FieldErrors {
  const total = numberAt(status, 'replicas')
  const ready = numberAt(status, 'readyReplicas')
  const available = numberAt(status, 'availableReplicas')
  const parts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']
  return [
    ...COUNTS.flatMap((name) => notNegative(`status.${name}`, status[name])),
    ...parts
      .filter((name) => numberAt(status, name) > total)
      .map((name) => invalid(`status.${name}`, numberAt(status, name), 'cannot be greater than status.replicas')),
    ...(available > ready
      ? [invalid('status.availableReplicas', available, 'cannot be greater than readyReplicas')]
      : []),
  ]
}
