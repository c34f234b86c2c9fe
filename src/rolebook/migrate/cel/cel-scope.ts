import type { Translation } from './translation.ts'

/** The meaning of names in an expression. */
export interface CelScope {
  /** What a name stands for; `undefined` when it stands for nothing. */
  find(name: string): Translation | undefined
  /** A name for a variable of its own that nothing else has. */
  freeName(name: string): string
  /** The expression reads a field of the spec without a way out where there is none. */
  needSpec(path: readonly string[]): void
  /** Whether fields of the resource must be named from its root: within a step of a path. */
  readonly inStep: boolean
  /** Whether it depends on other values that this is evaluated at all. */
  readonly conditional: boolean
  /** Whether this is evaluated for each item of a list. */
  readonly repeated: boolean
}

/** The same, with further names. */
export function withNames(scope: CelScope, names: ReadonlyMap<string, Translation>): CelScope {
  return { ...scope, find: (name) => names.get(name) ?? scope.find(name), conditional: true, repeated: true }
}
