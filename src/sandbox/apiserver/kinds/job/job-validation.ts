import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { checkLabel } from '../../write/names.ts'
import { validateDomainPath } from '../common/domain-path.ts'
import {
  type FieldErrors,
  immutable,
  invalid,
  notNegative,
  notSupported,
  oneOf,
  required,
  tooLong,
} from '../common/field-errors.ts'
import { numberAt, objectAt, textAt } from '../common/fields.ts'
import { matcherOf, validateLabelSelector } from '../common/label-selectors.ts'
import { immutableSelector, invalidSelector } from '../common/selector-and-template.ts'
import { validatePodTemplate } from '../pod-spec/pod-spec-validation.ts'
import { validateFailurePolicy } from './failure-policy-validation.ts'
import { validateSuccessPolicy } from './success-policy-validation.ts'
import { validateTemplateUpdate } from './template-update-validation.ts'

/** Complaints about a Job. */
export function validateJob(object: KubeObject, old?: KubeObject): FieldErrors {
  const spec = objectAt(object, 'spec')
  return [
    ...validateGenerated(object, spec, old),
    ...validateWithSelector(spec, objectAt(old, 'spec')),
    ...validatePodNames(object, spec),
  ]
}

/** Complaints about how a Job was changed; the server looks at its spec once more. */
export function validateJobChange(object: KubeObject, old: KubeObject, stored: KubeObject): FieldErrors {
  return [
    ...validateWithSelector(objectAt(object, 'spec'), objectAt(old, 'spec')),
    ...validateUpdate(objectAt(stored, 'spec'), old),
  ]
}

/** Pods of an indexed Job have its name and their index. */
function validatePodNames({ metadata }: KubeObject, { completionMode, completions }: JsonObject): FieldErrors {
  if (completionMode !== 'Indexed' || typeof completions !== 'number' || completions <= 0) return []
  const { name = '' } = metadata
  const longest = `${name}-${completions - 1}`
  if (checkLabel(longest).length === 0) return []
  return [invalid('metadata.name', name, `will not able to create pod with invalid DNS label: ${longest}`)]
}

/** Complaints about the spec of a Job or of a template of Jobs; `old` is empty when there was none. */
export function validateJobSpec(spec: JsonObject, field: string, old: JsonObject): FieldErrors {
  const { podFailurePolicy, successPolicy } = spec
  return [
    ...validateNumbers(spec, field),
    ...validateManager(spec, `${field}.managedBy`),
    ...validateCompletionMode(spec, field),
    ...(podFailurePolicy === undefined ? [] : validateFailurePolicy(spec, `${field}.podFailurePolicy`)),
    ...(successPolicy === undefined ? [] : validateSuccessPolicy(spec, `${field}.successPolicy`)),
    ...validateReplacement(spec, `${field}.podReplacementPolicy`),
    ...validateTemplate(spec, `${field}.template`, objectAt(old, 'template')),
  ]
}

const NOT_NEGATIVE = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
]

