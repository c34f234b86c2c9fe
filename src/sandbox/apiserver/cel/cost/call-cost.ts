import { type CelType, sameType } from '../cel-type.ts'
import type { Expr } from '../expr.ts'
import { add, fixed, multiply, NOTHING, type Range, scale } from './size.ts'

/** An argument of a call; of a method, the receiver is the first. */
export interface Operand {
  readonly expr: Expr
  readonly type: CelType
  readonly size: Range
  /** Of its items, as declared. */
  readonly elementSize: Range
}

export interface CallCost {
  readonly cost: Range
  /** Of the result, where more is known than from its type. */
  readonly size?: Range
}

/** To walk through a text once costs a tenth a character. */
const TRAVERSAL = 0.1
const REGEX = 0.25

/** What a function costs by itself. */
export function callCost(name: string, signature: string, operands: readonly Operand[]): CallCost {
  return COSTS[signature]?.(operands) ?? COSTS[name]?.(operands) ?? { cost: fixed(1) }
}

type Cost = (operands: readonly Operand[]) => CallCost

function sizeAt(operands: readonly Operand[], at: number): Range {
  return operands[at]?.size ?? NOTHING
}

/** In one go, or several, through the first argument. */
function traversal(times = 1): Cost {
  return (operands) => ({ cost: scale(sizeAt(operands, 0), times * TRAVERSAL) })
}

function sameSize(operands: readonly Operand[]): CallCost {
  const size = sizeAt(operands, 0)
  return { cost: scale(size, TRAVERSAL), size }
}

function matching(operands: readonly Operand[]): CallCost {
  const text = scale(add(sizeAt(operands, 0), fixed(1)), TRAVERSAL)
  return { cost: multiply(text, scale(sizeAt(operands, 1), REGEX)) }
}

function finding(operands: readonly Operand[]): CallCost {
  return { ...matching(operands), size: { min: 0, max: sizeAt(operands, 0).max } }
}

/** Only `==` knows that some types are quickly compared. */
function equal(operands: readonly Operand[]): CallCost {
  const [left, right] = operands
  const isQuick = left && right && QUICK.has(left.type.name) && sameType(left.type, right.type)
  return isQuick ? { cost: fixed(1) } : comparing(operands)
}

function comparing(operands: readonly Operand[]): CallCost {
  const max = Math.min(sizeAt(operands, 0).max, sizeAt(operands, 1).max)
  return { cost: scale({ min: max > 0 ? 1 : 0, max }, TRAVERSAL) }
}

const QUICK = new Set(['net.IP', 'net.CIDR', 'kubernetes.Quantity', 'kubernetes.Semver'])

function joiningTexts(operands: readonly Operand[]): CallCost {
  const size = add(sizeAt(operands, 0), sizeAt(operands, 1))
  return { cost: scale(size, TRAVERSAL), size }
}

/** Functions that look at each item once. */
function eachItem(operands: readonly Operand[]): CallCost {
  const [list] = operands
  const element = list?.type.params[0]
  if (!list || !element) return traversal()(operands)
  const isText = element.kind === 'string' || element.kind === 'bytes'
  const cost = isText ? add(fixed(1), scale(list.elementSize, TRAVERSAL)) : fixed(1)
  return { cost: multiply(list.size, cost) }
}

function newList(factor: number, size: Range): CallCost {
  return { cost: add(scale(size, factor), fixed(11)), size }
}

function sorting(by: number): Cost {
  return (operands) => {
    const size = sizeAt(operands, by)
    const kind = operands[by]?.type.params[0]?.kind
    return newList(kind === 'string' || kind === 'bytes' ? 2 + TRAVERSAL : 2, multiply(size, size))
  }
}

function asSets(factor: number): Cost {
  return (operands) => ({ cost: add(scale(multiply(sizeAt(operands, 0), sizeAt(operands, 1)), factor), fixed(1)) })
}

function replacing(operands: readonly Operand[]): CallCost {
  const [text, old, by] = [sizeAt(operands, 0), sizeAt(operands, 1), sizeAt(operands, 2)]
  const most = replaced(text.max, old.min, by.max <= old.min)
  const least = replaced(text.min, old.max, old.max <= by.min)
  const count = { min: least.count, max: most.count }
  const kept = { min: least.kept, max: most.kept }
  return { cost: scale(text, 2 * TRAVERSAL), size: add(multiply(count, by), kept) }
}

function replaced(text: number, old: number, keepsSize: boolean): { readonly count: number; readonly kept: number } {
  if (old === 0) return { count: text + 1, kept: text }
  return keepsSize ? { count: 0, kept: text } : { count: Math.ceil(text / old), kept: 0 }
}

function splitting(operands: readonly Operand[]): CallCost {
  const limit = literalInt(operands[2])
  const text = sizeAt(operands, 0)
  return { cost: scale(text, 2 * TRAVERSAL), size: { min: 0, max: limit ?? text.max } }
}

function joining(operands: readonly Operand[]): CallCost {
  const list = operands[0] as Operand
  const { min, max } = list.size
  const separators = { min: Math.max(0, min - 1), max: Math.max(0, max - 1) }
  const size = add(multiply(list.size, list.elementSize), multiply(sizeAt(operands, 1), separators))
  return { cost: scale(size, TRAVERSAL), size }
}

