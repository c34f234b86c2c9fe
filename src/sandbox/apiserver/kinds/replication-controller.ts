import type { JsonObject } from '../../../core/base/json.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, notNegative, required } from './common/field-errors.ts'
import { mapField, numberAt, objectAt, withDefaults } from './common/fields.ts'
import { REPLICAS_SCALE } from './common/replicas.ts'
import { validateMapMatch, validateRestarts } from './common/selector-and-template.ts'
import { specAndStatus, withMetadata, withoutField } from './common/strategies.ts'
import type { KindRules } from './kind-rules.ts'
import { podTemplateDefaults } from './pod-spec/pod-spec-defaults.ts'
import { validatePodTemplate } from './pod-spec/pod-spec-validation.ts'
import { namedTemplateWarnings, templateWarnings } from './pod-spec/pod-spec-warnings.ts'
import { validateReplicaCounts } from './replica-set.ts'

const TEMPLATE = ['spec', 'template']
const templateOnly = templateWarnings(TEMPLATE)
const gvk = { group: '', version: 'v1', kind: 'ReplicationController' }

export const replicationController: KindRules = {
  gvk,
  keepsEmpty: true,
  // The server looks at the template of before an update.
  warnings: (object, old) =>
    old && old.metadata.generation !== object.metadata.generation
      ? templateOnly(old, undefined)
      : namedTemplateWarnings(TEMPLATE)(object, old),
  ...specAndStatus({ replicas: 0 }),
  nameFormat: 'long-name',
  applyDefaults: (object) => {
    const template = objectAt(objectAt(object, 'spec'), 'template')
    const { labels } = objectAt(template, 'metadata')
    const spec = withDefaults(withoutEmptySelector(objectAt(object, 'spec')), { replicas: 1, selector: labels })
    const complete = withDefaults(
      { ...object, spec: mapField(spec, 'template', podTemplateDefaults) },
      { status: { replicas: 0 } },
    )
    const isUnlabelled = Object.keys(object.metadata.labels ?? {}).length === 0
    return isUnlabelled && labels !== undefined ? withMetadata(complete, { labels }) : complete
  },
  validate: (object, old) => validateSpec(objectAt(object, 'spec'), objectAt(old, 'spec')),
  validateStatusUpdate: (object) => validateReplicaCounts(objectAt(object, 'status')),
  generationFields: [['spec']],
  scale: REPLICAS_SCALE,
  fieldSelectors: {
    'status.replicas': (object) => String(numberAt(objectAt(object, 'status'), 'replicas')),
  },
  columns: columnsOf(gvk, {
    Desired: (object) => numberAt(objectAt(object, 'spec'), 'replicas'),
    Current: (object) => numberAt(objectAt(object, 'status'), 'replicas'),
    Ready: (object) => numberAt(objectAt(object, 'status'), 'readyReplicas'),
  }),
}

/** One that is empty is as good as none. */
function withoutEmptySelector(spec: JsonObject): JsonObject {
  return Object.keys(objectAt(spec, 'selector')).length === 0 ? withoutField(spec, 'selector') : spec
}

function validateSpec(spec: JsonObject, old: JsonObject): FieldErrors {
  return [
    ...notNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...(Object.keys(objectAt(spec, 'selector')).length === 0 ? [required('spec.selector')] : []),
    ...notNegative('spec.replicas', spec.replicas),
    ...(spec.template === undefined ? [required('spec.template')] : validateTemplate(spec, old)),
  ]
}

function validateTemplate(spec: JsonObject, old: JsonObject): FieldErrors {
  const template = objectAt(spec, 'template')
  return [
    ...validateMapMatch(objectAt(spec, 'selector'), template),
    ...validatePodTemplate(template, 'spec.template', objectAt(old, 'template')),
    ...validateRestarts(template, 'ReplicationController'),
  ]
}
