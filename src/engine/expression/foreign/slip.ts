import type { Type } from '../types/type.ts'

/** What is known where an expression stands. */
export interface SlipKnowledge {
  /** Names of all functions. */
  readonly functions: ReadonlySet<string>
  /** The type of an expression. Absent: types are not known. */
  readonly typeOf?: ((source: string) => Type | undefined) | undefined
}

/** A piece of another language in an expression, and what JSONata has for it. */
export interface SlipRule {
  /** In the source, in which texts are masked. */
  readonly pattern: RegExp
  /** Whether the match is this slip. Absent: always. */
  readonly when?: ((match: readonly string[], known: SlipKnowledge) => boolean) | undefined
  readonly message: string
  /**
   * The text in place of the match; `match` is of the unmasked source where it can be. Absent: nothing to write in its place is
   * known.
   */
  readonly rewrite?: ((match: readonly string[], known: SlipKnowledge) => string) | undefined
  /** What else may be meant, said behind the expression that is written anew. */
  readonly also?: ((match: readonly string[], known: SlipKnowledge) => string | undefined) | undefined
  /** What to do instead, when the expression as a whole cannot be written anew. */
  readonly hint: string
}

/** A value, as far as a pattern can recognise one: a path with calls and brackets, a text, a number. */
export const VALUE = String.raw`(?:"[^"]*"|'[^']*'|[$\w\x60](?:[\w$.\x60]|\[[^\[\]]*\]|\((?:[^()]|\([^()]*\))*\))*)`
