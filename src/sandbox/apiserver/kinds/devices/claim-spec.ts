import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { checkLabelKey, checkLabelValue, checkSubdomain } from '../../write/names.ts'
import { type FieldErrors, invalid, invalidFor, notSupported, oneOf, required } from '../common/field-errors.ts'
import { itemsAt, mapField, mapItems, numberAt, objectAt, textAt } from '../common/fields.ts'
import { validateConfiguration } from './configuration-validation.ts'
import { validateList, validateNamed, validateTexts } from './lists.ts'
import { validateFullyQualifiedName, validateLabelName } from './names-validation.ts'
import { validateSelectors } from './selector-validation.ts'

const MOST = 32
const MOST_CHOICES = 8
export const DEVICE_TAINT_EFFECTS = ['NoExecute', 'NoSchedule', 'None']

/** The spec of a claim, or of a template of claims, with what requests leave unsaid. */
export function defaultClaimSpec(spec: JsonObject): JsonObject {
  return mapField(spec, 'devices', (devices) =>
    mapItems(devices, 'requests', (request) =>
      mapItems(mapField(request, 'exactly', withCount), 'firstAvailable', withCount),
    ),
  )
}

function withCount(request: JsonObject): JsonObject {
  const allocationMode = textAt(request, 'allocationMode') || 'ExactCount'
  const isCounted = allocationMode === 'ExactCount' && numberAt(request, 'count') === 0
  const counted = { ...request, allocationMode, ...(isCounted && { count: 1 }) }
  return withOperators(counted)
}

/** Tolerations that say nothing else ask for an equal value. */
function withOperators(object: JsonObject): JsonObject {
  return mapItems(object, 'tolerations', (toleration) =>
    textAt(toleration, 'operator') === '' ? { ...toleration, operator: 'Equal' } : toleration,
  )
}

/** The status of a claim, with what requests leave unsaid. */
export function defaultClaimStatus(status: JsonObject): JsonObject {
  return mapField(status, 'allocation', (allocation) =>
    mapField(allocation, 'devices', (devices) => mapItems(devices, 'results', withOperators)),
  )
}

export function validateClaimSpec(spec: JsonObject, field: string): FieldErrors {
  const devices = objectAt(spec, 'devices')
  const place = `${field}.devices`
  const names = requestNamesOf(spec)
  return [
    ...validateNamed(devices, 'requests', { most: MOST, field: place, key: 'name', check: validateRequest }),
    ...validateList(itemsAt(devices, 'constraints'), MOST, `${place}.constraints`, (constraint, at) =>
      validateConstraint(constraint, at, names),
    ),
    ...validateList(itemsAt(devices, 'config'), MOST, `${place}.config`, (config, at) => [
      ...validateReferences(config, at, names),
      ...validateConfiguration(config, at),
    ]),
  ]
}

function validateRequest(request: JsonObject, field: string): FieldErrors {
  const choices = itemsAt(request, 'firstAvailable')
  const { exactly } = request
  const text = 'exactly one of `exactly` or `firstAvailable` is required'
  const name = validateLabelName(textAt(request, 'name'), `${field}.name`)
  if (choices.length === 0) {
    if (!isJsonObject(exactly)) return [...name, required(field, text)]
    return [...name, ...validateWanted(exactly, `${field}.exactly`)]
  }
  if (exactly !== undefined) return [...name, invalid(field, null, `${text}, but multiple fields are set`)]
  const check = (choice: JsonObject, at: string): FieldErrors => [
    ...validateLabelName(textAt(choice, 'name'), `${at}.name`),
    ...validateWanted(choice, at),
  ]
  return [...name, ...validateNamed(request, 'firstAvailable', { most: MOST_CHOICES, field, key: 'name', check })]
}

function validateWanted(wanted: JsonObject, field: string): FieldErrors {
  const name = textAt(wanted, 'deviceClassName')
  const place = `${field}.deviceClassName`
  return [
    ...(name === '' ? [required(place)] : invalidFor(place, name, checkSubdomain(name))),
    ...validateSelectors(wanted, field),
    ...validateCount(wanted, field),
    ...itemsAt(wanted, 'tolerations').flatMap((each, at) => validateToleration(each, `${field}.tolerations[${at}]`)),
  ]
}

function validateCount(wanted: JsonObject, field: string): FieldErrors {
  const mode = textAt(wanted, 'allocationMode')
  const count = numberAt(wanted, 'count')
  const refuse = (detail: string) => [invalid(`${field}.count`, count, detail)]
  if (mode === 'All') return count === 0 ? [] : refuse("must not be specified when allocationMode is 'All'")
  if (mode === 'ExactCount') return count > 0 ? [] : refuse('must be greater than zero')
  return [notSupported(`${field}.allocationMode`, mode, ['All', 'ExactCount'])]
}

function validateToleration(toleration: JsonObject, field: string): FieldErrors {
  const [key, effect] = [textAt(toleration, 'key'), textAt(toleration, 'effect')]
  return [
    ...(key === '' ? [] : invalidFor(`${field}.key`, key, checkLabelKey(key))),
    ...validateOperator(textAt(toleration, 'operator'), textAt(toleration, 'value'), field),
    ...(effect === '' ? [] : oneOf(`${field}.effect`, effect, DEVICE_TAINT_EFFECTS)),
  ]
}

function validateOperator(operator: string, value: string, field: string): FieldErrors {
  if (operator === 'Exists') {
    return value === '' ? [] : [invalid(`${field}.value`, value, 'must be empty for operator `Exists`')]
  }
  if (operator === 'Equal') return invalidFor(`${field}.value`, value, checkLabelValue(value))
  return oneOf(`${field}.operator`, operator, ['Equal', 'Exists'])
}

function validateConstraint(constraint: JsonObject, field: string, names: ReadonlySet<string>): FieldErrors {
  const { matchAttribute, distinctAttribute } = constraint
  const references = validateReferences(constraint, field, names)
  for (const [name, attribute] of Object.entries({ matchAttribute, distinctAttribute })) {
    if (typeof attribute !== 'string') continue
    return [...references, ...validateFullyQualifiedName(attribute, `${field}.${name}`)]
  }
  const text = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'
  return [...references, required(field, text)]
}

function validateReferences(object: JsonObject, field: string, names: ReadonlySet<string>): FieldErrors {
  const check = (name: string, at: string): FieldErrors => validateReference(name, at, names)
  return validateTexts(object, 'requests', { most: MOST, field, check })
}

/** A request of the claim, or one of its choices. */
export function validateReference(name: string, field: string, names: ReadonlySet<string>): FieldErrors {
  const text = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"
  const parts = name.split('/')
  if (parts.length > 2) return [invalid(field, name, text)]
  return [
    ...parts.flatMap((part) => validateLabelName(part, field)),
    ...(names.has(name) ? [] : [invalid(field, name, text)]),
  ]
}

/** All that a claim may be referred to by: `request` and `request/choice`. */
export function requestNamesOf(spec: JsonObject): ReadonlySet<string> {
  return new Set(
    itemsAt(objectAt(spec, 'devices'), 'requests').flatMap((request) => {
      const name = textAt(request, 'name')
      return [name, ...itemsAt(request, 'firstAvailable').map((choice) => `${name}/${textAt(choice, 'name')}`)]
    }),
  )
}
