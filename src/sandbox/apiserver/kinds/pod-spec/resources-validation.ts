import type { JsonObject, JsonValue } from '../../../../core/base/json.ts'
import { type FieldErrors, forbidden, invalid, required } from '../common/field-errors.ts'
import { objectAt, sortedEntries } from '../common/fields.ts'
import { judgeOnce } from '../common/judge-once.ts'
import { canonicalQuantity, compareQuantities, isWholeQuantity, nanosOf } from '../common/quantity.ts'
import { isCounted, isOvercommitAllowed, validateContainerResource } from '../common/resource-names.ts'

/** `limits` and `requests` of the resources of a container. */
export const validateResources = judgeOnce(
  (resources: JsonObject, field): FieldErrors => validateAmounts(resources, field, validateContainerResource),
)

type NameCheck = (name: string, field: string) => FieldErrors

/** `limits` and `requests` of anything: amounts that are possible, and no request above its limit. */
export function validateAmounts(resources: JsonObject, field: string, checkName: NameCheck): FieldErrors {
  const limits = objectAt(resources, 'limits')
  const requests = sortedEntries(objectAt(resources, 'requests'))
  return [
    ...sortedEntries(limits).flatMap(([name, value]) => {
      const place = `${field}.limits[${name}]`
      return [...validateAmount(name, value, { field: place, checkName }), ...validateHugePages(name, value, place)]
    }),
    ...requests.flatMap(([name, value]) => {
      const place = `${field}.requests[${name}]`
      return [
        ...validateAmount(name, value, { field: place, checkName }),
        ...validateAgainstLimit(name, value, { limit: limits[name], field }),
        ...validateHugePages(name, value, place),
      ]
    }),
    ...validateNotHugeAlone(new Set([...Object.keys(limits), ...requests.map(([name]) => name)]), field),
  ]
}

function validateNotHugeAlone(names: ReadonlySet<string>, field: string): FieldErrors {
  if (names.has('cpu') || names.has('memory') || ![...names].some(isHugePages)) return []
  return [forbidden(field, 'HugePages require cpu or memory')]
}

const PREFIX = 'hugepages-'

function isHugePages(name: string): boolean {
  return name.startsWith(PREFIX)
}

/** Pages come whole. */
function validateHugePages(name: string, value: JsonValue, field: string): FieldErrors {
  if (!isHugePages(name)) return []
  const page = nanosOf(name.slice(PREFIX.length))
  if (page > 0n && isWholeQuantity(name.slice(PREFIX.length)) && nanosOf(value) % page === 0n) return []
  const shown = canonicalQuantity(value) ?? '0'
  return [invalid(field, shown, `${shown} is not positive integer multiple of ${name}`)]
}

export function validateNotNegative(value: JsonValue, field: string): FieldErrors {
  return nanosOf(value) >= 0n ? [] : [invalid(field, value, 'must be greater than or equal to 0')]
}

export function validateWhole(value: JsonValue, field: string): FieldErrors {
  return isWholeQuantity(value) ? [] : [invalid(field, value, 'must be an integer')]
}

interface AmountPlace {
  readonly field: string
  readonly checkName: NameCheck
}

function validateAmount(name: string, value: JsonValue, { field, checkName }: AmountPlace): FieldErrors {
  return [
    ...checkName(name, field),
    ...validateNotNegative(value, field),
    ...(isCounted(name) ? validateWhole(value, field) : []),
  ]
}

function validateAgainstLimit(
  name: string,
  value: JsonValue,
  { limit, field }: { limit: JsonValue | undefined; field: string },
): FieldErrors {
  const isExact = !isOvercommitAllowed(name)
  if (limit === undefined) {
    return isExact ? [required(`${field}.limits`, 'Limit must be set for non overcommitable resources')] : []
  }
  const order = compareQuantities(value, limit)
  if (isExact && order !== 0) return [invalid(`${field}.requests`, value, `must be equal to ${name} limit of ${limit}`)]
  return order > 0
    ? [invalid(`${field}.requests`, value, `must be less than or equal to ${name} limit of ${limit}`)]
    : []
}
