import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../../../../core/base/json.ts'
import type { FieldError } from '../../../../core/schema/field-error.ts'
import { validatePodTemplate } from '../pod-spec/pod-spec-validation.ts'
import { asStruct, type FieldErrors, forbidden, invalid, notSupported, required } from './field-errors.ts'
import { itemsAt, objectAt, sortedEntries } from './fields.ts'
import { isEmptySelector, matcherOf, validateLabelSelector } from './label-selectors.ts'

const TEMPLATE = 'spec.template'

/** A selector that selects the pods made from the template, and a template of pods that restart for ever. */
export function validateSelectorAndTemplate(spec: JsonObject, old?: JsonObject): FieldErrors {
  const { selector } = spec
  const template = objectAt(spec, 'template')
  const isReadable = !isJsonObject(selector) || matcherOf(selector) !== undefined
  return [
    ...validateSelector(selector, 'deployment'),
    ...(isReadable
      ? [
          ...validateMatch(selector, template),
          ...validatePodTemplate(template, TEMPLATE, objectAt(old, 'template')),
          ...validateRestarts(template, 'ReplicaSet'),
        ]
      : [invalidSelector(selector, 'invalid label selector')]),
  ]
}

/** A complaint about a selector, which the server shows with its fields in their own order. */
export function invalidSelector(
  selector: JsonValue | undefined,
  detail: string,
  field = 'spec.selector',
): FieldErrors[number] {
  if (!isJsonObject(selector)) return invalid(field, selector, detail)
  const labels = sortedEntries(objectAt(selector, 'matchLabels'))
  const expressions = itemsAt(selector, 'matchExpressions').map(({ key = '', operator = '', values = [] }) => ({
    key,
    operator,
    ...(isJsonArray(values) && values.length > 0 && { values }),
  }))
  const shown = {
    ...(labels.length > 0 && { matchLabels: Object.fromEntries(labels) }),
    ...(expressions.length > 0 && { matchExpressions: expressions }),
  }
  return asStruct(invalid(field, shown, detail))
}

/** Pods of a workload are always found in the same way. */
export function immutableSelector(object: JsonObject, old: JsonObject): FieldErrors {
  const { selector } = objectAt(object, 'spec')
  return jsonEquals(selector, objectAt(old, 'spec').selector) ? [] : [invalidSelector(selector, 'field is immutable')]
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
  return matches?.(labelsOf(template)) ? [] : [mismatch(template)]
}

/** The same for a selector that is a map of labels. The server compares these as they are, also where a value is no label. */
export function validateMapMatch(selector: JsonObject, template: JsonObject): FieldErrors {
  const labels = labelsOf(template)
  return Object.entries(selector).every(([key, value]) => labels[key] === value) ? [] : [mismatch(template)]
}

function labelsOf(template: JsonObject): JsonObject {
  return objectAt(objectAt(template, 'metadata'), 'labels')
}

function mismatch(template: JsonObject): FieldError {
  const { labels } = objectAt(template, 'metadata')
  return invalid(`${TEMPLATE}.metadata.labels`, labels, '`selector` does not match template `labels`')
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
