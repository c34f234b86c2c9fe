import type { SourceEdit } from '../mutants/mutant.ts'

/** A seeded defect of the engine: one line of a file below `src` that is replaced while it is loaded. */
export interface Defect extends SourceEdit {
  /** The class of faults that it stands for. */
  readonly faultClass: string
  /** Test files below `test/` that are to notice it, all of them part of `npm test`. */
  readonly seenBy: readonly string[]
}
