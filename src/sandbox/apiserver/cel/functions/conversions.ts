import { goDouble } from '../../../../core/schema/go-number.ts'
import { CelRuntimeError } from '../cel-error.ts'
import type { FunctionTable } from '../signature.ts'
import { parseDuration, parseTimestamp, printDuration, printTimestamp, SECOND } from '../time.ts'
import { CelDuration, type CelTimestamp, CelTypeValue, CelUint, type CelValue, typeNameOf } from '../values.ts'
import { intOf, timestamp, uintOf } from './arithmetic.ts'

/** `int(x)`, `string(x)`, `type(x)` and the like. */
export const CONVERSIONS: FunctionTable = {
  'type(A): type<A>': ([value]) => new CelTypeValue(typeNameOf(value as CelValue)),
  'dyn(A): dyn': same,
  'bool(bool): bool': same,
  'bool(string): bool': ([text]) => boolOf(text as string),
  'bytes(bytes): bytes': same,
  'bytes(string): bytes': ([text]) => new TextEncoder().encode(text as string),
  'double(double): double': same,
  'double(int): double': ([value]) => Number(value),
  'double(string): double': ([text]) => doubleOf(text as string),
  'double(uint): double': ([value]) => Number((value as CelUint).value),
  'duration(duration): duration': same,
  'duration(int): duration': () => {
    throw new CelRuntimeError("type conversion error from 'int' to 'google.protobuf.Duration'")
  },
  'duration(string): duration': ([text]) => new CelDuration(parsed(parseDuration, text as string, 'duration')),
  'int(int): int': same,
  'int(double): int': ([value]) => truncated(value as number),
  'int(duration): int': ([value]) => (value as CelDuration).nanos,
  'int(string): int': ([text]) => parsed(parseInt64, text as string, 'int'),
  'int(timestamp): int': ([value]) => (value as CelTimestamp).nanos / SECOND,
  'int(uint): int': ([value]) => intOf((value as CelUint).value),
  'string(string): string': same,
  'string(bool): string': ([value]) => String(value),
  'string(bytes): string': ([value]) => textOf(value as Uint8Array),
  'string(double): string': ([value]) => goDouble(value as number),
  'string(duration): string': ([value]) => printDuration((value as CelDuration).nanos),
  'string(int): string': ([value]) => String(value),
  'string(timestamp): string': ([value]) => printTimestamp((value as CelTimestamp).nanos),
  'string(uint): string': ([value]) => String((value as CelUint).value),
  'timestamp(timestamp): timestamp': same,
  'timestamp(int): timestamp': ([seconds]) => timestamp((seconds as bigint) * SECOND),
  'timestamp(string): timestamp': ([text]) => timestamp(parsed(parseTimestamp, text as string, 'timestamp')),
  'uint(uint): uint': same,
  'uint(double): uint': ([value]) => uintOf(truncatedToUint(value as number)),
  'uint(int): uint': ([value]) => uintOf(value as bigint),
  'uint(string): uint': ([text]) => new CelUint(parsed(parseUint64, text as string, 'uint')),
}

function same([value]: readonly CelValue[]): CelValue {
  return value as CelValue
}

function parsed<T>(parse: (text: string) => T | undefined, text: string, type: string): T {
  const value = parse(text)
  const name = FULL_NAMES[type] ?? type
  if (value === undefined) throw new CelRuntimeError(`type conversion error from 'string' to '${name}'`)
  return value
}

const FULL_NAMES: Readonly<Record<string, string>> = {
  duration: 'google.protobuf.Duration',
  timestamp: 'google.protobuf.Timestamp',
}

function boolOf(text: string): boolean {
  if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true
  if (/^(0|f|F|false|FALSE|False)$/.test(text)) return false
  throw new CelRuntimeError("type conversion error from 'string' to 'bool'")
}

function doubleOf(text: string): number {
  if (/^[+-]?(inf|infinity)$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  if (/^nan$/i.test(text)) return Number.NaN
  return parsed(
    (digits) => (/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(digits) ? Number(digits) : undefined),
    text,
    'double',
  )
}

function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined
  const value = BigInt(text.replace(/^\+/, ''))
  return BigInt.asIntN(64, value) === value ? value : undefined
}

function parseUint64(text: string): bigint | undefined {
  if (!/^\d+$/.test(text)) return undefined
  const value = BigInt(text)
  return BigInt.asUintN(64, value) === value ? value : undefined
}

/** Towards zero; doubles at the very ends count as too large. */
function truncated(value: number): bigint {
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 63) throw new CelRuntimeError('integer overflow')
  return BigInt(Math.trunc(value))
}

function truncatedToUint(value: number): bigint {
  if (!Number.isFinite(value) || value < 0 || value >= 2 ** 64) throw new CelRuntimeError('unsigned integer overflow')
  return BigInt(Math.trunc(value))
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new CelRuntimeError('invalid UTF-8 in bytes, cannot convert to string')
  }
}
