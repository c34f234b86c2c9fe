import type { CelCall } from '../environment.ts'
import { includes } from '../equality.ts'
import type { FunctionTable } from '../signature.ts'
import type { CelList, CelValue } from '../values.ts'

/** Lists as sets. */
export const SETS: FunctionTable = {
  'sets.contains(list<A>, list<A>): bool': ([list, part], call) => containsAll(listOf(list), listOf(part), call),
  'sets.equivalent(list<A>, list<A>): bool': ([a, b], call) =>
    containsAll(listOf(a), listOf(b), call) && containsAll(listOf(b), listOf(a), call),
  'sets.intersects(list<A>, list<A>): bool': ([a, b], call) => {
    call.spend(listOf(a).size * listOf(b).size)
    return [...listOf(b)].some((item) => includes(listOf(a), item))
  },
}

function listOf(value: CelValue | undefined): CelList {
  return value as CelList
}

function containsAll(list: CelList, part: CelList, call: CelCall): boolean {
  call.spend(list.size * part.size)
  return [...part].every((item) => includes(list, item))
}
