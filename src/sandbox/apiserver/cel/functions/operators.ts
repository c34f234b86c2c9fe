import { CelRuntimeError, noSuchOverload } from '../cel-error.ts'
import type { CelFunction } from '../environment.ts'
import { compareValues, includes } from '../equality.ts'
import type { FunctionTable } from '../signature.ts'
import { CelList, CelMap, type CelMapOf, type CelValue, mapKey } from '../values.ts'

const COMPARABLE = [
  ...['bool, bool', 'int, int', 'int, double', 'int, uint', 'uint, uint', 'uint, double', 'uint, int'],
  ...['double, double', 'double, int', 'double, uint', 'string, string', 'bytes, bytes'],
  ...['timestamp, timestamp', 'duration, duration'],
]

/** Operators whose operands are all evaluated; those planned by themselves stand here for their types only. */
export const OPERATORS: FunctionTable = {
  '_?_:_(bool, A, A): A': plannedElsewhere,
  '_&&_(bool, bool): bool': plannedElsewhere,
  '_||_(bool, bool): bool': plannedElsewhere,
  '@not_strictly_false(bool): bool': plannedElsewhere,
  '_==_(A, A): bool': plannedElsewhere,
  '_!=_(A, A): bool': plannedElsewhere,
  '_[_](list<A>, int): A': plannedElsewhere,
  '_[_](map<A, B>, A): B': plannedElsewhere,
  '_[_](optional<list<A>>, int): optional<A>': plannedElsewhere,
  '_[_](optional<map<A, B>>, A): optional<B>': plannedElsewhere,
  '_[?_](list<A>, int): optional<A>': plannedElsewhere,
  '_[?_](optional<list<A>>, int): optional<A>': plannedElsewhere,
  '_[?_](map<A, B>, A): optional<B>': plannedElsewhere,
  '_[?_](optional<map<A, B>>, A): optional<B>': plannedElsewhere,
  '!_(bool): bool': ([value]) => !value,
  '@in(A, list<A>): bool': ([value, list], call) => {
    call.spend((list as CelList).size)
    return includes(list as CelList, value as CelValue)
  },
  '@in(A, map<A, B>): bool': ([key, map]) =>
    isKey(key as CelValue) && (map as CelMap).get(key as CelValue) !== undefined,
  'size(string): int': sizeOf,
  'size(bytes): int': sizeOf,
  'size(list<A>): int': sizeOf,
  'size(map<A, B>): int': sizeOf,
  'method size(string): int': sizeOf,
  'method size(bytes): int': sizeOf,
  'method size(list<A>): int': sizeOf,
  'method size(map<A, B>): int': sizeOf,
  ...comparisons('_<_', (order) => order < 0),
  ...comparisons('_<=_', (order) => order <= 0),
  ...comparisons('_>_', (order) => order > 0),
  ...comparisons('_>=_', (order) => order >= 0),
  'cel.@mapInsert(map<A, B>, A, B): map<A, B>': ([map, key, value]) =>
    inserted(map as CelMapOf, key as CelValue, value as CelValue),
  'cel.@mapInsertEntry(map<A, B>, map<A, B>): map<A, B>': ([map, entries]) => {
    const added = entries as CelMap
    for (const key of added.keys()) inserted(map as CelMapOf, key, added.get(key) as CelValue)
    return map as CelValue
  },
}

function plannedElsewhere(): never {
  throw noSuchOverload()
}

/** The map of a macro grows in place. */
function inserted(map: CelMapOf, key: CelValue, value: CelValue): CelMapOf {
  if (map.get(key) !== undefined) throw new CelRuntimeError(`insert failed: key ${String(key)} already exists`)
  map.insert(key, value)
  return map
}

function isKey(value: CelValue): boolean {
  try {
    return mapKey(value) !== ''
  } catch {
    return false
  }
}

function comparisons(name: string, holds: (order: number) => boolean): FunctionTable {
  const compare: CelFunction = ([a, b]) => {
    const order = compareValues(a as CelValue, b as CelValue)
    if (order === undefined) throw new CelRuntimeError('NaN values cannot be ordered')
    return holds(order)
  }
  return Object.fromEntries(COMPARABLE.map((types) => [`${name}(${types}): bool`, compare]))
}

function sizeOf([value]: readonly CelValue[]): bigint {
  if (typeof value === 'string') return BigInt([...value].length)
  if (value instanceof Uint8Array) return BigInt(value.length)
  if (value instanceof CelList || value instanceof CelMap) return BigInt(value.size)
  throw noSuchOverload()
}
