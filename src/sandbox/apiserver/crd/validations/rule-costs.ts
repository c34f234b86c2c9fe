import type { FieldError } from '../../../../core/schema/field-error.ts'

/** What a rule, or the expression of its message, may cost at the most. */
export interface RuleCost {
  readonly field: string
  readonly cost: number
}

/** Of a rule. */
const RULE_LIMIT = 10_000_000
/** Of all rules of a schema together. */
const TOTAL_LIMIT = 100_000_000

export function checkCost(costs: readonly RuleCost[], field: string): FieldError | undefined {
  const found = costs.find((cost) => cost.field === field)
  if (!found || found.cost <= RULE_LIMIT) return undefined
  return { type: 'Forbidden', field, detail: exceeds(`estimated ${field} cost`, found.cost, RULE_LIMIT) }
}

/** Reports the four most expensive rules when the total cost is too high. */
export function checkTotalCost(costs: readonly RuleCost[], path: string): readonly FieldError[] {
  const total = costs.reduce((sum, { cost }) => sum + cost, 0)
  if (total <= TOTAL_LIMIT) return []
  const expensive = costs.filter(({ cost }) => cost >= TOTAL_LIMIT / 100).toSorted((a, b) => descending(a.cost, b.cost))
  const detail = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'
  const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema'
  return [
    ...expensive.slice(0, 4).map(({ field }) => ({ type: 'Forbidden' as const, field, detail })),
    { type: 'Forbidden', field: path, detail: exceeds(what, total, TOTAL_LIMIT) },
  ]
}

function descending(a: number, b: number): number {
  return Number(b > a) - Number(b < a)
}

function exceeds(what: string, cost: number, limit: number): string {
  const factor = cost / limit
  const printed = factor > 100 ? 'more than 100x' : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`
  const hint =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared'
  return `${what} exceeds budget by factor of ${printed} (${hint})`
}
