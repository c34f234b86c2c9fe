import { ExpressionError } from '../expression-error.ts'
import type { Group, ObjectNode } from '../syntax-tree.ts'
import { hasMark, isListValue, MARK, type Value } from '../value.ts'
import { Appended } from './appended.ts'
import type { Budget } from './budget.ts'
import type { Code, Compiler } from './code.ts'
import type { Frame } from './frame.ts'
import { frameOf, type Tuple, tupleOf } from './tuple.ts'

/** Bytes that a field of an object is charged for. */
const FIELD_BYTES = 48
/** And the object itself, which is a table of fields. */
const OBJECT_BYTES = 128

/** Steps for a key that is computed: a group is made for it, and found again. */
const KEY_STEPS = 8

interface Pair {
  readonly key: Code
  readonly value: Code
}

/** The items that yielded one key, and which pair it came from. */
interface KeyGroup {
  readonly pair: number
  readonly items: Appended
}

type Fields = { [key: string]: Value }

/** `{…}` on its own: with literal keys and a single context item, the values are all there is to do. */
export function compileObject(node: ObjectNode, compiler: Compiler): Code {
  const pairs = compilePairs(node, compiler)
  const general = compileGrouping({ group: node, pairs })
  const keys = node.lhs.map(([key]) => (key.type === 'string' ? String(key.value) : undefined))
  if (keys.includes(undefined) || new Set(keys).size < keys.length || keys.some(isReserved)) return general
  const fields = pairs.map((pair, index) => ({ key: keys[index] as string, value: pair.value }))
  return (frame, input) => {
    if (isListValue(input)) return general(frame, input)
    const { budget } = frame.run
    budget.step(1 + fields.length)
    budget.allocate(OBJECT_BYTES + FIELD_BYTES * fields.length)
    const object: Fields = Object.create(null)
    for (const field of fields) {
      const value = field.value(frame, input)
      if (value !== undefined) object[field.key] = value
    }
    return object
  }
}

/** `…{key: value}`: items with the same key together, then one value for each key. */
export function compileGroup(group: Group, compiler: Compiler): Code {
  return compileGrouping({ group, pairs: compilePairs(group, compiler) })
}

function compilePairs(group: Group, compiler: Compiler): readonly Pair[] {
  return group.lhs.map(([key, value]) => ({ key: compiler.compile(key), value: compiler.compile(value) }))
}

function compileGrouping(grouping: Grouping): Code {
  return (frame, input) => {
    const isTupleList = hasMark(input, MARK.tuples)
    const found = isListValue(input) ? input : [input]
    // An empty list still makes one object, with nothing as its context.
    const items = found.length === 0 && !isTupleList ? [undefined] : found
    frame.run.budget.allocate(OBJECT_BYTES)
    const groups = groupByKey(frame, items, { ...grouping, isTupleList })
    const object: Fields = Object.create(null)
    for (const [key, { pair, items: grouped }] of groups) {
      const context = isTupleList ? reduceTuples(frame, grouped.value) : { frame, input: grouped.value }
      const value = grouping.pairs[pair]?.value(context.frame, context.input)
      if (value !== undefined) object[key] = value
    }
    return object
  }
}

interface Grouping {
  readonly group: Group
  readonly pairs: readonly Pair[]
}

function groupByKey(
  frame: Frame,
  items: readonly Value[],
  by: Grouping & { isTupleList: boolean },
): ReadonlyMap<string, KeyGroup> {
  const groups = new Map<string, KeyGroup>()
  const { budget } = frame.run
  for (const item of items) {
    const tuple = by.isTupleList ? (item as unknown as Tuple) : undefined
    const context = tuple === undefined ? { frame, input: item } : { frame: frameOf(frame, tuple), input: tuple['@'] }
    by.pairs.forEach((pair, index) => {
      budget.step(KEY_STEPS)
      const key = checkKey(pair.key(context.frame, context.input), by.group)
      if (key !== undefined) addToGroup(groups, { key, index, item }, { group: by.group, budget })
    })
  }
  return groups
}

function addToGroup(
  groups: Map<string, KeyGroup>,
  found: { key: string; index: number; item: Value },
  { group, budget }: { group: Group; budget: Budget },
): void {
  const known = groups.get(found.key)
  if (known === undefined) {
    budget.allocate(FIELD_BYTES)
    groups.set(found.key, { pair: found.index, items: new Appended(budget, found.item) })
    return
  }
  if (known.pair !== found.index) {
    const message = 'two key expressions of an object yield the same key'
    throw new ExpressionError('evaluation', 'D1009', message, { position: group.position })
  }
  known.items.add(found.item)
}

function checkKey(key: Value, group: Group): string | undefined {
  if (key === undefined) return undefined
  if (typeof key !== 'string') {
    throw new ExpressionError('type', 'T1003', 'the key of an object is not a text', { position: group.position })
  }
  if (isReserved(key))
    throw new ExpressionError('evaluation', 'D1013', 'the key is reserved', { position: group.position })
  return key
}

/** The library's own marks: it refuses them as keys. */
function isReserved(key: unknown): boolean {
  return key === '_jsonata_lambda' || key === '_jsonata_function'
}

/** The tuples of a group as one: what each name was bound to, in a list where it was several. */
function reduceTuples(frame: Frame, grouped: Value): { frame: Frame; input: Value } {
  const tuples = (isListValue(grouped) ? grouped : [grouped]) as unknown as readonly Tuple[]
  const merged = new Map<string, Appended>()
  for (const tuple of tuples) {
    for (const name of Object.keys(tuple)) {
      const values = merged.get(name)
      if (values === undefined) merged.set(name, new Appended(frame.run.budget, tuple[name]))
      else values.add(tuple[name])
    }
  }
  const reduced = tupleOf()
  for (const [name, values] of merged) reduced[name] = values.value
  const { '@': input, ...names } = reduced
  return { frame: frameOf(frame, tupleOf(names)), input }
}
