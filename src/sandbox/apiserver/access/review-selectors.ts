import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { StatusCause } from '../api-status.ts'
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
  if (hasRaw || hasRequirements) return []
  const message = `Required value: when ${field} is specified, requirements or rawSelector is required`
  return [{ reason: 'FieldValueRequired', message, field: `${field}.requirements` }]
}

/** Selectors that cannot be read; empty when all can. */
export function selectorErrors(attributes: JsonValue | undefined): string {
  return FIELDS.filter((field) => isJsonObject(attributes) && isBroken(attributes[field], field))
    .map((field) => `spec.resourceAttributes.${field} ignored due to parse error`)
    .join('; ')
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
