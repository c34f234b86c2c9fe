import { canonicalQuantity, nanosOf } from '../../kinds/common/quantity.ts'
import { CelRuntimeError } from '../cel-error.ts'
import type { FunctionTable } from '../signature.ts'
import { CelOpaque, type CelValue } from '../values.ts'

/** An amount such as `500Mi`, exact in billionths. */
class Quantity extends CelOpaque {
  readonly typeName = 'kubernetes.Quantity'
  readonly nanos: bigint

  constructor(nanos: bigint) {
    super()
    this.nanos = nanos
  }

  equals(other: CelOpaque): boolean {
    return other instanceof Quantity && other.nanos === this.nanos
  }
}

const NANO = 1_000_000_000n
const Q = 'kubernetes.Quantity'

/** Amounts. */
export const QUANTITIES: FunctionTable = {
  [`quantity(string): ${Q}`]: ([text]) => parse(text as string),
  'isQuantity(string): bool': ([text]) => isQuantity(text as string),
  [`sign(${Q}): int`]: ([value]) => order(of(value), 0n),
  [`method isGreaterThan(${Q}, ${Q}): bool`]: ([a, b]) => of(a) > of(b),
  [`method isLessThan(${Q}, ${Q}): bool`]: ([a, b]) => of(a) < of(b),
  [`method compareTo(${Q}, ${Q}): int`]: ([a, b]) => order(of(a), of(b)),
  [`method asApproximateFloat(${Q}): double`]: ([value]) => Number(of(value)) / Number(NANO),
  [`method asInteger(${Q}): int`]: ([value]) => {
    if (!isInteger(of(value))) throw new CelRuntimeError('cannot convert value to integer')
    return of(value) / NANO
  },
  [`method isInteger(${Q}): bool`]: ([value]) => isInteger(of(value)),
  [`method add(${Q}, ${Q}): ${Q}`]: ([a, b]) => new Quantity(of(a) + of(b)),
  [`method add(${Q}, int): ${Q}`]: ([a, b]) => new Quantity(of(a) + (b as bigint) * NANO),
  [`method sub(${Q}, ${Q}): ${Q}`]: ([a, b]) => new Quantity(of(a) - of(b)),
  [`method sub(${Q}, int): ${Q}`]: ([a, b]) => new Quantity(of(a) - (b as bigint) * NANO),
}

function parse(text: string): Quantity {
  if (isQuantity(text)) return new Quantity(nanosOf(text))
  const pattern = '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
  const isShaped = /^[+-]?\d+(\.\d*)?([eEinumkKMGTP]+[-+]?\d*|[-+]\d*)?$/.test(text)
  throw new CelRuntimeError(
    isShaped ? "unable to parse quantity's suffix" : `quantities must match the regular expression '${pattern}'`,
  )
}

function isQuantity(text: string): boolean {
  return text.trim() === text && canonicalQuantity(text) !== undefined
}

function of(value: CelValue | undefined): bigint {
  return (value as Quantity).nanos
}

function order(a: bigint, b: bigint): bigint {
  return a === b ? 0n : a < b ? -1n : 1n
}

function isInteger(nanos: bigint): boolean {
  const whole = nanos / NANO
  return nanos % NANO === 0n && BigInt.asIntN(64, whole) === whole
}
