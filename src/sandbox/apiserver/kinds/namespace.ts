import type { KubeObject } from '../../../core/kube/object.ts'
import { checkLabelKey } from '../write/names.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, invalid, invalidFor } from './common/field-errors.ts'
import { objectAt, setPath, textAt, textsAt, withDefaults } from './common/fields.ts'
import { keepField, keepStatus, withMetadata } from './common/strategies.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: '', version: 'v1', kind: 'Namespace' }
const FINALIZER = 'kubernetes'

export const namespace: KindRules = {
  gvk,
  nameFormat: 'label',
  applyDefaults: (object) =>
    withDefaults(
      { ...withNameLabel(object), status: withDefaults(objectAt(object, 'status'), { phase: 'Active' }) },
      {
        spec: {},
      },
    ),
  prepareForCreate: (object) => {
    const finalizers = textsAt(objectAt(object, 'spec'), 'finalizers')
    const all = finalizers.includes(FINALIZER) ? finalizers : [...finalizers, FINALIZER]
    const created = setPath({ ...object, status: { phase: 'Active' } }, ['spec', 'finalizers'], all)
    return withNameLabel(created)
  },
  prepareForUpdate: (object, old) => keepField(keepStatus(object, old), old, 'spec'),
  prepareForStatusUpdate: (object, old) => keepField(object, old, 'spec'),
  validate: (object) => validateFinalizers(object),
  validateStatusUpdate: validatePhase,
  resetFields: { main: [['status']], status: [['spec']] },
  fieldSelectors: { 'status.phase': phaseOf },
  columns: columnsOf(gvk, { Status: phaseOf }),
}

function phaseOf(object: KubeObject): string {
  return textAt(objectAt(object, 'status'), 'phase')
}

/** Selectors of namespaces can name one. */
function withNameLabel(object: KubeObject): KubeObject {
  const { name, labels } = object.metadata
  if (!name) return object
  return withMetadata(object, { labels: { ...labels, 'kubernetes.io/metadata.name': name } })
}

function validateFinalizers(object: KubeObject): FieldErrors {
  const unqualified = 'name is neither a standard finalizer name nor is it fully qualified'
  return textsAt(objectAt(object, 'spec'), 'finalizers').flatMap((name) => [
    ...invalidFor('spec.finalizers', name, checkLabelKey(name)),
    ...(name.includes('/') || name === FINALIZER ? [] : [invalid('spec.finalizers', name, unqualified)]),
  ])
}

function validatePhase(object: KubeObject): FieldErrors {
  const phase = phaseOf(object)
  const isGoing = object.metadata.deletionTimestamp !== undefined
  if (isGoing && phase !== 'Terminating') {
    return [invalid('status.Phase', phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")]
  }
  if (!isGoing && phase !== 'Active') {
    return [invalid('status.Phase', phase, "may only be 'Active' if `deletionTimestamp` is empty")]
  }
  return []
}
