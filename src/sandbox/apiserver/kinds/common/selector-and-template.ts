import { isJsonObject, type JsonObject, type JsonValue } from '../../../../core/base/json.ts'
import { validatePodTemplate } from '../pod-spec/pod-spec-validation.ts'
import { type FieldErrors, forbidden, invalid, notSupported, required } from './field-errors.ts'
import { objectAt } from './fields.ts'
import { isEmptySelector, matcherOf, validateLabelSelector } from './label-selectors.ts'

const TEMPLATE = 'spec.template'

/** A selector that selects the pods made from the template, and a template of pods that restart for ever. */
export function validateSelectorAndTemplate(spec: JsonObject): FieldErrors {
  const { selector } = spec
  const template = objectAt(spec, 'template')
  const isReadable = !isJsonObject(selector) || matcherOf(selector) !== undefined
  return [
    ...validateSelector(selector, 'deployment'),
    ...(isReadable
      ? [
          ...validateMatch(selector, template),
          ...validatePodTemplate(template, TEMPLATE),
          ...validateRestarts(template, 'ReplicaSet'),
        ]
      : [invalid('spec.selector', selector, 'invalid label selector')]),
  ]
}

/** A selector that has to be there, and to select something. */
export function validateSelector(selector: JsonValue | undefined, owner: string): FieldErrors {
  if (!isJsonObject(selector)) return [required('spec.selector')]
  const empty = isEmptySelector(selector)
    ? [invalid('spec.selector', {}, `empty selector is invalid for ${owner}`)]
    : []
  return [...validateLabelSelector(selector, 'spec.selector'), ...empty]
}

/** Whether a selector that can be read selects the pods of the template; an empty one is no matter of the template. */
export function validateMatch(selector: JsonValue | undefined, template: JsonObject): FieldErrors {
  if (isJsonObject(selector) && isEmptySelector(selector)) return []
  const matches = isJsonObject(selector) ? matcherOf(selector) : undefined
  const { labels } = objectAt(template, 'metadata')
  if (matches?.(isJsonObject(labels) ? labels : {})) return []
  return [invalid(`${TEMPLATE}.metadata.labels`, labels, '`selector` does not match template `labels`')]
}

/** Pods of a template that run for ever; `owner` is the kind that wants them so. */
export function validateRestarts(template: JsonObject, owner: string): FieldErrors {
  const { restartPolicy = '', activeDeadlineSeconds } = objectAt(template, 'spec')
  const field = `${TEMPLATE}.spec`
  const text = `activeDeadlineSeconds in ${owner} is not Supported`
  return [
    ...(restartPolicy === 'Always' ? [] : [notSupported(`${field}.restartPolicy`, restartPolicy, ['Always'])]),
    ...(activeDeadlineSeconds === undefined ? [] : [forbidden(`${field}.activeDeadlineSeconds`, text)]),
  ]
}
