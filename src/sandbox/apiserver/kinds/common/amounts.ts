import type { JsonValue } from '../../../../core/base/json.ts'
import { canonicalQuantity, nanosOf } from './quantity.ts'

/** How much of each resource, by its name. */
export type Amounts = { readonly [name: string]: string }

export function addAmounts(left: Amounts, right: Amounts): Amounts {
  return combineAmounts(left, right, (a, b) => a + b)
}

export function maxAmounts(left: Amounts, right: Amounts): Amounts {
  return combineAmounts(left, right, (a, b) => (a > b ? a : b))
}

/** The amounts of all names on either side, made of both; one that is missing counts as 0. */
export function combineAmounts(left: Amounts, right: Amounts, how: (left: bigint, right: bigint) => bigint): Amounts {
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  const entries = [...names].map((name): [string, string] => {
    const [a, b] = [left[name], right[name]]
    return [name, printLike(how(nanosOf(a), nanosOf(b)), nanosOf(a) === 0n ? b : a)]
  })
  return Object.fromEntries(entries)
}

const NANO = 1_000_000_000n

/** Sums are written with the suffixes of what was summed. */
function printLike(nanos: bigint, sample: JsonValue | undefined): string {
  const isBinary = /[KMGTPE]i$/.test(String(sample ?? ''))
  const kibi = 1024n * NANO
  const text = isBinary && nanos % kibi === 0n ? `${nanos / kibi}Ki` : `${nanos}n`
  return canonicalQuantity(text) as string
}
