import { type CelType, typeOf } from './cel-type.ts'
import type { CelValue } from './values.ts'

/** What the names in an expression mean. */
export interface CelEnvironment {
  readonly variables: ReadonlyMap<string, CelType>
  readonly functions: ReadonlyMap<string, readonly Overload[]>
  /** Types that have a name: `int`, `net.IP`, and objects that can be made by `Name{…}`. */
  readonly types: ReadonlyMap<string, CelType>
}

/** One signature of a function. */
export interface Overload {
  readonly name: string
  /** Written behind its first argument: `x.size()`. */
  readonly method: boolean
  readonly args: readonly CelType[]
  readonly result: CelType
  readonly typeParams: readonly string[]
  readonly run: CelFunction
  /** The signature as it was declared, and the key of its costs. */
  readonly signature: string
}

export interface CelCall {
  /** Counts work that grows with the size of the arguments; throws when there was too much. */
  spend(cost: number): void
}

export type CelFunction = (args: readonly CelValue[], call: CelCall) => CelValue

/** A name as the checker sees it: a variable, or a type as value. */
export function lookUpName(environment: CelEnvironment, name: string): CelType | undefined {
  const variable = environment.variables.get(name)
  if (variable) return variable
  const type = environment.types.get(name)
  return type && typeOf(type)
}