function validateNumbers(spec: JsonObject, field: string): FieldErrors {
  const isUnlimited = spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined
  return [
    ...NOT_NEGATIVE.flatMap((name) => notNegative(`${field}.${name}`, spec[name])),
    ...(isUnlimited ? [required(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')] : []),
  ]
}

const LONGEST_MANAGER = 63

function validateManager({ managedBy }: JsonObject, field: string): FieldErrors {
  if (typeof managedBy !== 'string') return []
  const errors = validateDomainPath(managedBy, field)
  return managedBy.length > LONGEST_MANAGER ? [...errors, tooLong(field, LONGEST_MANAGER)] : errors
}

const MODES = ['NonIndexed', 'Indexed']

function validateCompletionMode(spec: JsonObject, field: string): FieldErrors {
  const { completionMode: mode = 'NonIndexed' } = spec
  if (mode === 'Indexed') return validateIndexed(spec, field)
  if (mode !== 'NonIndexed') return [notSupported(`${field}.completionMode`, mode, MODES)]
  return ['backoffLimitPerIndex', 'maxFailedIndexes'].flatMap((name) =>
    spec[name] === undefined ? [] : [invalid(`${field}.${name}`, spec[name], 'requires indexed completion mode')],
  )
}

/** The indexes that are done or failed are listed in the status: there must not be too many of them. */
const MANY = 100_000
const FEWER = 10_000

function validateIndexed(spec: JsonObject, field: string): FieldErrors {
  const { completions, maxFailedIndexes } = spec
  const atMost = (name: string, most: number, detail: string): FieldErrors =>
    numberAt(spec, name) > most
      ? [invalid(`${field}.${name}`, spec[name], `must be less than or equal to ${detail}`)]
      : []
  const isLarge = numberAt(spec, 'completions') > MANY && spec.backoffLimitPerIndex !== undefined
  const large = `${FEWER} when completions are above ${MANY} and used with backoff limit per index`
  const none = `must be specified when completions is above ${MANY}`
  return [
    ...(completions === undefined ? [required(`${field}.completions`, 'when completion mode is Indexed')] : []),
    ...atMost('parallelism', MANY, `${MANY} when completion mode is Indexed`),
    ...(typeof completions === 'number' ? atMost('maxFailedIndexes', completions, 'completions') : []),
    ...atMost('maxFailedIndexes', MANY, `${MANY}`),
    ...(isLarge && maxFailedIndexes === undefined ? [required(`${field}.maxFailedIndexes`, none)] : []),
    ...(isLarge ? ['parallelism', 'maxFailedIndexes'].flatMap((name) => atMost(name, FEWER, large)) : []),
  ]
}

function validateReplacement({ podReplacementPolicy, podFailurePolicy }: JsonObject, field: string): FieldErrors {
  if (typeof podReplacementPolicy !== 'string') return []
  const supported = podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed']
  return oneOf(field, podReplacementPolicy, supported)
}

/** Pods of Jobs end: they cannot restart for ever, which is the default elsewhere. */
function validateTemplate(spec: JsonObject, field: string, old: JsonObject): FieldErrors {
  const template = objectAt(spec, 'template')
  const policy = textAt(objectAt(template, 'spec'), 'restartPolicy')
  const place = `${field}.spec.restartPolicy`
  const errors = validatePodTemplate(template, field, old)
  if (policy === 'OnFailure' && spec.podFailurePolicy !== undefined) {
    return [...errors, invalid(place, policy, 'only "Never" is supported when podFailurePolicy is specified')]
  }
  if (policy === 'OnFailure' || policy === 'Never') return errors
  if (policy === 'Always') return [...errors, required(place, 'valid values: "OnFailure", "Never"')]
  return [...errors, notSupported(place, policy, ['OnFailure', 'Never'])]
}

/** A Job has a selector, given or made, which selects its pods. */
function validateWithSelector(spec: JsonObject, old: JsonObject): FieldErrors {
  const { selector } = spec
  const { labels } = objectAt(objectAt(spec, 'template'), 'metadata')
  const given = isJsonObject(selector) ? selector : undefined
  const matches = given ? matcherOf(given) : () => false
  const isMatch = matches === undefined || matches((labels ?? {}) as JsonObject)
  const mismatch = invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')
  return [
    ...validateJobSpec(spec, 'spec', old),
    ...(given ? validateLabelSelector(given, 'spec.selector') : [required('spec.selector')]),
    ...(isMatch ? [] : [mismatch]),
  ]
}

/**
 * The labels that the server gives to pods whose Job chose no selector; their author may have given others. A Job that was
 * without those with a domain may stay so.
 */
function validateGenerated(
  { metadata }: KubeObject,
  { selector, manualSelector, template }: JsonObject,
  old: KubeObject | undefined,
): FieldErrors {
  if (manualSelector === true || !isJsonObject(selector)) return []
  const { name = '', uid = '' } = metadata
  const before = objectAt(objectAt(objectAt(old, 'spec'), 'template'), 'metadata').labels as JsonObject | undefined
  const qualified = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
  }
  const isQualified = old === undefined || Object.keys(qualified).every((key) => before?.[key] !== undefined)
  const expected = { 'controller-uid': uid, 'job-name': name, ...(isQualified && qualified) }
  const labels = objectAt(objectAt({ template }, 'template'), 'metadata').labels as JsonObject | undefined
  const wrong = Object.entries(expected).filter(([key, value]) => labels?.[key] !== value)
  const isForeign = matcherOf(selector)?.(expected) === false
  return [
    ...wrong.map(([key, value]) => {
      const place = `spec.template.metadata.labels[${key}]`
      const detail = `must be '${value}'`
      return labels?.[key] === undefined ? required(place, detail) : invalid(place, labels, detail)
    }),
    ...(isForeign ? [invalidSelector(selector, '`selector` not auto-generated')] : []),
  ]
}

const IMMUTABLE = ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy']

function validateUpdate(spec: JsonObject, oldJob: KubeObject): FieldErrors {
  const old = objectAt(oldJob, 'spec')
  return [
    ...validateCompletions(spec, old),
    ...immutableSelector({ spec }, { spec: old }),
    ...validateTemplateUpdate(objectAt(spec, 'template'), oldJob),
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
