import { mergeSort } from '../compile/merge-sort.ts'
import { isNumeric } from '../compile/numeric.ts'
import { ExpressionError } from '../expression-error.ts'
import { type FunctionValue, markSequence, type Value } from '../value.ts'
import { ofGiven } from './arguments.ts'
import { toBoolean } from './booleans.ts'
import type { Builtin, Call } from './builtin.ts'
import { builtinError } from './builtin-error.ts'
import { payItems } from './cost.ts'

/** Functions that take functions. `$match $replace` and their like are with the regular expressions. */
export const HIGHER_ORDER_BUILTINS: readonly Builtin[] = [
  { name: 'map', signature: '<af>', run: ofGiven(map) },
  { name: 'filter', signature: '<af>', run: ofGiven(filter) },
  { name: 'single', signature: '<af?>', run: ofGiven(single) },
  { name: 'reduce', signature: '<afj?:j>', run: ofGiven(reduce) },
  { name: 'each', signature: '<o-f:a>', run: each },
  { name: 'sift', signature: '<o-f?:o>', run: sift },
  { name: 'sort', signature: '<af?:a>', run: ofGiven(sort) },
]

type Fields = { readonly [key: string]: Value }

function map(items: readonly Value[], call: Call, args: readonly Value[]): Value {
  const callee = functionOf(args)
  const results: Value[] = []
  items.forEach((item, index) => {
    const result = call.apply(callee, [item, index, items])
    if (result !== undefined) results.push(result)
  })
  payItems(call.budget, results.length)
  return markSequence(results)
}

function filter(items: readonly Value[], call: Call, args: readonly Value[]): Value {
  const callee = functionOf(args)
  const kept = items.filter((item, index) => toBoolean(call.apply(callee, [item, index, items]), call.budget))
  payItems(call.budget, kept.length)
  return markSequence(kept)
}

/** The one item that the function accepts; none or several is an error. */
function single(items: readonly Value[], call: Call, args: readonly Value[]): Value {
  const callee = args[1] === undefined ? undefined : functionOf(args)
  let found: { readonly item: Value } | undefined
  items.forEach((item, index) => {
    call.budget.step()
    if (callee !== undefined && !toBoolean(call.apply(callee, [item, index, items]), call.budget)) return
    if (found !== undefined) throw new ExpressionError('evaluation', 'D3138', '$single finds more than one item')
    found = { item }
  })
  if (found === undefined) throw new ExpressionError('evaluation', 'D3139', '$single finds no item')
  return (found as { readonly item: Value }).item
}

function reduce(items: readonly Value[], call: Call, args: readonly Value[]): Value {
  const callee = functionOf(args)
  if (callee.arity < 2) {
    throw new ExpressionError('evaluation', 'D3050', 'the function given to $reduce takes less than two arguments')
  }
  const startsWithItem = args[2] === undefined && items.length > 0
  let result = startsWithItem ? items[0] : args[2]
  for (let index = startsWithItem ? 1 : 0; index < items.length; index += 1) {
    result = call.apply(callee, [result, items[index], index, items])
  }
  return result
}

function each(call: Call, args: readonly Value[]): Value {
  const fields = (args[0] ?? {}) as Fields
  const callee = functionOf(args)
  const results: Value[] = []
  for (const key of Object.keys(fields)) {
    const result = call.apply(callee, [fields[key], key, fields])
    if (result !== undefined) results.push(result)
  }
  payItems(call.budget, results.length)
  return markSequence(results)
}

/** The fields that the function accepts; nothing when there is none. */
function sift(call: Call, args: readonly Value[]): Value {
  const fields = (args[0] ?? {}) as Fields
  const keys = Object.keys(fields)
  if (keys.length === 0) return undefined
  const callee = functionOf(args)
  const kept: { [key: string]: Value } = Object.create(null)
  for (const key of keys) {
    if (toBoolean(call.apply(callee, [fields[key], key, fields]), call.budget)) kept[key] = fields[key]
  }
  const count = Object.keys(kept).length
  payItems(call.budget, count)
  return count === 0 ? undefined : kept
}

function sort(items: readonly Value[], call: Call, args: readonly Value[]): Value {
  if (items.length <= 1) return items
  payItems(call.budget, items.length)
  if (args[1] !== undefined) return sortBy(items, call, functionOf(args))
  if (items.every((item) => typeof item === 'string') || areNumbers(items)) {
    return mergeSort(items as readonly (string | number)[], (left, right) => left > right, call.budget)
  }
  throw new ExpressionError(
    'evaluation',
    'D3070',
    '$sort alone sorts numbers or texts: give it a function to compare with',
  )
}

/** Any answer that JavaScript takes for true puts the first of two behind the second, as in the library. */
function sortBy(items: readonly Value[], call: Call, callee: FunctionValue): Value {
  return mergeSort(items, (left, right) => Boolean(callee.call([left, right], null)), call.budget)
}

/** Every item is looked at: an infinite one is an error, also after an item that is not a number. */
function areNumbers(items: readonly Value[]): boolean {
  return items.filter((item) => !isNumeric(item)).length === 0
}

/** The signature lets it be missing in some functions, where the library fails without a word. */
function functionOf(args: readonly Value[]): FunctionValue {
  const callee = args[1]
  if (callee === undefined) throw builtinError('T0410')
  return callee as FunctionValue
}
