import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { compareText, goJson } from './go-json.ts'

/**
 * One step of a field path, in the notation of `fieldsV1`: `f:name` a field, `k:{"name":"web"}` an item of a list by its
 * keys, `v:"x"` an item of a set, `i:0` an item by its index. Equal steps have equal texts.
 */
export type PathElement = string

export function fieldElement(name: string): PathElement {
  return `f:${name}`
}

export function valueElement(value: JsonValue): PathElement {
  return `v:${goJson(value)}`
}

/** `keys` need not be sorted. */
export function keyElement(keys: { readonly [name: string]: JsonValue }): PathElement {
  const [name, ...more] = Object.keys(keys)
  return more.length === 0 && name !== undefined ? `k:{${goJson(name)}:${goJson(keys[name])}}` : `k:${goJson(keys)}`
}

/** The name of a field, or `undefined` when the step is none. */
export function fieldNameOf(element: PathElement): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined
}

/**
 * A step as some client wrote it, in its one true form; `undefined` for an unknown kind of step.
 *
 * @throws Error when it cannot be read
 */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new Error('key must be 2 characters long:')
  if (text[1] !== ':') throw new Error(`missing colon: ${text}`)
  if (text[0] === 'f') return text
  if (text[0] === 'v') return valueElement(JSON.parse(text.slice(2)))
  if (text[0] === 'k') return parseKeys(text.slice(2))
  if (text[0] !== 'i') return undefined
  if (!/^-?\d+$/.test(text.slice(2)))
    throw new Error(`strconv.Atoi: parsing ${JSON.stringify(text.slice(2))}: invalid syntax`)
  return `i:${Number(text.slice(2))}`
}

function parseKeys(text: string): PathElement {
  const keys: JsonValue = JSON.parse(text)
  if (!isJsonObject(keys)) throw new Error(`parsing key: ${text} is no object`)
  return `k:${goJson(keys)}`
}

/** `.spec`, `[name="web"]`, `[="x"]`, `[0]`. */
export function printPathElement(element: PathElement): string {
  const body = element.slice(2)
  if (element.startsWith('f:')) return `.${body}`
  if (element.startsWith('i:')) return `[${body}]`
  const value: JsonValue = JSON.parse(body)
  if (element.startsWith('v:')) return `[=${printValue(value)}]`
  return `[${Object.entries(value as JsonObject)
    .map(([name, key]) => `${name}=${printValue(key)}`)
    .join(',')}]`
}

export function printPathElements(path: readonly PathElement[]): string {
  return path.map(printPathElement).join('')
}

function printValue(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(',')}]`
  if (isJsonObject(value)) {
    return Object.entries(value)
      .map(([name, inner]) => `${name}=${printValue(inner)}`)
      .join('')
  }
  return JSON.stringify(value ?? null)
}

const KINDS = 'fkvi'

/** Fields, then keys, then values, then indexes; each by its content. */
export function comparePathElements(left: PathElement, right: PathElement): number {
  if (left === right) return 0
  const kinds = KINDS.indexOf(left.charAt(0)) - KINDS.indexOf(right.charAt(0))
  if (kinds !== 0) return kinds
  if (left.startsWith('f:')) return compareText(left, right)
  return compareValues(contentOf(left), contentOf(right))
}

/** How many steps are kept read; those of one kind of object are mostly the same. */
const CAPACITY = 10_000
const contents = new Map<PathElement, JsonValue>()

/** What stands behind the kind of a step, read. */
function contentOf(element: PathElement): JsonValue {
  const known = contents.get(element)
  if (known !== undefined) return known
  const content: JsonValue = JSON.parse(element.slice(2))
  if (contents.size === CAPACITY) contents.clear()
  contents.set(element, content)
  return content
}

/** Numbers, texts, booleans, lists, maps, null, in this order; then by content. */
function compareValues(left: JsonValue, right: JsonValue): number {
  const kinds = rank(left) - rank(right)
  if (kinds !== 0) return kinds
  if (typeof left === 'number') return left - (right as number)
  if (typeof left === 'string') return compareText(left, right as string)
  if (typeof left === 'boolean') return Number(left) - Number(right)
  return compareEntries(entriesOf(left), entriesOf(right))
}

function rank(value: JsonValue): number {
  if (value === null) return 5
  if (Array.isArray(value)) return 3
  return { number: 0, string: 1, boolean: 2 }[typeof value as string] ?? 4
}

type Entries = readonly (readonly [name: string, value: JsonValue])[]

function entriesOf(value: JsonValue): Entries {
  if (Array.isArray(value)) return value.map((item: JsonValue) => ['', item])
  return isJsonObject(value) ? (Object.entries(value) as Entries) : []
}

function compareEntries(left: Entries, right: Entries): number {
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    const order = compareText(name, other[0]) || compareValues(value, other[1])
    if (order !== 0) return order
  }
  return left.length - right.length
}
