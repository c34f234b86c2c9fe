import type { Value } from '../value.ts'
import { ofGiven, requiredText } from './arguments.ts'
import type { Builtin, Call } from './builtin.ts'
import { builtinError } from './builtin-error.ts'
import { payItems } from './cost.ts'
import { formatInteger } from './format-integer.ts'
import { parseIntegerPicture } from './integer-picture.ts'
import { parseInteger } from './parse-integer.ts'

/** Whole numbers as digits with separators, words, Roman numerals, letters. */
export const INTEGER_BUILTINS: readonly Builtin[] = [
  { name: 'formatInteger', signature: '<n-s:s>', run: ofGiven(format) },
  { name: 'parseInteger', signature: '<s-s:n>', run: ofGiven(parse) },
]

function format(value: number, { budget }: Call, args: readonly Value[]): string {
  const picture = requiredText(args, 1)
  payItems(budget, 4 * picture.length)
  return formatInteger(Math.floor(value), parseIntegerPicture(picture), budget)
}

function parse(text: string, { budget }: Call, args: readonly Value[]): number {
  const picture = requiredText(args, 1)
  payItems(budget, 4 * picture.length + text.length)
  const value = parseInteger(text, parseIntegerPicture(picture))
  if (Number.isNaN(value)) throw builtinError('D3030')
  return value
}
