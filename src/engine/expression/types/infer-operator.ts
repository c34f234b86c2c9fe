import { nearestName } from '../../../core/base/nearest-name.ts'
import type { BinaryNode, NegationNode, SyntaxNode } from '../syntax-tree.ts'
import { complainOfMissing } from './complain-of-missing.ts'
import { extentOf } from './extent.ts'
import type { Inference, Place } from './inference.ts'
import { joinedTexts } from './joined-texts.ts'
import {
  BOOLEAN,
  canBe,
  describeType,
  isAlways,
  itemsOf,
  listOf,
  NUMBER,
  optional,
  type Shape,
  TEXT,
  type Type,
} from './type.ts'

/** The type of what an operator yields. Complains of operands that it cannot take. */
export function inferOperator(node: BinaryNode, place: Place, inference: Inference): Type {
  const left = inference.infer(node.lhs, place)
  const rightPlace = node.value === 'and' || node.value === 'or' ? { ...place, guarded: true } : place
  const right = inference.infer(node.rhs, rightPlace)
  switch (node.value) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return arithmetic(node, [left, right], inference)
    case '&':
      complainOfMissing('&', node.lhs, left, { place, inference })
      complainOfMissing('&', node.rhs, right, { place, inference })
      return TEXT
    case '..':
      checkOperand('..', node.lhs, left, { inference, wanted: ['number'] })
      checkOperand('..', node.rhs, right, { inference, wanted: ['number'] })
      return optional(listOf(NUMBER))
    case '=':
    case '!=':
      return equality(node, [left, right], { place, inference })
    case 'in':
      checkComparable(node, [left, itemsOf(right)], inference)
      return BOOLEAN
    case '<':
    case '<=':
    case '>':
    case '>=':
      return order(node, [left, right], inference)
    default:
      return BOOLEAN
  }
}

export function inferNegation(node: NegationNode, place: Place, inference: Inference): Type {
  const operand = inference.infer(node.expression, place)
  checkOperand('-', node.expression, operand, { inference, wanted: ['number'] })
  return operand.optional ? optional(NUMBER) : NUMBER
}

type Operands = readonly [Type, Type]

function arithmetic(node: BinaryNode, [left, right]: Operands, inference: Inference): Type {
  if (node.value === '+' && (isJoin(node.lhs, left, right) || isJoin(node.rhs, right, left))) {
    complainOfSum(node, inference)
    return TEXT
  }
  const joined = joinedName(node, inference.source)
  const isKnown = left.shapes?.length !== 0 && right.shapes?.length !== 0
  const isWrong = [left, right].some((type) => !canBe(type, 'number'))
  if (joined !== undefined && isWrong && isKnown) complainOfSubtraction(node, joined, inference)
  else if (joined === undefined || isKnown) {
    checkOperand(node.value, node.lhs, left, { inference, wanted: ['number'] })
    checkOperand(node.value, node.rhs, right, { inference, wanted: ['number'] })
  }
  return left.optional || right.optional ? optional(NUMBER) : NUMBER
}

/** Whether texts are meant to be joined. A text that comes from elsewhere, beside a number, may be meant as a number. */
function isJoin(node: SyntaxNode, type: Type, other: Type): boolean {
  const isMadeHere = node.type === 'string' || node.type === 'binary'
  return isAlways(type, 'text') && (isMadeHere || !isAlways(other, 'number'))
}

/** Of sums within a sum the whole is reported: it stands at the same place. */
function complainOfSum(node: BinaryNode, inference: Inference): void {
  const { text, ...extent } = joinedTexts(node, inference.source)
  inference.complain({
    code: 'operand',
    severity: 'error',
    message: '`+` adds numbers, and there is text here',
    ...extent,
    hint: `texts are joined by \`&\`: write \`${text}\``,
  })
}

/** `node-port`, when that is how a subtraction of two paths is written. */
function joinedName({ value, lhs, rhs, position }: BinaryNode, source: string): string | undefined {
  if (value !== '-' || lhs.type !== 'path' || rhs.type !== 'path') return undefined
  const [before, after] = [lhs.steps.at(-1), rhs.steps[0]]
  if (before?.type !== 'name' || after.type !== 'name') return undefined
  const isJoined = !/\s/.test(source.charAt(position - 2)) && !/\s/.test(source.charAt(position))
  return isJoined ? `${before.value}-${after.value}` : undefined
}

function complainOfSubtraction({ position }: BinaryNode, joined: string, inference: Inference): void {
  inference.complain({
    code: 'subtraction',
    severity: 'error',
    message: '`-` subtracts, and there are no two numbers here',
    position: position - 1,
    length: 1,
    hint: `one name with \`-\` in it is written in backquotes: \`${joined}\``,
  })
}

