import type { JsonValue } from '../base/json.ts'

/**
 * What flows through an evaluation: JSON, nothing (`undefined`), functions, regular expressions.
 *
 * A sequence (the result of a path) is an array that carries the mark of `markSequence`; it collapses to its only item
 * where JSONata says so. The mark is no property of the array, so results never show it.
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

const sequences = new WeakSet<object>()

/** Marks an array as a sequence and returns it. */
export function markSequence<T extends readonly unknown[]>(items: T): T {
  sequences.add(items)
  return items
}

export function isSequence(value: unknown): value is readonly Value[] {
  return Array.isArray(value) && sequences.has(value)
}
