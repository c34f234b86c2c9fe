import { toBoolean } from '../builtins/booleans.ts'
import { printValue } from '../builtins/print-value.ts'
import { ExpressionError } from '../expression-error.ts'
import type { BinaryNode, NegationNode } from '../syntax-tree.ts'
import { isListValue, markSequence, type Value } from '../value.ts'
import type { Budget } from './budget.ts'
import type { Code, Compiler } from './code.ts'
import { isDeepEqual } from './equality.ts'
import { isNumeric } from './numeric.ts'

/** What an operator makes of its two values. */
type Operator = (left: Value, right: Value, budget: Budget) => Value

const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['+', arithmetic((left, right) => left + right)],
  ['-', arithmetic((left, right) => left - right)],
  ['*', arithmetic((left, right) => left * right)],
  ['/', arithmetic((left, right) => left / right)],
  ['%', arithmetic((left, right) => left % right)],
  ['<', comparison((left, right) => left < right)],
  ['<=', comparison((left, right) => left <= right)],
  ['>', comparison((left, right) => left > right)],
  ['>=', comparison((left, right) => left >= right)],
  ['=', (left, right, budget) => exist(left, right) && isDeepEqual(left, right, budget)],
  ['!=', (left, right, budget) => exist(left, right) && !isDeepEqual(left, right, budget)],
  ['&', concatenate],
  ['..', range],
  ['in', includes],
])

/** `a + b`, `a = b`, `a & b`, `a..b`, `a and b`, … */
export function compileBinary(node: BinaryNode, compiler: Compiler): Code {
  const left = compiler.compile(node.lhs)
  const right = compiler.compile(node.rhs)
  if (node.value === 'and' || node.value === 'or') return compileLogic(node, [left, right], compiler)
  const operator = OPERATORS.get(node.value) as Operator
  return (frame, input) => {
    const { budget } = frame.run
    const leftValue = left(frame, input)
    const rightValue = right(frame, input)
    budget.step()
    try {
      return operator(leftValue, rightValue, budget)
    } catch (error) {
      throw placeAt(node, error)
    }
  }
}

function compileLogic(node: BinaryNode, [left, right]: readonly [Code, Code], compiler: Compiler): Code {
  const stopsAt = node.value === 'or'
  const took = compiler.branch(stopsAt ? 'or' : 'and', node.position)
  return (frame, input) => {
    const { budget } = frame.run
    const leftValue = left(frame, input)
    budget.step()
    try {
      const stops = toBoolean(leftValue, budget) === stopsAt
      took?.(stops ? 0 : 1)
      return stops ? stopsAt : toBoolean(right(frame, input), budget)
    } catch (error) {
      // An error on the right is reported at the place of the operator, because the JSONata library does so.
      throw placeAt(node, error)
    }
  }
}

/** `-a` */
export function compileNegation(node: NegationNode, compiler: Compiler): Code {
  const operand = compiler.compile(node.expression)
  return (frame, input) => {
    const value = operand(frame, input)
    if (value === undefined) return undefined
    if (isNumeric(value)) return -value
    const at = { position: node.position, token: node.value }
    throw new ExpressionError('evaluation', 'D1002', 'what is negated is not a number', at)
  }
}

function placeAt(node: BinaryNode, error: unknown): unknown {
  if (error instanceof ExpressionError) error.place(node.position, node.value)
  return error
}

function exist(left: Value, right: Value): boolean {
  return left !== undefined && right !== undefined
}

function arithmetic(compute: (left: number, right: number) => number): Operator {
  return (left, right) => {
    if (left !== undefined && !isNumeric(left)) throw typeError('T2001', 'the left side must be a number')
    if (right !== undefined && !isNumeric(right)) throw typeError('T2002', 'the right side must be a number')
    return left === undefined || right === undefined ? undefined : compute(left, right)
  }
}

function comparison(compare: (left: string | number, right: string | number) => boolean): Operator {
  return (left, right, budget) => {
    if (!isComparable(left) || !isComparable(right)) throw typeError('T2010', 'only numbers and texts can be compared')
    if (left === undefined || right === undefined) return undefined
    if (typeof left !== typeof right) throw typeError('T2009', 'a number and a text cannot be compared')
    if (typeof left === 'string') budget.step(1 + (left.length >>> 6))
    return compare(left, right)
  }
}

function isComparable(value: Value): value is string | number | undefined {
  return value === undefined || typeof value === 'string' || typeof value === 'number'
}

/** What a string costs beside its characters. */
const STRING_BYTES = 32

/** Long texts are not copied when they are joined, so only the shorter one is paid: no text outgrows what was paid. */
function concatenate(left: Value, right: Value, budget: Budget): string {
  const leftText = printValue(left, { budget })
  const rightText = printValue(right, { budget })
  budget.allocate(STRING_BYTES + 2 * Math.min(leftText.length, rightText.length))
  return leftText + rightText
}

const MAX_RANGE = 1e7

function range(from: Value, to: Value, budget: Budget): Value {
  if (from !== undefined && !Number.isInteger(from)) throw typeError('T2003', 'the left side must be an integer')
  if (to !== undefined && !Number.isInteger(to)) throw typeError('T2004', 'the right side must be an integer')
  if (typeof from !== 'number' || typeof to !== 'number' || from > to) return undefined
  const size = to - from + 1
  if (size > MAX_RANGE) throw new ExpressionError('evaluation', 'D2014', 'the range has more than ten million items')
  budget.step(size)
  budget.allocate(8 * size)
  const items: number[] = []
  for (let item = from; items.length < size; item += 1) items.push(item)
  return markSequence(items)
}

function includes(item: Value, list: Value, budget: Budget): boolean {
  if (item === undefined || list === undefined) return false
  if (!isListValue(list)) return item === list
  budget.step(list.length * (typeof item === 'string' ? 1 + (item.length >>> 6) : 1))
  return list.some((candidate) => candidate === item)
}

function typeError(code: string, message: string): ExpressionError {
  return new ExpressionError('type', code, message)
}
