import { isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import { compareText } from '../../../core/schema/go-json.ts'
import { goDouble, isGoInteger } from '../../../core/schema/go-number.ts'

/** A decoded value as Go's `%v` (`plain`) or `%#v` (`syntax`) prints the wrapper that structured-merge-diff puts around it. */
export function goValue(value: JsonValue, form: 'plain' | 'syntax'): string {
  return form === 'plain' ? `&{${plain(value)}}` : `&value.valueUnstructured{Value:${syntax(value)}}`
}

/** The Go type of a decoded value, as `%T` prints it. */
export function goTypeOf(value: JsonValue): string {
  if (typeof value === 'number') return isGoInteger(value) ? 'int64' : 'float64'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (value === null) return '<nil>'
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}'
}

/** Go's `%v`: `map[a:1 b:[x y]]`. */
export function plain(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(plain).join(' ')}]`
  if (isJsonObject(value)) return `map[${sortedEntries(value, (inner) => plain(inner), ':').join(' ')}]`
  return typeof value === 'number' && !isGoInteger(value) ? goDouble(value) : String(value)
}

/** Go's `%#v`. */
function syntax(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return 'interface {}(nil)'
  if (Array.isArray(value)) return `[]interface {}{${value.map(syntax).join(', ')}}`
  if (isJsonObject(value)) {
    return `map[string]interface {}{${sortedEntries(value, syntax, ':', JSON.stringify).join(', ')}}`
  }
  return JSON.stringify(value)
}

function sortedEntries(
  object: { readonly [key: string]: JsonValue | undefined },
  print: (value: JsonValue | undefined) => string,
  colon: string,
  printKey: (key: string) => string = (key) => key,
): string[] {
  const keys = Object.keys(object).sort(compareText)
  return keys.map((key) => `${printKey(key)}${colon}${print(object[key])}`)
}
