import type { JsonValue } from '../../../core/base/json.ts'
import type { Schema } from '../../../core/schema/schema.ts'

/** How tightly operators of JSONata bind; what binds less tightly than its place needs brackets. */
export const LEVEL = { condition: 10, or: 20, and: 30, comparison: 40, sum: 50, product: 60, atom: 100 } as const

/** An expression of CEL in JSONata, with what is known of its value. */
export interface Translation {
  readonly text: string
  /** One of `LEVEL`. */
  readonly level: number
  /** Of the value; `undefined`: nothing is known. */
  readonly schema: Schema | undefined
  /** Whether there may be nothing. */
  readonly optional: boolean
  /** Whether CEL would stop where there is nothing, and nothing that was read so far rules that out. */
  readonly pending: boolean
  /** Conditions without which CEL would stop, in JSONata. */
  readonly needs: readonly string[]
  /** Of a path into the spec of the resource: the names of its fields. */
  readonly specPath?: readonly string[] | undefined
  /** Of an object that the role makes: what it says here, which is there for certain. */
  readonly made?: JsonValue | undefined
}

export function translation(text: string, options: Partial<Omit<Translation, 'text'>> = {}): Translation {
  return { text, level: LEVEL.atom, schema: undefined, optional: false, pending: false, needs: [], ...options }
}

/** The text of an operand, in brackets where it must bind as tightly as `level`. */
export function operandText({ text, level }: Translation, least: number = LEVEL.atom): string {
  return level < least ? `(${text})` : text
}

export const TEXT: Schema = { type: 'string' }
export const INTEGER: Schema = { type: 'integer' }
export const NUMBER: Schema = { type: 'number' }
export const BOOLEAN: Schema = { type: 'boolean' }
export const MAP: Schema = { type: 'object' }

export function listOf(items: Schema | undefined): Schema {
  return items === undefined ? { type: 'array' } : { type: 'array', items }
}

export function isNumber(schema: Schema | undefined): boolean {
  return schema?.type === 'integer' || schema?.type === 'number'
}

/** All that must hold, as one condition; `true` when nothing must. */
export function allOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'true' : [...new Set(conditions)].join(' and ')
}
