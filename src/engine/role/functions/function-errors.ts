import { ExpressionError } from '../../expression/expression-error.ts'

/** What can go wrong in the functions of the role language. Never reused. */
export const FUNCTION_ERRORS = {
  E2001: '$dnsName makes names of 10 to 253 letters',
  E2002: '$dnsName takes a list of texts or numbers, at least one',
  E2003: '$quantity takes a quantity such as 500m or 1Gi',
  E2004: '$formatQuantity takes a finite number and a unit of Kubernetes',
  E2005: '$fromYaml takes the text of one YAML document that all readers understand alike',
  E2006: '$fromJson takes JSON, nested no deeper than 100 levels',
  E2007: '$isReady takes an object with apiVersion, kind and metadata',
  E2008: 'a function cannot take functions, infinite numbers or values nested deeper than 100 levels',
  E2009: 'an expression of a text yields a list or an object: use $join, $toJson or $toYaml',
} as const

/** The message never holds a value. */
export function functionError(code: keyof typeof FUNCTION_ERRORS, detail?: string): ExpressionError {
  const message = detail === undefined ? FUNCTION_ERRORS[code] : `${FUNCTION_ERRORS[code]}: ${detail}`
  return new ExpressionError('evaluation', code, message)
}
