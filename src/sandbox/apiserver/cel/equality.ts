import {
  CelDuration,
  CelList,
  CelMap,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from './values.ts'

/** `a == b`; values of different types are not equal, numbers of different types may be. */
export function isEqual(a: CelValue, b: CelValue): boolean {
  const [left, right] = [numberOf(a), numberOf(b)]
  if (left !== undefined && right !== undefined) return compareNumbers(left, right) === 0
  // Some values cannot be compared, not even with themselves.
  if (a === b && !(a instanceof CelOpaque)) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  return isEqualObject(a, b)
}

/** -1, 0 or 1; undefined when the values cannot be compared. */
export function compareValues(a: CelValue, b: CelValue): number | undefined {
  const [left, right] = [numberOf(a), numberOf(b)]
  if (left !== undefined && right !== undefined) return compareNumbers(left, right)
  if (typeof a === 'string' && typeof b === 'string') return compareBytes(Buffer.from(a), Buffer.from(b))
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b)
  const bothTimes = a instanceof CelTimestamp && b instanceof CelTimestamp
  if (bothTimes || (a instanceof CelDuration && b instanceof CelDuration)) {
    const [first, second] = [a.nanos, (b as CelDuration).nanos]
    return Number(first > second) - Number(first < second)
  }
  return undefined
}

/** Compares numbers of different types by value. A comparison with NaN has no result. */
function compareNumbers(left: bigint | number, right: bigint | number): number | undefined {
  if (Number.isNaN(left) || Number.isNaN(right)) return undefined
  return Number(left > right) - Number(left < right)
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b)
}

function numberOf(value: CelValue): bigint | number | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value
  return value instanceof CelUint ? value.value : undefined
}

type CelObject = Extract<CelValue, object>

function isEqualObject(a: CelObject, b: CelObject): boolean {
  if (a instanceof CelList) return b instanceof CelList && areListsEqual(a, b)
  if (a instanceof CelMap) return b instanceof CelMap && areMapsEqual(a, b)
  if (a instanceof CelTimestamp) return b instanceof CelTimestamp && a.nanos === b.nanos
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanos === b.nanos
  if (a instanceof CelTypeValue) return b instanceof CelTypeValue && a.name === b.name
  if (a instanceof CelOpaque) return b instanceof CelOpaque && a.typeName === b.typeName && a.equals(b)
  if (a instanceof CelOptional) return b instanceof CelOptional && areOptionalsEqual(a, b)
  return a instanceof Uint8Array && b instanceof Uint8Array && Buffer.compare(a, b) === 0
}

function areOptionalsEqual(a: CelOptional, b: CelOptional): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value
  return isEqual(a.value, b.value)
}

function areMapsEqual(a: CelMap, b: CelMap): boolean {
  if (a.size !== b.size || (a.typeName === 'map') !== (b.typeName === 'map')) return false
  return a.keys().every((key) => {
    const [left, right] = [a.get(key), b.get(key)]
    return left !== undefined && right !== undefined && isEqual(left, right)
  })
}

/** Sets are equal in any order, and so are lists with keys. */
function areListsEqual(a: CelList, b: CelList): boolean {
  if (a.size !== b.size) return false
  if (a.traits?.listType) return [...a].every((item) => includes(b, item))
  for (let index = 0; index < a.size; index++) if (!isEqual(a.at(index), b.at(index))) return false
  return true
}

export function includes(list: CelList, value: CelValue): boolean {
  for (const item of list) if (isEqual(item, value)) return true
  return false
}
