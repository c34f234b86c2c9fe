import type { Budget } from '../compile/budget.ts'
import type { Value } from '../value.ts'
import { ofGiven, optionalNumber, optionalText } from './arguments.ts'
import type { Builtin, Call } from './builtin.ts'
import { countCodePoints, sliceCodePoints } from './code-points.ts'
import { payItems, payLook, payText } from './cost.ts'
import { printValue } from './print-value.ts'
import { makeTextSearch } from './text-search.ts'

/** Functions on text. `$match $contains $split $replace` are with the regular expressions. */
export const STRING_BUILTINS: readonly Builtin[] = [
  { name: 'string', signature: '<x-b?:s>', run: ofGiven(string) },
  { name: 'length', signature: '<s-:n>', run: ofGiven(length) },
  { name: 'substring', signature: '<s-nn?:s>', run: ofGiven(substring) },
  { name: 'substringBefore', signature: '<s-s:s>', run: ofGiven(substringBefore) },
  { name: 'substringAfter', signature: '<s-s:s>', run: ofGiven(substringAfter) },
  { name: 'lowercase', signature: '<s-:s>', run: ofGiven(lowercase) },
  { name: 'uppercase', signature: '<s-:s>', run: ofGiven(uppercase) },
  { name: 'trim', signature: '<s-:s>', run: ofGiven(trim) },
  { name: 'pad', signature: '<s-ns?:s>', run: ofGiven(pad) },
  { name: 'join', signature: '<a<s>s?:s>', run: ofGiven(join) },
]

function string(value: Value, { budget }: Call, args: readonly Value[]): string {
  return printValue(value, { budget, pretty: args[1] === true })
}

function length(text: string, { budget }: Call): number {
  payLook(budget, text.length)
  return countCodePoints(text)
}

function substring(text: string, { budget }: Call, args: readonly Value[]): string {
  payText(budget, text.length)
  const wanted = optionalNumber(args, 2)
  const given = optionalNumber(args, 1)
  if (given === undefined) return wanted === undefined ? text : ''
  const count = countCodePoints(text)
  const start = count + given < 0 ? 0 : given
  if (wanted === undefined) return sliceCodePoints(text, start)
  if (wanted <= 0) return ''
  return sliceCodePoints(text, start, start >= 0 ? start + wanted : count + start + wanted)
}

function substringBefore(text: string, { budget }: Call, args: readonly Value[]): string {
  payText(budget, text.length)
  const at = indexOf(text, optionalText(args, 1), budget)
  return at < 0 ? text : text.slice(0, at)
}

function substringAfter(text: string, { budget }: Call, args: readonly Value[]): string {
  payText(budget, text.length)
  const separator = optionalText(args, 1)
  const at = indexOf(text, separator, budget)
  return separator === undefined || at < 0 ? text : text.slice(at + separator.length)
}

function indexOf(text: string, part: string | undefined, budget: Budget): number {
  return part === undefined ? -1 : makeTextSearch(part, budget)(text)
}

function lowercase(text: string, { budget }: Call): string {
  payText(budget, text.length)
  return text.toLowerCase()
}

function uppercase(text: string, { budget }: Call): string {
  payText(budget, text.length)
  return text.toUpperCase()
}

/** Also makes every run of white space inside one space. */
function trim(text: string, { budget }: Call): string {
  payText(budget, text.length)
  return text.replace(/[ \t\n\r]+/g, ' ').replace(/^ | $/g, '')
}

function pad(text: string, { budget }: Call, args: readonly Value[]): string {
  payText(budget, text.length)
  const width = Math.trunc(optionalNumber(args, 1) ?? 0)
  const missing = Math.abs(width) - countCodePoints(text)
  if (missing <= 0) return text
  const padding = makePadding({ budget }, optionalText(args, 2) || ' ', missing)
  return width > 0 ? text + padding : padding + text
}

function makePadding({ budget }: Pick<Call, 'budget'>, chars: string, count: number): string {
  const rounds = Math.ceil(count / countCodePoints(chars))
  payText(budget, chars.length * rounds)
  return sliceCodePoints(chars.repeat(rounds), 0, count)
}

function join(texts: readonly string[], { budget }: Call, args: readonly Value[]): string {
  const separator = optionalText(args, 1) ?? ''
  payItems(budget, texts.length)
  let total = separator.length * Math.max(0, texts.length - 1)
  for (const text of texts) total += text.length
  payText(budget, total)
  return texts.join(separator)
}
