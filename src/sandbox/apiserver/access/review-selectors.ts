import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { causeOf } from '../../../core/schema/field-error.ts'
import type { StatusCause } from '../api-status.ts'
import { required } from '../kinds/common/field-errors.ts'
import { validateRequirement } from '../kinds/common/label-selectors.ts'
import { parseFieldSelector } from '../store/field-selector.ts'
import { compileLabelSelector } from '../store/label-selector.ts'

const FIELDS = ['fieldSelector', 'labelSelector'] as const
const PARSERS = { fieldSelector: parseFieldSelector, labelSelector: compileLabelSelector }

/** What is wrong with the selectors of a question. RBAC does not look at them, and the server checks them all the same. */
export function checkSelectors(attributes: JsonValue | undefined): readonly StatusCause[] {
  return FIELDS.flatMap((field) => {
    const selector = isJsonObject(attributes) ? attributes[field] : undefined
    return isJsonObject(selector) ? checkSelector(selector, `spec.resourceAttributes.${field}`) : []
  })
}

function checkSelector({ rawSelector, requirements }: JsonObject, field: string): readonly StatusCause[] {
  const hasRaw = typeof rawSelector === 'string' && rawSelector !== ''
  const hasRequirements = isJsonArray(requirements) && requirements.length > 0
  if (hasRaw && hasRequirements) {
    const message = `Invalid value: ${JSON.stringify(rawSelector)}: may not specified at the same time as requirements`
    return [{ reason: 'FieldValueInvalid', message, field: `${field}.rawSelector` }]
  }
  if (hasRequirements)
    return requirements
      .filter(isJsonObject)
      .flatMap((each, index) => checkRequirement(each, `${field}.requirements[${index}]`))
  if (hasRaw) return []
  const message = `Required value: when ${field} is specified, requirements or rawSelector is required`
  return [{ reason: 'FieldValueRequired', message, field: `${field}.requirements` }]
}

/** As of a selector of objects; newer clients may know operators that the server does not. */
function checkRequirement(requirement: JsonObject, field: string): readonly StatusCause[] {
  const errors = validateRequirement(requirement, field).filter((error) => error.field !== `${field}.operator`)
  const isOfFields = field.includes('.fieldSelector.')
  const ofKey = errors.filter((error) => error.field === `${field}.key`)
  const others = errors.filter((error) => error.field === `${field}.values`)
  if (!isOfFields) return errors.map(causeOf)
  // Fields have names and values of any kind.
  const noKey =
    ofKey.length > 0 && (requirement.key ?? '') === '' ? [required(`${field}.key`, 'must be specified')] : []
  return [...noKey, ...others].map(causeOf)
}

/** Messages about selectors that the authorizer cannot parse, wholly or in part. */
export function selectorErrors(attributes: JsonValue | undefined): string {
  const selectors = isJsonObject(attributes) ? attributes : {}
  return FIELDS.flatMap((field) => {
    const place = `spec.resourceAttributes.${field}`
    if (isBroken(selectors[field], field)) return [`${place} ignored due to parse error`]
    const [unread, all] = countUnread(selectors[field], field)
    if (unread === 0) return []
    return [`${place} ${unread === all ? '' : 'partially '}ignored due to parse error`]
  }).join('; ')
}

/** How many requirements cannot be read, and how many there are. */
function countUnread(selector: JsonValue | undefined, field: keyof typeof PARSERS): readonly [number, number] {
  const given = isJsonObject(selector) && isJsonArray(selector.requirements) ? selector.requirements : []
  const requirements = given.filter(isJsonObject)
  const isRead = ({ operator, values }: JsonObject): boolean => {
    const isOfMany = operator === 'In' || operator === 'NotIn'
    // A field has one value.
    if (field === 'fieldSelector') return isOfMany && isJsonArray(values) && values.length === 1
    return isOfMany || operator === 'Exists' || operator === 'DoesNotExist'
  }
  return [requirements.filter((each) => !isRead(each)).length, requirements.length]
}

function isBroken(selector: JsonValue | undefined, field: keyof typeof PARSERS): boolean {
  const raw = isJsonObject(selector) ? selector.rawSelector : undefined
  if (typeof raw !== 'string') return false
  try {
    PARSERS[field](raw)
    return false
  } catch {
    return true
  }
}
