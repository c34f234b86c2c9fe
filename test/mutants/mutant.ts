/** A seeded defect: a piece of a source file of `src` that is replaced while it is loaded. */
export interface Mutant {
  /** What a user would complain about. */
  readonly name: string
  /** Below `src`. */
  readonly file: string
  /** Stands there exactly once. */
  readonly search: string
  readonly replace: string
  /** The contract scripts that are to notice. */
  readonly topics: readonly string[]
}
