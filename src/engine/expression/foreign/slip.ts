/** A piece of another language in an expression, and what JSONata has for it. */
export interface SlipRule {
  /** In the source, in which texts are masked. */
  readonly pattern: RegExp
  readonly message: string
  /**
   * The text in place of the match; `match` is of the unmasked source where it can be, `functions` has the names of all functions. Absent:
   * nothing to write in its place is known.
   */
  readonly rewrite?: ((match: readonly string[], functions: ReadonlySet<string>) => string) | undefined
  /** What else may be meant, said behind the expression that is written anew. */
  readonly also?: ((match: readonly string[]) => string | undefined) | undefined
  /** What to do instead, when the expression as a whole cannot be written anew. */
  readonly hint: string
}

/** A value, as far as a pattern can recognise one: a path with calls and brackets, a text, a number. */
export const VALUE = String.raw`(?:"[^"]*"|'[^']*'|[$\w\x60](?:[\w$.\x60]|\[[^\[\]]*\]|\((?:[^()]|\([^()]*\))*\))*)`
