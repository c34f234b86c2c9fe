import { CelRuntimeError } from '../cel-error.ts'
import type { CelFunction } from '../environment.ts'
import { isEqual } from '../equality.ts'
import { JsonMap } from '../json.ts'
import type { FunctionTable } from '../signature.ts'
import { CelDuration, CelList, CelTimestamp, CelUint, type CelValue } from '../values.ts'

/** `+ - * / %`, of numbers, texts, lists and times. */
export const ARITHMETIC: FunctionTable = {
  '_+_(bytes, bytes): bytes': bytes((a, b) => Uint8Array.from([...a, ...b])),
  '_+_(double, double): double': doubles((a, b) => a + b),
  '_+_(duration, duration): duration': ([a, b]) => duration(nanosOf(a) + nanosOf(b)),
  '_+_(duration, timestamp): timestamp': ([a, b]) => timestamp(nanosOf(a) + nanosOf(b)),
  '_+_(timestamp, duration): timestamp': ([a, b]) => timestamp(nanosOf(a) + nanosOf(b)),
  '_+_(int, int): int': ints((a, b) => a + b),
  '_+_(list<A>, list<A>): list<A>': ([a, b], call) => {
    call.spend((a as CelList).size + (b as CelList).size)
    return concatenate(a as CelList, b as CelList)
  },
  '_+_(string, string): string': ([a, b], call) => {
    call.spend(Math.ceil(((a as string).length + (b as string).length) / 10))
    return `${a}${b}`
  },
  '_+_(uint, uint): uint': uints((a, b) => a + b),
  '_/_(double, double): double': doubles((a, b) => a / b),
  '_/_(int, int): int': ints((a, b) => a / nonZero(b, 'division')),
  '_/_(uint, uint): uint': uints((a, b) => a / nonZero(b, 'division')),
  '_%_(int, int): int': ints((a, b) => a % nonZero(b, 'modulus')),
  '_%_(uint, uint): uint': uints((a, b) => a % nonZero(b, 'modulus')),
  '_*_(double, double): double': doubles((a, b) => a * b),
  '_*_(int, int): int': ints((a, b) => a * b),
  '_*_(uint, uint): uint': uints((a, b) => a * b),
  '-_(double): double': ([value]) => -(value as number),
  '-_(int): int': ints((value) => -value),
  '_-_(double, double): double': doubles((a, b) => a - b),
  '_-_(duration, duration): duration': ([a, b]) => duration(nanosOf(a) - nanosOf(b)),
  '_-_(int, int): int': ints((a, b) => a - b),
  '_-_(timestamp, duration): timestamp': ([a, b]) => timestamp(nanosOf(a) - nanosOf(b)),
  '_-_(timestamp, timestamp): duration': ([a, b]) => duration(nanosOf(a) - nanosOf(b)),
  '_-_(uint, uint): uint': uints((a, b) => a - b),
}

/** An integer, if it has 64 bits. */
export function intOf(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new CelRuntimeError('integer overflow')
  return value
}

export function uintOf(value: bigint): CelUint {
  if (BigInt.asUintN(64, value) !== value) throw new CelRuntimeError('unsigned integer overflow')
  return new CelUint(value)
}

export function timestamp(nanos: bigint): CelTimestamp {
  if (nanos < FIRST_INSTANT || nanos > LAST_INSTANT) throw new CelRuntimeError('timestamp overflow')
  return new CelTimestamp(nanos)
}

/** The first second of year 1, and the last nanosecond of year 9999. */
const FIRST_INSTANT = -62_135_596_800_000_000_000n
const LAST_INSTANT = 253_402_300_799_999_999_999n

function duration(nanos: bigint): CelDuration {
  return new CelDuration(intOf(nanos))
}

function nanosOf(value: CelValue | undefined): bigint {
  return (value as CelDuration | CelTimestamp).nanos
}

function ints(run: (a: bigint, b: bigint) => bigint): CelFunction {
  return ([a, b]) => intOf(run(a as bigint, b as bigint))
}

function uints(run: (a: bigint, b: bigint) => bigint): CelFunction {
  return ([a, b]) => uintOf(run((a as CelUint).value, (b as CelUint).value))
}

function doubles(run: (a: number, b: number) => number): CelFunction {
  return ([a, b]) => run(a as number, b as number)
}

function bytes(run: (a: Uint8Array, b: Uint8Array) => Uint8Array): CelFunction {
  return ([a, b]) => run(a as Uint8Array, b as Uint8Array)
}

function nonZero(value: bigint, operation: string): bigint {
  if (value === 0n) throw new CelRuntimeError(`${operation} by zero`)
  return value
}

/** Sets and lists with keys of a custom resource stay what they are: items of the second replace or join the first. */
function concatenate(a: CelList, b: CelList): CelList {
  const { traits } = a
  if (traits?.listType === 'set') {
    const added = [...b].filter((item) => ![...a].some((known) => isEqual(known, item)))
    return CelList.of([...a, ...added], traits)
  }
  if (traits?.listType === 'map') return mergeByKeys(a, b)
  return new CelList(a.size + b.size, (index) => (index < a.size ? a.at(index) : b.at(index - a.size)))
}

function mergeByKeys(a: CelList, b: CelList): CelList {
  const items = [...a]
  for (const item of b) {
    const at = items.findIndex((known) => haveSameKeys(known, item, a.traits?.listMapKeys as readonly string[]))
    if (at < 0) items.push(item)
    else items[at] = item
  }
  return CelList.of(items, a.traits)
}

/** Only what comes from the resource has keys: maps that are written in an expression are never the same as another. */
function haveSameKeys(a: CelValue, b: CelValue, keys: readonly string[]): boolean {
  if (!(a instanceof JsonMap && b instanceof JsonMap)) return false
  return keys.every((key) => isEqual(a.get(key) as CelValue, b.get(key) as CelValue))
}
