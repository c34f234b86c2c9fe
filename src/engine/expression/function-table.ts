import type { JsonPath } from '../../core/base/json.ts'
import type { Builtin } from './builtins/builtin.ts'
import { BUILTIN_FUNCTIONS } from './builtins/builtin-functions.ts'
import type { Definition } from './compile/functions.ts'
import { Signature } from './signature.ts'

/** A function that our language adds to JSONata's, as data: code, check and reference page come from it. */
export interface ExpressionFunction {
  readonly name: string
  readonly signature: string
  readonly doc: string
  readonly example: string
  readonly run: Builtin['run']
  /**
   * For a function whose only argument must be a text that stands in the source: what a call with it reads besides. So
   * what an expression needs is known without a run.
   */
  readonly reads?: ((text: string) => Reads) | undefined
}

/** What an evaluation takes from its surroundings. */
export interface Reads {
  readonly variables: ReadonlySet<string>
  readonly inputPaths: readonly JsonPath[]
}

export type FunctionTable = ReadonlyMap<string, ExpressionFunction>

/** JSONata's functions that our language does not have: what they yield depends on more than their inputs. */
export const REFUSED_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['eval', 'text is data, never code'],
  ['now', 'a result may depend on its inputs only, not on the time'],
  ['millis', 'a result may depend on its inputs only, not on the time'],
  ['random', 'a result may depend on its inputs only, not on chance'],
  ['shuffle', 'a result may depend on its inputs only, not on chance'],
])

/** All functions of the language by name, JSONata's and those added, ready to be called. */
export function definitionsFor(functions: FunctionTable): ReadonlyMap<string, Definition> {
  let definitions = known.get(functions)
  if (definitions === undefined) {
    const all = [...BUILTIN_FUNCTIONS, ...functions.values()]
    definitions = new Map(all.map((builtin) => [builtin.name, define(builtin)]))
    known.set(functions, definitions)
  }
  return definitions
}

const known = new WeakMap<FunctionTable, ReadonlyMap<string, Definition>>()

function define(builtin: Builtin & Pick<Partial<ExpressionFunction>, 'reads'>): Definition {
  const signature = new Signature(builtin.signature)
  const { name, run, reads } = builtin
  return { name, signature, arity: ARITIES.get(name) ?? signature.size, run, reads }
}

/** Functions to which callers such as `$map` pass fewer arguments than they could take, as in the library. */
const ARITIES: ReadonlyMap<string, number> = new Map([['string', 1]])
