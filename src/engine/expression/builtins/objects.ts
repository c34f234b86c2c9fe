import type { Budget } from '../compile/budget.ts'
import { ExpressionError } from '../expression-error.ts'
import { isFunctionValue, isListValue, isObjectValue, markSequence, type Value } from '../value.ts'
import { ofGiven, optionalText } from './arguments.ts'
import { toList } from './arrays.ts'
import type { Builtin, Call } from './builtin.ts'
import { builtinError } from './builtin-error.ts'
import { payItems } from './cost.ts'

/** Functions on objects, and on values of any type. */
export const OBJECT_BUILTINS: readonly Builtin[] = [
  { name: 'keys', signature: '<x-:a<s>>', run: ({ budget }, args) => markSequence(keysOf(args[0], budget)) },
  { name: 'lookup', signature: '<x-s:x>', run: ({ budget }, args) => lookup(args[0], optionalText(args, 1), budget) },
  { name: 'spread', signature: '<x-:a<o>>', run: (call, args) => spread(args[0], call) },
  { name: 'merge', signature: '<a<o>:o>', run: ofGiven(merge) },
  { name: 'type', signature: '<x:s>', run: ofGiven(typeOf) },
  {
    name: 'error',
    signature: '<s?:x>',
    run: (_call, args) => fail('D3137', optionalText(args, 0) || '$error() was called'),
  },
  { name: 'assert', signature: '<bs?:x>', run: assert },
]

type ObjectValue = { readonly [key: string]: Value }

/** Keys of an object; of a list, those of its objects, each once. */
function keysOf(value: Value, budget: Budget): string[] {
  budget.step()
  if (isObjectValue(value)) {
    const keys = Object.keys(value)
    payItems(budget, keys.length)
    return keys
  }
  return isListValue(value) ? Object.keys(allKeys(value, budget)) : []
}

/** As keys of an object, because the order is then the library's: whole numbers first. */
function allKeys(items: readonly Value[], budget: Budget): object {
  budget.enter()
  const all = emptyObject()
  for (const item of items) for (const key of keysOf(item, budget)) all[key] = true
  budget.leave()
  return all
}

function lookup(value: Value, key: string | undefined, budget: Budget): Value {
  budget.step()
  if (key === undefined) return undefined
  if (isListValue(value)) return lookupEach(value, key, budget)
  return isObjectValue(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function lookupEach(items: readonly Value[], key: string, budget: Budget): Value {
  budget.enter()
  const found: Value[] = []
  for (const item of items) {
    const values = toList(lookup(item, key, budget))
    payItems(budget, values.length)
    for (const value of values) found.push(value)
  }
  budget.leave()
  return markSequence(found)
}

function spread(value: Value, call: Call): Value {
  call.budget.step()
  if (isListValue(value)) return spreadEach(value, call)
  if (!isObjectValue(value)) return value
  const keys = keysOf(value, call.budget)
  payItems(call.budget, 4 * keys.length)
  return markSequence(keys.map((key) => singleton(key, value[key])))
}

/** A list, but a sequence when it has no items at all, as in the library. */
function spreadEach(items: readonly Value[], call: Call): Value {
  if (items.length === 0) return markSequence([])
  call.budget.enter()
  const all: Value[] = []
  for (const item of items) {
    const parts = toList(spread(item, call))
    payItems(call.budget, parts.length)
    for (const part of parts) all.push(part)
  }
  call.budget.leave()
  return all
}

function singleton(key: string, value: Value): ObjectValue {
  const object = emptyObject()
  object[key] = value
  return object
}

function merge(objects: readonly ObjectValue[], { budget }: Call): Value {
  const merged = emptyObject()
  for (const object of objects) {
    const keys = keysOf(object, budget)
    for (const key of keys) merged[key] = object[key]
  }
  return merged
}

/** Without prototype: `__proto__` is a key like any other. */
function emptyObject(): Record<string, Value> {
  return Object.create(null)
}

function typeOf(value: Value): string {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw builtinError('D1001')
    return 'number'
  }
  if (value === null) return 'null'
  if (typeof value !== 'object') return typeof value
  if (Array.isArray(value)) return 'array'
  return isFunctionValue(value) ? 'function' : 'object'
}

function assert(_call: Call, args: readonly Value[]): undefined {
  if (!args[0]) fail('D3141', optionalText(args, 1) || '$assert() does not hold')
}

/** The author's own words. */
function fail(code: 'D3137' | 'D3141', message: string): never {
  throw new ExpressionError('evaluation', code, message)
}
