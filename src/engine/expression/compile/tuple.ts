import type { Value } from '../value.ts'
import type { Frame } from './frame.ts'

/** An item on its way through a path, `@`, with the names bound to it (`$x` of `@$x`, `$i` of `#$i`, parents of `%`). */
export interface Tuple {
  [name: string]: Value
}

/** A tuple has no prototype: a variable may be called `__proto__`. */
export function tupleOf(...parts: readonly Tuple[]): Tuple {
  return Object.assign(Object.create(null), ...parts)
}

/** A frame in which the names of a tuple are variables. */
export function frameOf(frame: Frame, tuple: Tuple): Frame {
  return frame.inner(Object.keys(tuple), Object.values(tuple))
}
