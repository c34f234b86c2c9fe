import { isListValue, isSequence, markSequence, type Value } from '../value.ts'
import { ofGiven } from './arguments.ts'
import type { Builtin, Call } from './builtin.ts'
import { payItems } from './cost.ts'
import { identify } from './identity.ts'

/** Functions on lists. Those that call a function for each item are with the higher-order ones. */
export const ARRAY_BUILTINS: readonly Builtin[] = [
  { name: 'count', signature: '<a:n>', run: (_call, args) => ((args[0] ?? []) as readonly Value[]).length },
  { name: 'append', signature: '<xx:a>', run: (call, args) => append(args[0], args[1], call) },
  { name: 'exists', signature: '<x:b>', run: (_call, args) => args[0] !== undefined },
  { name: 'distinct', signature: '<x:x>', run: ofGiven(distinct) },
  { name: 'reverse', signature: '<a:a>', run: ofGiven(reverse) },
  { name: 'zip', signature: '<a+>', run: zip },
]

/** One list after the other; what is not a list counts as a list of one. */
function append(first: Value, second: Value, { budget }: Pick<Call, 'budget'>): Value {
  if (first === undefined) return second
  if (second === undefined) return first
  const [left, right] = [toList(first), toList(second)]
  payItems(budget, left.length + right.length)
  return left.concat(right)
}

/** Nothing is an empty list; what is not a list, a list of one. */
export function toList(value: Value): readonly Value[] {
  if (value === undefined) return []
  return isListValue(value) ? value : [value]
}

function distinct(value: Value, { budget }: Call): Value {
  if (!isListValue(value) || value.length <= 1) return value
  payItems(budget, value.length)
  const seen = new Set<unknown>()
  const kept = value.filter((item) => {
    const identity = identify(item, budget)
    if (seen.has(identity)) return false
    seen.add(identity)
    return true
  })
  return isSequence(value) ? markSequence(kept) : kept
}

function reverse(items: readonly Value[], { budget }: Call): Value {
  if (items.length <= 1) return items
  payItems(budget, items.length)
  return items.toReversed()
}

/** As long as the shortest list; what is not a list has no items. */
function zip({ budget }: Call, lists: readonly Value[]): Value {
  const columns = lists.map((list) => (isListValue(list) ? list : []))
  const rows = columns.map(({ length }) => length).reduce((least, length) => Math.min(least, length))
  payItems(budget, rows * (columns.length + 1))
  return Array.from({ length: rows }, (_, row) => columns.map((column) => column[row]))
}
