import { CelRuntimeError } from '../cel-error.ts'
import type { CelCall, CelFunction } from '../environment.ts'
import { compareValues, isEqual } from '../equality.ts'
import type { FunctionTable } from '../signature.ts'
import { CelDuration, type CelList, CelUint, type CelValue } from '../values.ts'
import { ARITHMETIC } from './arithmetic.ts'

const COMPARABLE = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes']

/** What Kubernetes adds to lists. */
export const KUBERNETES_LISTS: FunctionTable = {
  ...each(COMPARABLE, (type) => [
    `method isSorted(list<${type}>): bool`,
    ([list], call) => isSorted(list as CelList, call),
  ]),
  ...each(COMPARABLE, (type) => [
    `method max(list<${type}>): ${type}`,
    ([list], call) => best(list as CelList, 'max', call),
  ]),
  ...each(COMPARABLE, (type) => [
    `method min(list<${type}>): ${type}`,
    ([list], call) => best(list as CelList, 'min', call),
  ]),
  'method sum(list<int>): int': ([list], call) => sum(list as CelList, 0n, call),
  'method sum(list<uint>): uint': ([list], call) => sum(list as CelList, new CelUint(0n), call),
  'method sum(list<double>): double': ([list], call) => sum(list as CelList, 0, call),
  'method sum(list<duration>): duration': ([list], call) => sum(list as CelList, new CelDuration(0n), call),
  'method indexOf(list<A>, A): int': ([list, item], call) => {
    call.spend((list as CelList).size)
    return BigInt([...(list as CelList)].findIndex((known) => isEqual(known, item as CelValue)))
  },
  'method lastIndexOf(list<A>, A): int': ([list, item], call) => {
    call.spend((list as CelList).size)
    return BigInt([...(list as CelList)].findLastIndex((known) => isEqual(known, item as CelValue)))
  },
}

function each(types: readonly string[], make: (type: string) => readonly [string, CelFunction]): FunctionTable {
  return Object.fromEntries(types.map(make))
}

function isSorted(list: CelList, call: CelCall): boolean {
  call.spend(list.size)
  for (let index = 1; index < list.size; index++) {
    if (Number(compareValues(list.at(index - 1), list.at(index))) > 0) return false
  }
  return true
}

function best(list: CelList, name: 'max' | 'min', call: CelCall): CelValue {
  call.spend(list.size)
  const [first, ...others] = [...list]
  if (first === undefined) throw new CelRuntimeError(`${name} called on empty list`)
  const sign = name === 'max' ? 1 : -1
  return others.reduce((known, item) => (sign * Number(compareValues(item, known)) > 0 ? item : known), first)
}

function sum(list: CelList, zero: CelValue, call: CelCall): CelValue {
  call.spend(list.size)
  const type =
    zero instanceof CelUint
      ? 'uint'
      : typeof zero === 'bigint'
        ? 'int'
        : typeof zero === 'number'
          ? 'double'
          : 'duration'
  const add = ARITHMETIC[`_+_(${type}, ${type}): ${type}`] as CelFunction
  return [...list].reduce((total, item) => add([total, item], call), zero)
}
