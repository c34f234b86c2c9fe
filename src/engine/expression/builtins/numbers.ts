import type { Budget } from '../compile/budget.ts'
import type { Value } from '../value.ts'
import { ofGiven, optionalNumber } from './arguments.ts'
import type { Builtin, Call } from './builtin.ts'
import { builtinError } from './builtin-error.ts'
import { payItems, payLook } from './cost.ts'
import { formatNumber } from './format-number.ts'
import { roundHalfEven } from './round.ts'

/** Functions on numbers and lists of numbers. */
export const NUMBER_BUILTINS: readonly Builtin[] = [
  { name: 'number', signature: '<(nsb)-:n>', run: ofGiven(number) },
  { name: 'abs', signature: '<n-:n>', run: ofGiven((value: number) => Math.abs(value)) },
  { name: 'floor', signature: '<n-:n>', run: ofGiven((value: number) => Math.floor(value)) },
  { name: 'ceil', signature: '<n-:n>', run: ofGiven((value: number) => Math.ceil(value)) },
  { name: 'round', signature: '<n-n?:n>', run: ofGiven(round) },
  { name: 'power', signature: '<n-n:n>', run: ofGiven(power) },
  { name: 'sqrt', signature: '<n-:n>', run: ofGiven(sqrt) },
  { name: 'sum', signature: '<a<n>:n>', run: ofGiven((values: readonly number[], call) => sum(values, call.budget)) },
  { name: 'max', signature: '<a<n>:n>', run: ofGiven(max) },
  { name: 'min', signature: '<a<n>:n>', run: ofGiven(min) },
  { name: 'average', signature: '<a<n>:n>', run: ofGiven(average) },
  { name: 'formatNumber', signature: '<n-so?:s>', run: ofGiven(formatNumber) },
  { name: 'formatBase', signature: '<n-n?:s>', run: ofGiven(formatBase) },
]

const DECIMAL = /^-?[0-9]+(\.[0-9]+)?([Ee][-+]?[0-9]+)?$/
const OTHER_BASE = /^(0[xX][0-9A-Fa-f]+|0[oO][0-7]+|0[bB][01]+)$/

function number(value: number | string | boolean, { budget }: Call): number {
  if (typeof value !== 'string') return Number(value)
  payLook(budget, value.length)
  const read = DECIMAL.test(value) || OTHER_BASE.test(value) ? Number(value) : Number.NaN
  if (!Number.isFinite(read)) throw builtinError('D3030')
  return read
}

function round(value: number, _call: Call, args: readonly Value[]): number {
  return roundHalfEven(value, optionalNumber(args, 1))
}

function power(base: number, _call: Call, args: readonly Value[]): number {
  const result = base ** (optionalNumber(args, 1) ?? Number.NaN)
  if (!Number.isFinite(result)) throw builtinError('D3061')
  return result
}

function sqrt(value: number): number {
  if (value < 0) throw builtinError('D3060')
  return Math.sqrt(value)
}

function sum(values: readonly number[], budget: Budget): number {
  budget.step(values.length)
  let total = 0
  for (const value of values) total += value
  return total
}

function max(values: readonly number[], { budget }: Call): number | undefined {
  budget.step(values.length)
  return values.length === 0 ? undefined : values.reduce((left, right) => Math.max(left, right))
}

function min(values: readonly number[], { budget }: Call): number | undefined {
  budget.step(values.length)
  return values.length === 0 ? undefined : values.reduce((left, right) => Math.min(left, right))
}

function average(values: readonly number[], { budget }: Call): number | undefined {
  return values.length === 0 ? undefined : sum(values, budget) / values.length
}

function formatBase(value: number, { budget }: Call, args: readonly Value[]): string {
  payItems(budget, 64)
  const base = roundHalfEven(optionalNumber(args, 1) ?? 10)
  if (base < 2 || base > 36) throw builtinError('D3100')
  return roundHalfEven(value).toString(base)
}
