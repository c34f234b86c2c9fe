import type { JsonObject } from '../../../../core/base/json.ts'
import { compileLabelSelector, type LabelSelector } from '../../../../core/kube/label-selector.ts'
import { checkLabelKey, checkLabelValue } from '../../write/names.ts'
import { type FieldErrors, forbidden, invalid, invalidFor, required } from './field-errors.ts'
import { itemsAt, objectAt, sortedEntries, textAt, textsAt } from './fields.ts'
import { judgeOnce } from './judge-once.ts'

/** A map of labels, wherever it stands. */
export const validateLabels = judgeOnce(
  (labels: JsonObject, field): FieldErrors =>
    sortedEntries(labels).flatMap(([key, value]) => [
      ...invalidFor(field, key, checkLabelKey(key)),
      ...invalidFor(field, value, checkLabelValue(String(value))),
    ]),
)

/** A map of annotations: keys as of labels, letter case aside. */
export function validateAnnotations(annotations: JsonObject, field: string): FieldErrors {
  return sortedEntries(annotations).flatMap(([key]) => invalidFor(field, key, checkLabelKey(key.toLowerCase())))
}

/** Labels and annotations of a template. */
export function validateMetadata(metadata: JsonObject, field: string): FieldErrors {
  return [
    ...validateLabels(objectAt(metadata, 'labels'), `${field}.labels`),
    ...validateAnnotations(objectAt(metadata, 'annotations'), `${field}.annotations`),
  ]
}

export function validateLabelSelector(selector: JsonObject | undefined, field: string): FieldErrors {
  const expressions = itemsAt(selector, 'matchExpressions')
  return [
    ...validateLabels(objectAt(selector, 'matchLabels'), `${field}.matchLabels`),
    ...expressions.flatMap((item, index) => validateRequirement(item, `${field}.matchExpressions[${index}]`)),
  ]
}

/** Whether a valid selector selects everything because it says nothing. */
export function isEmptySelector(selector: JsonObject): boolean {
  return sortedEntries(objectAt(selector, 'matchLabels')).length + itemsAt(selector, 'matchExpressions').length === 0
}

/** `undefined` when the selector is not valid. */
export function matcherOf(selector: JsonObject): ((labels: JsonObject) => boolean) | undefined {
  if (validateLabelSelector(selector, '').length > 0) return undefined
  const matches = compileLabelSelector(selector as LabelSelector)
  return (labels) => matches(labels as { [key: string]: string })
}

/** One of `matchExpressions`. */
export function validateRequirement(requirement: JsonObject, field: string): FieldErrors {
  const key = textAt(requirement, 'key')
  const values = textsAt(requirement, 'values')
  return [
    ...validateOperator(textAt(requirement, 'operator'), values.length, field),
    ...invalidFor(`${field}.key`, key, checkLabelKey(key)),
    ...values.flatMap((value, index) => invalidFor(`${field}.values[${index}]`, value, checkLabelValue(value))),
  ]
}

function validateOperator(operator: string, values: number, field: string): FieldErrors {
  if (operator === 'In' || operator === 'NotIn') {
    if (values > 0) return []
    return [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values === 0) return []
    return [forbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
  }
  return [invalid(`${field}.operator`, operator, 'not a valid selector operator')]
}
