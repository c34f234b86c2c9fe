import { BOOL, BYTES, type CelType, DOUBLE, INT, NULL, STRING, UINT } from './cel-type.ts'
import type { LiteralExpr } from './expr.ts'
import { CelUint } from './values.ts'

export function literalType({ value }: LiteralExpr): CelType {
  if (value === null) return NULL
  if (value instanceof CelUint) return UINT
  if (value instanceof Uint8Array) return BYTES
  switch (typeof value) {
    case 'bigint':
      return INT
    case 'boolean':
      return BOOL
    case 'number':
      return DOUBLE
    default:
      return STRING
  }
}
