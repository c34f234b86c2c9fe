import { namesOf, type TextCall } from './expression-names.ts'
import { definitionsFor, type FunctionTable } from './function-table.ts'
import { parseExpression } from './parse-expression.ts'
import { extentOf } from './types/extent.ts'

/** A call of a function that takes nothing but a text in the source, and where that text stands. */
export interface PlacedTextCall extends Pick<TextCall, 'name' | 'text'> {
  /** 0-based, of the text with its quotes. */
  readonly position: number
  readonly length: number
}

/** Such calls of an expression that can be parsed, in the order of the source. */
export function textCallsOf(source: string, functions: FunctionTable): readonly PlacedTextCall[] {
  const names = [...functions.values()].filter(({ reads }) => reads !== undefined).map(({ name }) => `$${name}`)
  if (!names.some((name) => source.includes(name))) return []
  const { free, textCalls } = namesOf(parseExpression(source), definitionsFor(functions))
  const calls = textCalls.filter(
    ({ name, position }) =>
      functions.get(name)?.reads !== undefined && free.some((use) => use.name === name && use.position === position),
  )
  // What `??` and `?:` ask for is there twice.
  return [...new Map(calls.map((call) => [call.position, call])).values()].map(({ name, text, argument }) => ({
    name,
    text,
    ...extentOf(argument, source),
  }))
}
