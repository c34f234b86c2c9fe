import { CelRuntimeError } from '../cel-error.ts'
import { isEqual } from '../equality.ts'
import type { FunctionTable } from '../signature.ts'
import { CelDuration, CelList, CelMap, CelOptional, CelTimestamp, CelUint, type CelValue } from '../values.ts'

/** Values that may be absent: `optional.of(x)`, `x.orValue(y)`. */
export const OPTIONALS: FunctionTable = {
  'optional.of(A): optional<A>': ([value]) => new CelOptional(value),
  'optional.ofNonZeroValue(A): optional<A>': ([value]) =>
    isZero(value as CelValue) ? CelOptional.none : new CelOptional(value),
  'optional.none(): optional<A>': () => CelOptional.none,
  'method value(optional<A>): A': ([value]) => {
    const found = (value as CelOptional).value
    if (found === undefined) throw new CelRuntimeError('optional.none() dereference')
    return found
  },
  'method hasValue(optional<A>): bool': ([value]) => (value as CelOptional).value !== undefined,
  'method or(optional<A>, optional<A>): optional<A>': ([value, other]) =>
    (value as CelOptional).value === undefined ? (other as CelOptional) : (value as CelOptional),
  'method orValue(optional<A>, A): A': ([value, other]) => (value as CelOptional).value ?? nullOr(value, other),
  'method last(list<A>): optional<A>': ([list]) => at(list as CelList, (list as CelList).size - 1),
  'method first(list<A>): optional<A>': ([list]) => at(list as CelList, 0),
  'optional.unwrap(list<optional<A>>): list<A>': ([list]) => unwrapped(list as CelList),
  'method unwrapOpt(list<optional<A>>): list<A>': ([list]) => unwrapped(list as CelList),
}

/** A value that is there may be null. */
function nullOr(value: CelValue | undefined, other: CelValue | undefined): CelValue {
  return (value as CelOptional).value === undefined ? (other as CelValue) : null
}

function at(list: CelList, index: number): CelOptional {
  return list.size === 0 ? CelOptional.none : new CelOptional(list.at(index))
}

function unwrapped(list: CelList): CelList {
  return CelList.of([...list].flatMap((item) => (item as CelOptional).value ?? []))
}

function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === '') return true
  if (value instanceof CelList || value instanceof CelMap) return value.size === 0
  if (value instanceof Uint8Array) return value.length === 0
  if (value instanceof CelDuration || value instanceof CelTimestamp) return value.nanos === 0n
  if (value instanceof CelOptional) return value.value === undefined
  const isNumber = typeof value === 'bigint' || typeof value === 'number' || value instanceof CelUint
  return isNumber && isEqual(value, 0n)
}
