import { columnsOf, containerTexts } from './common/columns.ts'
import { mapField, objectAt, withDefaults } from './common/fields.ts'
import { printLabels } from './common/print-selector.ts'
import type { KindRules } from './kind-rules.ts'
import { podTemplateDefaults } from './pod-spec/pod-spec-defaults.ts'
import { validatePodTemplate } from './pod-spec/pod-spec-validation.ts'
import { templateWarnings } from './pod-spec/pod-spec-warnings.ts'

const gvk = { group: '', version: 'v1', kind: 'PodTemplate' }

export const podTemplate: KindRules = {
  gvk,
  keepsEmpty: true,
  warnings: templateWarnings(['template']),
  applyDefaults: (object) => mapField(withDefaults(object, { template: {} }), 'template', podTemplateDefaults),
  validate: (object, old) => validatePodTemplate(objectAt(object, 'template'), 'template', objectAt(old, 'template')),
  generationFields: [['template']],
  columns: columnsOf(gvk, {
    Containers: (object) => containerTexts(objectAt(objectAt(object, 'template'), 'spec'), 'name'),
    Images: (object) => containerTexts(objectAt(objectAt(object, 'template'), 'spec'), 'image'),
    'Pod Labels': (object) => printLabels(objectAt(objectAt(objectAt(object, 'template'), 'metadata'), 'labels')),
  }),
}
