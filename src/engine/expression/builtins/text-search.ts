import type { Budget } from '../compile/budget.ts'
import { payLook } from './cost.ts'

/** Where the text looked for first stands at or after `from`; -1: nowhere. */
export type TextSearch = (text: string, from?: number) => number

/**
 * Searches for `part` in linear time.
 *
 * `indexOf` takes up to the product of both lengths: 40 seconds for half a megabyte in a megabyte. So only short texts are
 * left to it.
 */
export function makeTextSearch(part: string, budget: Budget): TextSearch {
  const search =
    part.length <= SHORT ? (text: string, from: number) => text.indexOf(part, from) : searchLong(part, budget)
  return (text, from = 0) => {
    const found = search(text, from)
    payLook(budget, (found < 0 ? text.length : found + part.length) - from)
    return found
  }
}

const SHORT = 64

/** Knuth, Morris and Pratt: after a mismatch, goes on with the longest start of `part` that was just read. */
function searchLong(part: string, budget: Budget): (text: string, from: number) => number {
  const borders = bordersOf(part, budget)
  return (text, from) => {
    let matched = 0
    for (let index = from; index < text.length; index++) {
      matched = extend(part, { matched, unit: text.charCodeAt(index) }, borders)
      if (matched === part.length) return index + 1 - matched
    }
    return -1
  }
}

/** For each length, the length of the longest start of `part` that also ends its first so many units. */
function bordersOf(part: string, budget: Budget): Int32Array {
  payLook(budget, part.length)
  budget.allocate(4 * part.length)
  const borders = new Int32Array(part.length + 1)
  let matched = 0
  for (let length = 2; length <= part.length; length++) {
    matched = extend(part, { matched, unit: part.charCodeAt(length - 1) }, borders)
    borders[length] = matched
  }
  return borders
}

/** How much of `part` matches after one more unit. */
function extend(part: string, state: { matched: number; unit: number }, borders: Int32Array): number {
  let { matched } = state
  while (matched > 0 && part.charCodeAt(matched) !== state.unit) matched = borders[matched] as number
  return part.charCodeAt(matched) === state.unit ? matched + 1 : 0
}