const ADDRESS_SIZE: Range = { min: 4, max: 16 }

function containing(isCidr: boolean): Cost {
  return (operands) => {
    const both = scale(add(ADDRESS_SIZE, ADDRESS_SIZE), TRAVERSAL)
    const masks = isCidr ? add(scale(ADDRESS_SIZE, TRAVERSAL), fixed(1)) : NOTHING
    const isText = operands[1]?.type.kind === 'string'
    return { cost: add(both, masks, isText ? scale(sizeAt(operands, 1), TRAVERSAL) : NOTHING) }
  }
}

/** A selector is a list of requirements; the shortest that counts takes two characters. */
function selecting(operands: readonly Operand[]): CallCost {
  const text = sizeAt(operands, 1)
  return { cost: add(fixed(10), scale(text, TRAVERSAL), scale(scale(text, 0.5), 50)) }
}

function literalInt(operand: Operand | undefined): number | undefined {
  const value = operand?.expr.kind === 'literal' ? operand.expr.value : undefined
  return typeof value === 'bigint' ? Number(value) : undefined
}

const MAX_FORMAT_PATTERN = 128

/** By signature, or by name for all signatures of a function. */
const COSTS: Readonly<Record<string, Cost>> = {
  '@in(A, list<A>): bool': (operands) => ({ cost: sizeAt(operands, 1) }),
  '_==_': equal,
  '_!=_': comparing,
  ...Object.fromEntries(
    ['_<_', '_<=_', '_>_', '_>=_'].flatMap((name) =>
      ['string', 'bytes'].map((type) => [`${name}(${type}, ${type}): bool`, comparing]),
    ),
  ),
  '_+_(string, string): string': joiningTexts,
  '_+_(bytes, bytes): bytes': joiningTexts,
  '_+_(list<A>, list<A>): list<A>': (operands) => ({
    cost: fixed(1),
    size: add(sizeAt(operands, 0), sizeAt(operands, 1)),
  }),
  'bytes(string): bytes': (operands) => {
    const { min, max } = sizeAt(operands, 0)
    return { cost: scale({ min, max }, TRAVERSAL), size: { min, max: max * 4 } }
  },
  'string(bytes): string': (operands) => {
    const { min, max } = sizeAt(operands, 0)
    return { cost: scale({ min, max }, TRAVERSAL), size: { min: min / 4, max } }
  },
  'strings.quote': (operands) => {
    const { min, max } = sizeAt(operands, 0)
    return { cost: scale({ min, max }, TRAVERSAL), size: { min: min + 2, max: max * 2 + 2 } }
  },
  check: () => ({ cost: fixed(350_000) }),
  fieldSelector: selecting,
  labelSelector: selecting,
  format: traversal(),
  startsWith: (operands) => ({ cost: scale(sizeAt(operands, 1), TRAVERSAL) }),
  endsWith: (operands) => ({ cost: scale(sizeAt(operands, 1), TRAVERSAL) }),
  contains: (operands) => ({
    cost: multiply(scale(sizeAt(operands, 0), TRAVERSAL), scale(sizeAt(operands, 1), TRAVERSAL)),
  }),
  matches: matching,
  find: finding,
  findAll: finding,
  isSorted: eachItem,
  sum: eachItem,
  max: eachItem,
  min: eachItem,
  indexOf: eachItem,
  lastIndexOf: eachItem,
  url: sameSize,
  'jsonpatch.escapeKey': sameSize,
  lowerAscii: sameSize,
  upperAscii: sameSize,
  substring: sameSize,
  trim: sameSize,
  replace: replacing,
  split: splitting,
  join: joining,
  cidr: traversal(),
  isIP: traversal(),
  isCIDR: traversal(),
  'ip(string): net.IP': traversal(),
  'ip.isCanonical': traversal(2),
  containsIP: containing(false),
  containsCIDR: containing(true),
  quantity: traversal(),
  isQuantity: traversal(),
  semver: traversal(),
  isSemver: traversal(),
  validate: (operands) => ({ cost: scale(scale(sizeAt(operands, 1), TRAVERSAL), MAX_FORMAT_PATTERN * REGEX) }),
  slice: (operands) => {
    const end = literalInt(operands[2]) ?? sizeAt(operands, 0).max
    return newList(1, fixed(end - (literalInt(operands[1]) ?? 0)))
  },
  flatten: (operands) => {
    const depth = operands.length > 1 ? (literalInt(operands[1]) ?? Number.POSITIVE_INFINITY) : 1
    return newList(depth, sizeAt(operands, 0))
  },
  sort: sorting(0),
  '@sortByAssociatedKeys': sorting(1),
  'lists.range': (operands) => newList(1, fixed(literalInt(operands[0]) ?? Number.POSITIVE_INFINITY)),
  reverse: (operands) => newList(1, sizeAt(operands, 0)),
  distinct: (operands) => newList(2, multiply(sizeAt(operands, 0), sizeAt(operands, 0))),
  'sets.contains': asSets(1),
  'sets.intersects': asSets(1),
  'sets.equivalent': asSets(2),
}
