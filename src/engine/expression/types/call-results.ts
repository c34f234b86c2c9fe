import {
  ANY,
  BOOLEAN,
  definite,
  FUNCTION,
  isAlways,
  itemsOf,
  listOf,
  NUMBER,
  oneOf,
  optional,
  record,
  SOME_OBJECT,
  sequenceOf,
  TEXT,
  type Type,
  union,
} from './type.ts'

type Result = (args: readonly Type[]) => Type

/** Functions with results that are known better than their signatures say. */
export const RESULTS: ReadonlyMap<string, Result> = new Map<string, Result>([
  ['filter', ([list = ANY]) => sequenceOf(itemsOf(list))],
  ['distinct', ([list = ANY]) => (isAlways(list, 'list') ? sequenceOf(itemsOf(list)) : same([list]))],
  ['reverse', same],
  ['sort', same],
  ['string', ([value = ANY]) => (isAlways(value, 'boolean') ? oneOf(['true', 'false']) : TEXT)],
  ['keys', () => sequenceOf(TEXT)],
  ['append', ([left = ANY, right = ANY]) => appended(left, right)],
  ['entries', () => listOf(record({ key: TEXT, value: ANY }))],
  ['split', () => listOf(TEXT)],
  ['condition', () => optional(SOME_OBJECT)],
  // What is not an object it gives back as it is.
  ['spread', () => ANY],
  ['merge', () => SOME_OBJECT],
  ['mergeDeep', () => SOME_OBJECT],
  ['sift', () => optional(SOME_OBJECT)],
  ['max', () => optional(NUMBER)],
  ['min', () => optional(NUMBER)],
  ['average', () => optional(NUMBER)],
])

/** Items of the same type, in a list or, perhaps, alone. */
function same([list = ANY]: readonly Type[]): Type {
  return sequenceOf(itemsOf(list), list.collapses)
}

function appended(left: Type, right: Type): Type {
  const items = union([itemsOf(left), itemsOf(right)])
  const isList = (type: Type): boolean => isAlways(type, 'list') && !type.optional
  if (isList(left) && isList(right)) return listOf(items)
  return sequenceOf(items, left.collapses || right.collapses)
}

/** What stands behind the colon of a signature. A list may be one value that collapsed, for all that is known. */
export function resultOf(definition: string): Type {
  const result = /:([a-z])(?:<([a-z])>)?>$/.exec(definition)
  if (result === null) return ANY
  const [, letter = '', item] = result
  if (letter !== 'a') return LETTERS[letter] ?? ANY
  const items = item === undefined ? ANY : (LETTERS[item] ?? ANY)
  return definite(sequenceOf(items, false))
}

const LETTERS: Readonly<Record<string, Type>> = { s: TEXT, n: NUMBER, b: BOOLEAN, o: SOME_OBJECT, f: FUNCTION }
