import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { validatePodTemplate } from '../pod-spec/pod-spec-validation.ts'
import { type FieldErrors, forbidden, invalid, notSupported, required } from './field-errors.ts'
import { objectAt } from './fields.ts'
import { isEmptySelector, matcherOf, validateLabelSelector } from './label-selectors.ts'

/** A selector that selects the pods made from the template, and a template of pods that restart for ever. */
export function validateSelectorAndTemplate(spec: JsonObject, owner: string): FieldErrors {
  const { selector } = spec
  return [
    ...validateSelector(selector, owner),
    ...validateMatch(selector, objectAt(spec, 'template')),
    ...validatePodTemplate(objectAt(spec, 'template'), 'spec.template'),
    ...validateRestarts(objectAt(objectAt(spec, 'template'), 'spec')),
  ]
}

function validateSelector(selector: JsonObject[string], owner: string): FieldErrors {
  if (!isJsonObject(selector)) return [required('spec.selector')]
  const empty = isEmptySelector(selector)
    ? [invalid('spec.selector', {}, `empty selector is invalid for ${owner}`)]
    : []
  return [...validateLabelSelector(selector, 'spec.selector'), ...empty]
}

function validateMatch(selector: JsonObject[string], template: JsonObject): FieldErrors {
  const matches = isJsonObject(selector) ? matcherOf(selector) : () => false
  if (!matches) return [invalid('spec.selector', selector, 'invalid label selector')]
  if (isJsonObject(selector) && isEmptySelector(selector)) return []
  const labels = objectAt(template, 'metadata').labels
  if (matches(isJsonObject(labels) ? labels : {})) return []
  return [invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')]
}

function validateRestarts(podSpec: JsonObject): FieldErrors {
  const policy = podSpec.restartPolicy
  const field = 'spec.template.spec'
  return [
    ...(policy !== undefined && policy !== 'Always'
      ? [notSupported(`${field}.restartPolicy`, policy, ['Always'])]
      : []),
    ...(podSpec.activeDeadlineSeconds === undefined
      ? []
      : [forbidden(`${field}.activeDeadlineSeconds`, 'activeDeadlineSeconds in ReplicaSet is not Supported')]),
  ]
}
