import { isJsonObject, type JsonObject, jsonEquals } from '../../../base/json.ts'
import type { KubeObject } from '../../../kube/object.ts'
import { type FieldErrors, immutable, invalid, notNegative, notSupported, required } from '../common/field-errors.ts'
import { objectAt, textAt } from '../common/fields.ts'
import { matcherOf } from '../common/label-selectors.ts'
import { validatePodTemplate } from '../pod-spec/pod-spec-validation.ts'

/** Complaints about a Job. */
export function validateJob(object: KubeObject, old?: KubeObject): FieldErrors {
  const spec = objectAt(object, 'spec')
  return [
    ...validateSelector(object, spec),
    ...validateJobSpec(spec, 'spec'),
    ...(old ? validateUpdate(spec, objectAt(old, 'spec')) : []),
  ]
}

const NOT_NEGATIVE = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'maxFailedIndexes',
]

/** Complaints about the spec of a Job or of a template of Jobs. */
export function validateJobSpec(spec: JsonObject, field: string): FieldErrors {
  const template = objectAt(spec, 'template')
  const isIndexed = spec.completionMode === 'Indexed'
  const { completionMode } = spec
  return [
    ...NOT_NEGATIVE.flatMap((name) => notNegative(`${field}.${name}`, spec[name])),
    ...(isIndexed && spec.completions === undefined
      ? [required(`${field}.completions`, 'when completion mode is Indexed')]
      : []),
    ...(isIndexed || completionMode === 'NonIndexed' || completionMode === undefined
      ? []
      : [notSupported(`${field}.completionMode`, completionMode, ['NonIndexed', 'Indexed'])]),
    ...validateTemplate(template, `${field}.template`),
  ]
}

/** Pods of Jobs end: they cannot restart for ever, which is the default elsewhere. */
function validateTemplate(template: JsonObject, field: string): FieldErrors {
  const policy = textAt(objectAt(template, 'spec'), 'restartPolicy')
  const place = `${field}.spec.restartPolicy`
  const errors = validatePodTemplate(template, field)
  if (policy === 'OnFailure' || policy === 'Never') return errors
  if (policy === 'Always') return [...errors, required(place, 'valid values: "OnFailure", "Never"')]
  return [...errors, notSupported(place, policy, ['OnFailure', 'Never'])]
}

function validateSelector(object: KubeObject, spec: JsonObject): FieldErrors {
  const { selector, manualSelector } = spec
  const template = objectAt(spec, 'template')
  const metadata = objectAt(template, 'metadata')
  const { uid = '' } = object.metadata
  const generated = { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } }
  const isForeign = manualSelector !== true && !jsonEquals(selector, generated)
  const isMatch = isJsonObject(selector) && matcherOf(selector)?.(objectAt(metadata, 'labels')) === true
  const text = '`selector` does not match template `labels`'
  const mismatch = invalid('spec.template.metadata.labels', metadata.labels, text)
  return [
    ...(selector === undefined ? [required('spec.selector')] : []),
    ...(isForeign ? [invalid('spec.selector', selector, '`selector` not auto-generated')] : []),
    ...(isMatch ? [] : [mismatch]),
  ]
}

const IMMUTABLE = [
  'selector',
  'template',
  'completionMode',
  'podFailurePolicy',
  'backoffLimitPerIndex',
  'managedBy',
  'successPolicy',
]

function validateUpdate(spec: JsonObject, old: JsonObject): FieldErrors {
  return [
    ...validateCompletions(spec, old),
    ...IMMUTABLE.flatMap((name) => immutable(`spec.${name}`, spec[name], old[name])),
  ]
}

/** An indexed Job may grow and shrink with its parallelism. */
function validateCompletions(spec: JsonObject, old: JsonObject): FieldErrors {
  const { completionMode, completions, parallelism } = spec
  if (completionMode !== 'Indexed') return immutable('spec.completions', completions, old.completions)
  if (completions === old.completions || completions === parallelism) return []
  return [invalid('spec.completions', completions, 'can only be modified in tandem with spec.parallelism')]
}
