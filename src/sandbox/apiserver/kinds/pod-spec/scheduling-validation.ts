import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { checkLabel, checkLabelKey, checkLabelValue, checkSubdomain, type NameCheck } from '../../write/names.ts'
import {
  type FieldErrors,
  forbidden,
  invalid,
  invalidFor,
  notSupported,
  oneOf,
  required,
} from '../common/field-errors.ts'
import { itemsAt, numberAt, objectAt, textAt, textsAt } from '../common/fields.ts'
import { validateLabelSelector } from '../common/label-selectors.ts'
import { validateLabelKeys } from './label-keys-validation.ts'

export const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

export function validateTolerations(tolerations: readonly JsonObject[], field: string): FieldErrors {
  return tolerations.flatMap((toleration, index) => validateToleration(toleration, `${field}[${index}]`))
}

function validateToleration(toleration: JsonObject, field: string): FieldErrors {
  const key = textAt(toleration, 'key')
  const operator = textAt(toleration, 'operator')
  const effect = textAt(toleration, 'effect')
  const matchesAll = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
  return [
    ...(key === '' ? [] : invalidFor(`${field}.key`, key, checkLabelKey(key))),
    ...(key === '' && operator !== 'Exists' ? [invalid(`${field}.operator`, operator, matchesAll)] : []),
    ...(toleration.tolerationSeconds !== undefined && effect !== 'NoExecute'
      ? [invalid(`${field}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")]
      : []),
    ...validateTolerationValue(operator, textAt(toleration, 'value'), field),
    ...(effect === '' ? [] : oneOf(`${field}.effect`, effect, TAINT_EFFECTS)),
  ]
}

function validateTolerationValue(operator: string, value: string, field: string): FieldErrors {
  if (operator === 'Exists') {
    return value === '' ? [] : [invalid(`${field}.operator`, value, "value must be empty when `operator` is 'Exists'")]
  }
  if (operator === 'Lt' || operator === 'Gt') {
    // Known to the server, behind a gate that is closed.
    return [notSupported(`${field}.operator`, operator, ['Equal', 'Exists', 'Lt', 'Gt'])]
  }
  if (operator !== 'Equal' && operator !== '') return oneOf(`${field}.operator`, operator, ['Equal', 'Exists'])
  const complaints = checkLabelValue(value)
  return complaints.length === 0 ? [] : [invalid(`${field}.operator`, value, complaints.join(';'))]
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution'
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution'

export function validateAffinity(affinity: JsonObject, field: string): FieldErrors {
  return [
    ...validateNodeAffinity(objectAt(affinity, 'nodeAffinity'), `${field}.nodeAffinity`),
    ...validatePodAffinity(objectAt(affinity, 'podAffinity'), `${field}.podAffinity`),
    ...validatePodAffinity(objectAt(affinity, 'podAntiAffinity'), `${field}.podAntiAffinity`),
  ]
}

function validateNodeAffinity(affinity: JsonObject, field: string): FieldErrors {
  const preferred = itemsAt(affinity, PREFERRED)
  return [
    ...(isJsonObject(affinity[REQUIRED])
      ? validateNodeSelector(objectAt(affinity, REQUIRED), `${field}.${REQUIRED}`)
      : []),
    ...preferred.flatMap((term, index) => [
      ...validateWeight(numberAt(term, 'weight'), `${field}.${PREFERRED}[${index}].weight`),
      ...validateNodeTerm(objectAt(term, 'preference'), `${field}.${PREFERRED}[${index}].preference`),
    ]),
  ]
}

function validateWeight(weight: number, field: string): FieldErrors {
  return weight >= 1 && weight <= 100 ? [] : [invalid(field, weight, 'must be in the range 1-100')]
}

/** Terms that a node must fulfil one of. */
export function validateNodeSelector(selector: JsonObject, field: string): FieldErrors {
  const terms = itemsAt(selector, 'nodeSelectorTerms')
  const place = `${field}.nodeSelectorTerms`
  if (terms.length === 0) return [required(place, 'must have at least one node selector term')]
  return terms.flatMap((term, index) => validateNodeTerm(term, `${place}[${index}]`, checkLabelValue))
}

/** What is preferred may have any values. */
function validateNodeTerm(term: JsonObject, field: string, checkValue: NameCheck = () => []): FieldErrors {
  const expressions = itemsAt(term, 'matchExpressions').flatMap((requirement, index) => {
    const place = `${field}.matchExpressions[${index}]`
    const key = textAt(requirement, 'key')
    const values = textsAt(requirement, 'values')
    return [
      ...validateNodeOperator(textAt(requirement, 'operator'), values.length, place),
      ...invalidFor(`${place}.key`, key, checkLabelKey(key)),
      ...values.flatMap((value, at) => invalidFor(`${place}.values[${at}]`, value, checkValue(value))),
    ]
  })
  const fields = itemsAt(term, 'matchFields').flatMap((requirement, index) =>
    validateNodeField(requirement, `${field}.matchFields[${index}]`),
  )
  return [...expressions, ...fields]
}

/** Nodes are found by labels, and by one field. */
function validateNodeField(requirement: JsonObject, field: string): FieldErrors {
  const operator = textAt(requirement, 'operator')
  const values = textsAt(requirement, 'values')
  const isKnown = operator === 'In' || operator === 'NotIn'
  const many = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
  const isName = requirement.key === 'metadata.name'
  return [
    ...(isKnown ? [] : [invalid(`${field}.operator`, operator, 'not a valid selector operator')]),
    ...(isKnown && values.length !== 1 ? [required(`${field}.values`, many)] : []),
    ...(isName ? [] : [invalid(`${field}.key`, textAt(requirement, 'key'), 'not a valid field selector key')]),
    ...(isName ? values : []).flatMap((value, at) =>
      invalidFor(`${field}.values[${at}]`, value, checkSubdomain(value)),
    ),
  ]
}

function validateNodeOperator(operator: string, values: number, field: string): FieldErrors {
  const place = `${field}.values`
  if (operator === 'In' || operator === 'NotIn') {
    return values > 0 ? [] : [required(place, "must be specified when `operator` is 'In' or 'NotIn'")]
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    return values === 0 ? [] : [forbidden(place, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
  }
  if (operator === 'Gt' || operator === 'Lt') {
    return values === 1 ? [] : [required(place, "must be specified single value when `operator` is 'Lt' or 'Gt'")]
  }
  return [invalid(`${field}.operator`, operator, 'not a valid selector operator')]
}

function validatePodAffinity(affinity: JsonObject, field: string): FieldErrors {
  const preferred = itemsAt(affinity, PREFERRED)
  return [
    ...itemsAt(affinity, REQUIRED).flatMap((term, index) => validatePodTerm(term, `${field}.${REQUIRED}[${index}]`)),
    ...preferred.flatMap((term, index) => [
      ...validateWeight(numberAt(term, 'weight'), `${field}.${PREFERRED}[${index}].weight`),
      ...validatePodTerm(objectAt(term, 'podAffinityTerm'), `${field}.${PREFERRED}[${index}].podAffinityTerm`),
    ]),
  ]
}

function validatePodTerm(term: JsonObject, field: string): FieldErrors {
  const key = textAt(term, 'topologyKey')
  return [
    ...['labelSelector', 'namespaceSelector'].flatMap((name) =>
      validateLabelSelector(objectAt(term, name), `${field}.${name}`),
    ),
    ...textsAt(term, 'namespaces').flatMap((name) => invalidFor(`${field}.namespace`, name, checkLabel(name))),
    ...validateLabelKeys(term, field),
    ...(key === '' ? [required(`${field}.topologyKey`, 'can not be empty')] : []),
    ...invalidFor(`${field}.topologyKey`, key, checkLabelKey(key)),
  ]
}
