/** A piece of a source file of `src` that is replaced while it is loaded; the file itself stays as it is. */
export interface SourceEdit {
  /** What a user would complain about. */
  readonly name: string
  /** Below `src`. */
  readonly file: string
  /** Stands there exactly once. */
  readonly search: string
  readonly replace: string
}

/** A seeded defect of the sandbox. */
export interface Mutant extends SourceEdit {
  /** The contract scripts that are to notice. */
  readonly topics: readonly string[]
}
