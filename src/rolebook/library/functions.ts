import type { JsonValue } from '../../core/base/json.ts'
import type { ExpressionFunction } from '../../engine/expression/function-table.ts'
import { FUNCTION_NAMES } from '../../engine/role/compile/variable-names.ts'
import { given, type Pay } from '../../engine/role/functions/functions.ts'

/** A function of a program, which expressions call as `$name(…)`. */
export interface FunctionDefinition {
  /** Letters, digits and `_`. */
  readonly name: string
  /** As JSONata writes it: `<s:s>` takes a text and yields one. Calls with other arguments fail. */
  readonly signature: string
  readonly doc: string
  /** An expression that yields true. */
  readonly example: string
  /**
   * What a call yields; `undefined` is nothing. It must depend on its arguments only, since a run may be repeated at any time. A call whose
   * first argument is nothing yields nothing and does not come here. `pay` counts characters that it reads or makes, and throws
   * where an evaluation has used up its budget: call it before long work.
   */
  run(args: readonly (JsonValue | undefined)[], pay: Pay): JsonValue | undefined
}

/**
 * A function, for `functions` of `loadProject`.
 *
 * @throws Error when the language has a function of this name, or when the name or the signature cannot be read
 */
export function defineFunction(definition: FunctionDefinition): ExpressionFunction {
  const { name, signature, doc, example, run } = definition
  const cannot = `cannot define the function "${name}"`
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new Error(`${cannot}: a name is letters, digits and \`_\`, and begins with no digit`)
  }
  if (FUNCTION_NAMES.has(name)) throw new Error(`${cannot}: the language has one of this name`)
  if (!SIGNATURE.test(signature)) {
    throw new Error(`${cannot}: its signature \`${signature}\` cannot be read (write it as JSONata does: \`<s:s>\`)`)
  }
  return Object.freeze({ name, signature, doc, example, run: given(run) })
}

/** Letters of types with their marks, a colon, and what is yielded. */
const SIGNATURE = /^<[abfjlnosx()<>?+-]*:[abfjlnosx()<>]+>$/
