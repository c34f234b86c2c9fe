import { CelRuntimeError } from '../cel-error.ts'
import type { CelCall } from '../environment.ts'
import { compareValues, includes } from '../equality.ts'
import type { FunctionTable } from '../signature.ts'
import { CelList, type CelValue, typeNameOf } from '../values.ts'

const COMPARABLE = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes']

/** Version 3 of CEL's extension for lists. */
export const LISTS: FunctionTable = {
  'method slice(list<A>, int, int): list<A>': ([list, start, end]) =>
    slice(list as CelList, start as bigint, end as bigint),
  'method flatten(list<list<A>>): list<A>': ([list], call) => flatten(list as CelList, 1n, call),
  'method flatten(list<dyn>, int): list<dyn>': ([list, depth], call) => {
    if ((depth as bigint) < 0n) throw new CelRuntimeError('level must be non-negative')
    return flatten(list as CelList, depth as bigint, call)
  },
  ...Object.fromEntries(
    COMPARABLE.map((type) => [
      `method sort(list<${type}>): list<${type}>`,
      ([list]) => sort(list as CelList, list as CelList),
    ]),
  ),
  ...Object.fromEntries(
    COMPARABLE.map((type) => [
      `method @sortByAssociatedKeys(list<A>, list<${type}>): list<A>`,
      ([list, keys]) => sort(list as CelList, keys as CelList),
    ]),
  ),
  'lists.range(int): list<int>': ([count], call) => {
    call.spend(Number(count))
    return new CelList(Math.max(0, Number(count)), BigInt)
  },
  'method reverse(list<A>): list<A>': ([list]) => {
    const items = list as CelList
    return new CelList(items.size, (index) => items.at(items.size - 1 - index))
  },
  'method distinct(list<A>): list<A>': ([list], call) => distinct(list as CelList, call),
}

function slice(list: CelList, start: bigint, end: bigint): CelList {
  const failed = (why: string): CelRuntimeError => new CelRuntimeError(`cannot slice(${start}, ${end}), ${why}`)
  if (start < 0n || end < 0n) throw failed('negative indexes not supported')
  if (start > end) throw failed('start index must be less than or equal to end index')
  if (end > list.size) throw failed(`list is length ${list.size}`)
  return new CelList(Number(end - start), (index) => list.at(index + Number(start)))
}

function flatten(list: CelList, depth: bigint, call: CelCall): CelList {
  const items: CelValue[] = []
  for (const item of list) {
    call.spend(1)
    if (item instanceof CelList && depth > 0n) items.push(...flatten(item, depth - 1n, call))
    else items.push(item)
  }
  return CelList.of(items)
}

function sort(list: CelList, keys: CelList): CelList {
  const types = new Set([...keys].map(typeNameOf))
  if (types.size > 1) throw new CelRuntimeError('list elements must have the same type')
  const order = [...keys].map((key, index) => ({ key, index }))
  const sorted = order.toSorted((a, b) => compareValues(a.key, b.key) ?? 0)
  return CelList.of(sorted.map(({ index }) => list.at(index)))
}

function distinct(list: CelList, call: CelCall): CelList {
  const found: CelValue[] = []
  for (const item of list) {
    call.spend(1 + found.length)
    if (!includes(CelList.of(found), item)) found.push(item)
  }
  return CelList.of(found)
}
