import type { JsonObject, JsonValue } from '../../../../core/base/json.ts'
import { type FieldErrors, forbidden, invalid, required } from '../common/field-errors.ts'
import { objectAt, sortedEntries } from '../common/fields.ts'
import { judgeOnce } from '../common/judge-once.ts'
import { compareQuantities, isWholeQuantity, nanosOf } from '../common/quantity.ts'
import { isExtended, validateContainerResource } from '../common/resource-names.ts'

/** `resources` of a container or a pod. */
export const validateResources = judgeOnce((resources: JsonObject, field): FieldErrors => {
  const limits = objectAt(resources, 'limits')
  const requests = sortedEntries(objectAt(resources, 'requests'))
  const names = new Set([...Object.keys(limits), ...requests.map(([name]) => name)])
  const isHugeAlone =
    [...names].some((name) => name.startsWith('hugepages-')) && !names.has('cpu') && !names.has('memory')
  return [
    ...(isHugeAlone ? [forbidden(field, 'HugePages require cpu or memory')] : []),
    ...sortedEntries(limits).flatMap(([name, value]) => validateAmount(name, value, `${field}.limits[${name}]`)),
    ...requests.flatMap(([name, value]) => [
      ...validateAmount(name, value, `${field}.requests[${name}]`),
      ...validateAgainstLimit(name, value, { limit: limits[name], field }),
    ]),
  ]
})

export function validateNotNegative(value: JsonValue, field: string): FieldErrors {
  return nanosOf(value) >= 0n ? [] : [invalid(field, value, 'must be greater than or equal to 0')]
}

export function validateWhole(value: JsonValue, field: string): FieldErrors {
  return isWholeQuantity(value) ? [] : [invalid(field, value, 'must be an integer')]
}

function validateAmount(name: string, value: JsonValue, field: string): FieldErrors {
  return [
    ...validateContainerResource(name, field),
    ...validateNotNegative(value, field),
    ...(isExtended(name) ? validateWhole(value, field) : []),
  ]
}

function validateAgainstLimit(
  name: string,
  value: JsonValue,
  { limit, field }: { limit: JsonValue | undefined; field: string },
): FieldErrors {
  const isExact = isExtended(name) || name.startsWith('hugepages-')
  if (limit === undefined) {
    return isExact ? [required(`${field}.limits`, 'Limit must be set for non overcommitable resources')] : []
  }
  const order = compareQuantities(value, limit)
  if (isExact && order !== 0) return [invalid(`${field}.requests`, value, `must be equal to ${name} limit of ${limit}`)]
  return order > 0
    ? [invalid(`${field}.requests`, value, `must be less than or equal to ${name} limit of ${limit}`)]
    : []
}
