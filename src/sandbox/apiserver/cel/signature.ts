import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  opaqueType,
  optionalOf,
  STRING,
  TIMESTAMP,
  TYPE,
  typeOf,
  typeParam,
  UINT,
} from './cel-type.ts'
import type { CelFunction, Overload } from './environment.ts'

/** Functions by signature: `size(string): int`, of a method `string.size(): int`. Capital letters stand for any type. */
export type FunctionTable = Readonly<Record<string, CelFunction>>

/** Reads a table into overloads. */
export function overloadsOf(table: FunctionTable): readonly Overload[] {
  return Object.entries(table).map(([signature, run]) => parseSignature(signature, run))
}

function parseSignature(signature: string, run: CelFunction): Overload {
  const match = /^(?:(method) )?([^(]+)\((.*)\): (.+)$/.exec(signature)
  if (!match) throw new Error(`cannot read the signature ${signature}`)
  const [, method, name = '', list = '', result = ''] = match
  const args = splitTypes(list).map(parseType)
  const typeParams = [...new Set(signature.match(/\b[A-Z]\b/g) ?? [])]
  return { name, method: method !== undefined, args, result: parseType(result), typeParams, run, signature }
}

/** `list<A>`, `map<string, dyn>`, `optional<A>`, `kubernetes.Quantity`. */
export function parseType(text: string): CelType {
  const generic = /^(\w+)<(.*)>$/.exec(text)
  if (!generic) return SIMPLE.get(text) ?? (/^[A-Z]$/.test(text) ? typeParam(text) : opaqueType(text))
  const [first, second] = splitTypes(generic[2] as string).map(parseType) as [CelType, CelType]
  if (generic[1] === 'list') return listOf(first)
  if (generic[1] === 'map') return mapOf(first, second)
  return generic[1] === 'type' ? typeOf(first) : optionalOf(first)
}

/** At the commas outside of `<…>`. */
function splitTypes(list: string): readonly string[] {
  if (list === '') return []
  const parts = ['']
  let depth = 0
  for (const character of list) {
    if (character === '<') depth += 1
    if (character === '>') depth -= 1
    if (character === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts.map((part) => part.trim())
}

const SIMPLE = new Map<string, CelType>([
  ['bool', BOOL],
  ['bytes', BYTES],
  ['double', DOUBLE],
  ['duration', DURATION],
  ['dyn', DYN],
  ['int', INT],
  ['null', NULL],
  ['string', STRING],
  ['timestamp', TIMESTAMP],
  ['type', TYPE],
  ['uint', UINT],
])
