import type { Value } from '../value.ts'
import type { Builtin, Call } from './builtin.ts'
import { builtinError } from './builtin-error.ts'

/**
 * Nothing for nothing, as most functions do, else what `run` makes of the first argument.
 *
 * The signature has checked its type; the others come as they are, in `args`.
 */
export function ofGiven<First extends Value>(
  run: (first: First, call: Call, args: readonly Value[]) => Value,
): Builtin['run'] {
  return (call, args) => (args[0] === undefined ? undefined : run(args[0] as First, call, args))
}

/** A text argument that the signature lets be missing, but the function cannot do without. @throws ExpressionError `T0410` */
export function requiredText(args: readonly Value[], index: number): string {
  const value = args[index]
  if (typeof value !== 'string') throw builtinError('T0410')
  return value
}

export function optionalNumber(args: readonly Value[], index: number): number | undefined {
  return args[index] as number | undefined
}

export function optionalText(args: readonly Value[], index: number): string | undefined {
  return args[index] as string | undefined
}
