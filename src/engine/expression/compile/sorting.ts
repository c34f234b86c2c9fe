import { ExpressionError } from '../expression-error.ts'
import type { SortNode } from '../syntax-tree.ts'
import { hasMark, MARK, type Value } from '../value.ts'
import type { Code, Compiler } from './code.ts'
import type { Frame } from './frame.ts'
import { mergeSort } from './merge-sort.ts'
import { frameOf, type Tuple } from './tuple.ts'

/** `^(a, >b)` on a list: of values, or of tuples. A list of less than two items is handed back as it is. */
export function compileSort(node: SortNode, compiler: Compiler): (frame: Frame, items: Value) => Value {
  const terms = node.terms.map((term) => ({ code: compiler.compile(term.expression), descending: term.descending }))
  return (frame, value) => {
    const items = value as readonly Value[]
    if (items.length <= 1) return items
    const tuples = hasMark(items, MARK.tuples)
    const rows = items.map((item) => new Row(item, tuples ? tupleContext(frame, item) : { frame, input: item }))
    frame.run.budget.allocate(32 * rows.length)
    const isAfter = (left: Row, right: Row) => compareRows(left, right, { terms, node }) === 1
    return mergeSort(rows, isAfter, frame.run.budget).map((row) => row.item)
  }
}

interface Term {
  readonly code: Code
  readonly descending: boolean
}

interface Context {
  readonly frame: Frame
  readonly input: Value
}

/** An item with the values of its terms, each evaluated when it is first needed. */
class Row {
  readonly item: Value
  readonly #context: Context
  readonly #keys: Value[] = []

  constructor(item: Value, context: Context) {
    this.item = item
    this.#context = context
  }

  key(index: number, term: Term): Value {
    while (this.#keys.length <= index) this.#keys.push(term.code(this.#context.frame, this.#context.input))
    return this.#keys[index]
  }
}

function tupleContext(frame: Frame, item: Value): Context {
  const tuple = item as unknown as Tuple
  return { frame: frameOf(frame, tuple), input: tuple['@'] }
}

function compareRows(left: Row, right: Row, order: { terms: readonly Term[]; node: SortNode }): number {
  for (const [index, term] of order.terms.entries()) {
    const result = compareKeys(left.key(index, term), right.key(index, term), order.node)
    if (result !== 0) return result * (term.descending && Math.abs(result) === 1 ? -1 : 1) > 0 ? 1 : -1
  }
  return 0
}

/** 1 when left belongs behind right, -1 when before; ±2 when a missing one decides, which is last in either direction. */
function compareKeys(left: Value, right: Value, node: SortNode): number {
  if (left === undefined) return right === undefined ? 0 : 2
  if (right === undefined) return -2
  if (!isSortable(left) || !isSortable(right)) throw sortError('T2008', 'only numbers and texts can be sorted', node)
  if (typeof left !== typeof right) throw sortError('T2007', 'numbers and texts cannot be sorted together', node)
  if (left === right) return 0
  return left < right ? -1 : 1
}

function isSortable(value: Value): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function sortError(code: string, message: string, node: SortNode): ExpressionError {
  return new ExpressionError('type', code, message, { position: node.position })
}
