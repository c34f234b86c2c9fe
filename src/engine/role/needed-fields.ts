import type { JsonPath } from '../../core/base/json.ts'

/** An omitted label in one of these would select everything. */
const SELECTORS = new Set([
  'selector',
  'matchLabels',
  'matchExpressions',
  'podSelector',
  'namespaceSelector',
  'nodeSelector',
])

/**
 * Whether a value in a manifest must be there: names and namespaces of objects, and everything that selects.
 *
 * Where such a value is missing the task waits or fails; everywhere else the field is left out. Map keys, and expressions
 * with text around them, always need a value: templates see to that themselves.
 */
export function isNeededField(path: JsonPath): boolean {
  return path.some((step) => SELECTORS.has(String(step))) || isObjectName(path)
}

/** The name or namespace of the object itself, of a template in it, or of an object that it refers to. */
function isObjectName(path: JsonPath): boolean {
  const last = path.at(-1)
  if (last !== 'name' && last !== 'namespace') return false
  const parent = path.at(-2)
  if (typeof parent === 'number') return path.at(-3) === 'subjects'
  return parent === undefined || parent === 'metadata' || parent.endsWith('Ref')
}
