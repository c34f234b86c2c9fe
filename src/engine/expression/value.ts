import type { JsonValue } from '../../core/base/json.ts'

/**
 * What flows through an evaluation: JSON, nothing (`undefined`), functions, regular expressions.
 *
 * A sequence (the result of a path) is an array that carries the mark of `markSequence`; it collapses to its only item
 * where JSONata says so. Marks are kept under a symbol, so no key of the data can forge one and no result shows it.
 */
export type Value = JsonValue | undefined | FunctionValue | readonly Value[] | { readonly [key: string]: Value }

/** Something that can be called: a lambda, a built-in, a partial application, a regular expression as matcher. */
export interface FunctionValue {
  readonly functionValue: true
  /** How many arguments it takes, for callers that offer more (`$map` gives value, index, list). */
  readonly arity: number
  /** Set when it came from a `/…/` literal: matches of `text`, in order. */
  readonly regex?: RegexValue | undefined
  call(args: readonly Value[], input: Value): Value
}

/** A compiled regular expression on the linear-time engine. */
export interface RegexValue {
  readonly source: string
  /** The first match at or after `from`, or `undefined`. */
  exec(text: string, from: number): RegexMatch | undefined
}

export interface RegexMatch {
  readonly match: string
  readonly start: number
  readonly end: number
  readonly groups: readonly (string | undefined)[]
}

export function isFunctionValue(value: unknown): value is FunctionValue {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as { functionValue?: unknown }).functionValue === true &&
    typeof (value as { call?: unknown }).call === 'function'
  )
}

/** An object of the data: not a list, not a function, not null. */
export function isObjectValue(value: Value): value is { readonly [key: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isFunctionValue(value)
}

/** `Array.isArray` that narrows a `Value`. */
export function isListValue(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

/** The marks an array can carry; each is one bit. */
export const MARK = {
  /** Made by a path: collapses to its only item. */
  sequence: 1,
  /** Written with `[]`: does not collapse. */
  keepSingleton: 2,
  /** Made by an array constructor within a path: not flattened into it. */
  constructed: 4,
  /** Items are `Tuple`s: bindings that travel with each item of a path (`@`, `#`, `%`). */
  tuples: 8,
  /** Holds a list that is the whole input, so that the list is one input. */
  outerWrapper: 16,
} as const

const MARKS = Symbol('marks')

interface Marked {
  [MARKS]?: number
}

/** Adds a mark to an array of this evaluation (never one of the input) and returns it. */
export function addMark<T extends readonly unknown[]>(items: T, mark: number): T {
  const marked = items as Marked
  marked[MARKS] = (marked[MARKS] ?? 0) | mark
  return items
}

export function hasMark(value: unknown, mark: number): boolean {
  return Array.isArray(value) && (((value as Marked)[MARKS] ?? 0) & mark) !== 0
}

/** Marks an array as a sequence and returns it. */
export function markSequence<T extends readonly unknown[]>(items: T): T {
  return addMark(items, MARK.sequence)
}

export function isSequence(value: unknown): value is readonly Value[] {
  return hasMark(value, MARK.sequence)
}

/** A new sequence of the given items. */
export function sequenceOf(...items: Value[]): Value[] {
  return addMark(items, MARK.sequence)
}