interface Wanted {
  readonly inference: Inference
  readonly wanted: readonly Shape['kind'][]
}

function checkOperand(operator: string, node: SyntaxNode, type: Type, { inference, wanted }: Wanted): void {
  if (type.shapes?.length === 0 || canBe(type, ...wanted)) return
  const message = `\`${operator}\` takes ${wanted.length > 1 ? 'numbers or texts' : 'numbers'}, and this is ${describeType(type)}`
  const hint = isAlways(type, 'text')
    ? '`$number(…)` makes a number of a text, `$quantity(…)` of a quantity'
    : undefined
  inference.complain({ code: 'operand', severity: 'error', message, ...extentOf(node, inference.source), hint })
}

function order(node: BinaryNode, [left, right]: Operands, inference: Inference): Type {
  checkOperand(node.value, node.lhs, left, { inference, wanted: ['number', 'text'] })
  checkOperand(node.value, node.rhs, right, { inference, wanted: ['number', 'text'] })
  const isMixed = (one: Type, other: Type): boolean => isAlways(one, 'number') && isAlways(other, 'text')
  if (isMixed(left, right) || isMixed(right, left)) complainOfComparison(node, [left, right], inference)
  return left.optional || right.optional ? optional(BOOLEAN) : BOOLEAN
}

function equality(node: BinaryNode, types: Operands, walk: { place: Place; inference: Inference }): Type {
  checkComparable(node, types, walk.inference)
  if (node.value === '!=') {
    complainOfMissing('!=', node.lhs, types[0], walk)
    complainOfMissing('!=', node.rhs, types[1], walk)
  }
  return BOOLEAN
}

function checkComparable(node: BinaryNode, [left, right]: Operands, inference: Inference): void {
  if (left.shapes === undefined || right.shapes === undefined) return
  if (left.shapes.length === 0 || right.shapes.length === 0) return
  const kinds = new Set(left.shapes.map(({ kind }) => kind))
  if (!right.shapes.some(({ kind }) => kinds.has(kind))) {
    complainOfComparison(node, [left, right], inference)
    return
  }
  const [some, others] = [textsOf(left), textsOf(right)]
  if (some === undefined || others === undefined || some.some((text) => others.includes(text))) return
  complainOfTexts(node, some, others, inference)
}

/** The texts that a value can be, when it can be nothing else. */
function textsOf({ shapes = [] }: Type): readonly string[] | undefined {
  const [only] = shapes
  return shapes.length === 1 && only?.kind === 'text' ? only.values : undefined
}

function complainOfComparison(node: BinaryNode, [left, right]: Operands, inference: Inference): void {
  const what = node.value === '!=' ? 'is always true' : 'never holds'
  const message = `\`${node.value}\` ${what}: ${describeType(left)} on the left, ${describeType(right)} on the right`
  const position = node.position - node.value.length
  inference.complain({ code: 'comparison', severity: 'error', message, position, length: node.value.length })
}

function complainOfTexts(
  node: BinaryNode,
  some: readonly string[],
  others: readonly string[],
  inference: Inference,
): void {
  const [written, possible] = some.length === 1 ? [some, others] : [others, some]
  const text = written[0] as string
  const nearest = nearestName(text, possible)
  const isLiteral = written.length === 1 && possible.length > 1
  const what = node.value === '!=' ? 'is always true' : 'never holds'
  const message = `\`${node.value}\` ${what}: "${text}" is none of ${possible.join(', ')}`
  const hint = nearest === undefined || !isLiteral ? undefined : `did you mean "${nearest}"?`
  const severity = hint === undefined ? 'warning' : 'error'
  const literals = [node.lhs, node.rhs].flatMap((operand) => literalsOf(operand, text))
  const [meant = node] = hint !== undefined && literals.length === 1 ? literals : []
  const operator = { position: node.position - node.value.length, length: node.value.length }
  const place = meant === node ? operator : extentOf(meant, inference.source)
  inference.complain({ code: 'comparison', severity, message, ...place, hint })
}

/** Where a text is written of which an operand is, or may be, the value. */
function literalsOf(node: SyntaxNode, text: string): readonly SyntaxNode[] {
  switch (node.type) {
    case 'string':
      return node.value === text ? [node] : []
    case 'unary':
      return node.value === '[' ? node.expressions.flatMap((item) => literalsOf(item, text)) : []
    case 'block':
      return node.expressions.slice(-1).flatMap((last) => literalsOf(last, text))
    case 'condition':
      return [node.then, node.else].flatMap((branch) => (branch ? literalsOf(branch, text) : []))
    default:
      return []
  }
}
