/** A type of CEL: how expressions are checked, and how JSON is read. */
export interface CelType {
  readonly kind: CelKind
  /** What type errors call it; the name of an object or opaque type. */
  readonly name: string
  /** `list(E)`, `map(K, V)`, `type(T)` and opaque types such as `optional_type(T)`. */
  readonly params: readonly CelType[]
  /** Of objects: what can be selected. */
  readonly fields?: ReadonlyMap<string, CelType>
  /** How JSON of a custom resource is read as this type, where the type alone does not say it. */
  readonly json?: JsonTraits
}

export interface JsonTraits {
  /** The list compares as `set` (without order) or `map` (by these keys). */
  readonly listType?: 'set' | 'map'
  readonly listMapKeys?: readonly string[]
  /** The most items or characters, for estimates of costs. */
  readonly maxElements?: number
  /** The size of the smallest value as JSON text. */
  readonly minSize?: number
  /** The fields as they are spelt in JSON, where that differs. */
  readonly jsonNames?: ReadonlyMap<string, string>
}

export type CelKind =
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'object'
  | 'opaque'
  | 'param'
  | 'string'
  | 'timestamp'
  | 'type'
  | 'uint'

export const BOOL = simple('bool')
export const BYTES = simple('bytes')
export const DOUBLE = simple('double')
export const DURATION = simple('duration', 'google.protobuf.Duration')
export const DYN = simple('dyn')
export const ERROR = simple('error', '!error!')
export const INT = simple('int')
export const NULL = simple('null', 'null_type')
export const STRING = simple('string')
export const TIMESTAMP = simple('timestamp', 'google.protobuf.Timestamp')
export const TYPE = simple('type')
export const UINT = simple('uint')

export function listOf(element: CelType, json?: JsonTraits): CelType {
  return { kind: 'list', name: 'list', params: [element], ...(json && { json }) }
}

export function mapOf(key: CelType, value: CelType, json?: JsonTraits): CelType {
  return { kind: 'map', name: 'map', params: [key, value], ...(json && { json }) }
}

export function objectType(name: string, fields: ReadonlyMap<string, CelType>, json?: JsonTraits): CelType {
  return { kind: 'object', name, params: [], fields, ...(json && { json }) }
}

export function opaqueType(name: string, params: readonly CelType[] = []): CelType {
  return { kind: 'opaque', name, params }
}

export function optionalOf(type: CelType): CelType {
  return opaqueType('optional_type', [type])
}

export function typeOf(type: CelType): CelType {
  return { kind: 'type', name: 'type', params: [type] }
}

export function typeParam(name: string): CelType {
  return { kind: 'param', name, params: [] }
}

export function withTraits(type: CelType, json: JsonTraits): CelType {
  return { ...type, json: { ...type.json, ...json } }
}

export function isOptional(type: CelType): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type'
}

/** How errors of the compiler write a type. */
export function printType(type: CelType): string {
  const name = SHORT_NAMES[type.kind] ?? type.name
  return type.params.length === 0 ? name : `${name}(${type.params.map(printType).join(', ')})`
}

export function sameType(a: CelType, b: CelType): boolean {
  if (a === b) return true
  const sameShape = a.kind === b.kind && a.name === b.name && a.params.length === b.params.length
  return sameShape && a.params.every((param, at) => sameType(param, b.params[at] as CelType))
}

const SHORT_NAMES: Partial<Record<CelKind, string>> = {
  duration: 'duration',
  error: '!error!',
  null: 'null',
  timestamp: 'timestamp',
}

function simple(kind: CelKind, name: string = kind): CelType {
  return { kind, name, params: [] }
}
