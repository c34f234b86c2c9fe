import type { JsonObject, JsonValue } from '../../../core/base/json.ts'
import { checkLabelKey } from '../write/names.ts'
import { duplicate, type FieldErrors, forbidden, invalid, invalidFor, required } from './common/field-errors.ts'
import { objectAt, textAt } from './common/fields.ts'
import { compareQuantities, nanosOf } from './common/quantity.ts'
import { isOvercommitAllowed, validateContainerResource, validateResourceName } from './common/resource-names.ts'

const TYPES = new Set(['Pod', 'Container', 'PersistentVolumeClaim'])
const AMOUNTS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const
/** A pod has no defaults. */
const NOT_OF_PODS: readonly string[] = ['default', 'defaultRequest']

/** The limits of a LimitRange, one for each type of object. */
export function validateLimits(limits: readonly JsonObject[]): FieldErrors {
  const types = limits.map((limit) => textAt(limit, 'type'))
  return limits.flatMap((limit, index) => {
    const field = `spec.limits[${index}]`
    const type = textAt(limit, 'type')
    return [
      ...validateType(type, `${field}.type`),
      ...(types.indexOf(type) < index ? [duplicate(`${field}.type`, type)] : []),
      ...AMOUNTS.flatMap((name) => validateNames(limit, name, field)),
      ...validateClaim(limit, field),
      ...resourcesOf(limit).flatMap((resource) => validateResource(limit, resource, field)),
    ]
  })
}

function validateType(type: string, field: string): FieldErrors {
  const malformed = invalidFor(field, type, checkLabelKey(type))
  if (malformed.length > 0 || type.includes('/') || TYPES.has(type)) return malformed
  return [invalid(field, type, 'must be a standard limit type or fully qualified')]
}

function validateNames(limit: JsonObject, name: string, field: string): FieldErrors {
  const type = textAt(limit, 'type')
  const resources = Object.keys(objectAt(limit, name))
  if (type === 'Pod' && NOT_OF_PODS.includes(name)) {
    return resources.length === 0 ? [] : [forbidden(`${field}.${name}`, "may not be specified when `type` is 'Pod'")]
  }
  const validate = type === 'Pod' || type === 'Container' ? validateContainerResource : validateResourceName
  return resources.flatMap((resource) => validate(resource, `${field}.${name}[${resource}]`))
}

function validateClaim(limit: JsonObject, field: string): FieldErrors {
  const isSaid = ['min', 'max'].some((name) => objectAt(limit, name).storage !== undefined)
  if (limit.type !== 'PersistentVolumeClaim' || isSaid) return []
  const detail = 'either minimum or maximum storage value is required, but neither was provided'
  return [required(`${field}.limits`, detail)]
}

function resourcesOf(limit: JsonObject): readonly string[] {
  return [...new Set(AMOUNTS.flatMap((name) => Object.keys(objectAt(limit, name))))].sort()
}

interface Rule {
  readonly smaller: string
  readonly larger: string
  /** The field that is reported, and the amount that is shown. */
  readonly reported: string
  readonly shown: string
  readonly words: (smaller: JsonValue, larger: JsonValue) => string
}

const RULES: readonly Rule[] = [
  {
    smaller: 'min',
    larger: 'max',
    reported: 'min',
    shown: 'min',
    words: (min, max) => `min value ${min} is greater than max value ${max}`,
  },
  {
    smaller: 'min',
    larger: 'defaultRequest',
    reported: 'defaultRequest',
    shown: 'defaultRequest',
    words: (min, request) => `min value ${min} is greater than default request value ${request}`,
  },
  {
    smaller: 'defaultRequest',
    larger: 'max',
    reported: 'defaultRequest',
    shown: 'defaultRequest',
    words: (request, max) => `default request value ${request} is greater than max value ${max}`,
  },
  {
    smaller: 'defaultRequest',
    larger: 'default',
    reported: 'defaultRequest',
    shown: 'defaultRequest',
    words: (request, limit) => `default request value ${request} is greater than default limit value ${limit}`,
  },
  {
    smaller: 'min',
    larger: 'default',
    reported: 'default',
    shown: 'min',
    words: (min, limit) => `min value ${min} is greater than default value ${limit}`,
  },
  {
    smaller: 'default',
    larger: 'max',
    reported: 'default',
    shown: 'max',
    words: (limit, max) => `default value ${limit} is greater than max value ${max}`,
  },
]

function validateResource(limit: JsonObject, resource: string, field: string): FieldErrors {
  const amounts: Record<string, JsonValue | undefined> = {}
  for (const name of AMOUNTS) {
    if (limit.type !== 'Pod' || !NOT_OF_PODS.includes(name)) amounts[name] = objectAt(limit, name)[resource]
  }
  return [
    ...RULES.flatMap(({ smaller, larger, reported, shown, words }) => {
      const [low, high] = [amounts[smaller], amounts[larger]]
      if (low === undefined || high === undefined || compareQuantities(low, high) <= 0) return []
      return [invalid(`${field}.${reported}[${resource}]`, amounts[shown], words(low, high))]
    }),
    ...validateRatio(amounts, `${field}.maxLimitRequestRatio[${resource}]`),
    ...validateExact(amounts, resource, field),
  ]
}

type Amounts = Readonly<Record<string, JsonValue | undefined>>

function validateRatio({ maxLimitRequestRatio: ratio, min, max }: Amounts, field: string): FieldErrors {
  if (ratio === undefined) return []
  const small = compareQuantities(ratio, '1') < 0 ? [invalid(field, ratio, `ratio ${ratio} is less than 1`)] : []
  if (min === undefined || max === undefined) return small
  const largest = Number(nanosOf(max)) / Number(nanosOf(min))
  if (Number(nanosOf(ratio)) / 1e9 <= largest) return small
  return [...small, invalid(field, ratio, `ratio ${ratio} is greater than max/min = ${largest.toFixed(6)}`)]
}

/** Of what cannot be promised twice, a limit is a request. */
function validateExact({ default: limit, defaultRequest: request }: Amounts, name: string, field: string): FieldErrors {
  const isExact = !isOvercommitAllowed(name)
  if (!isExact || limit === undefined || request === undefined || compareQuantities(limit, request) === 0) return []
  const detail = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`
  return [invalid(`${field}.defaultRequest[${name}]`, request, detail)]
}
