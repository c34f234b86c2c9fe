import { type CelType, DYN, listOf, mapOf } from './cel-type.ts'
import { parseType } from './signature.ts'

/** The types that expressions can name. */
export const NAMED_TYPES: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ...['bool', 'bytes', 'double', 'int', 'string', 'type', 'uint'].map((name) => [name, parseType(name)] as const),
  ...['net.IP', 'net.CIDR', 'kubernetes.URL', 'kubernetes.Quantity', 'kubernetes.Semver'].map(
    (name) => [name, parseType(name)] as const,
  ),
  ['list', listOf(DYN)],
  ['map', mapOf(DYN, DYN)],
  ['null_type', parseType('null')],
  ['optional_type', parseType('optional<dyn>')],
  ['google.protobuf.Timestamp', parseType('timestamp')],
  ['google.protobuf.Duration', parseType('duration')],
])
