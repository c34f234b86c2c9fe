import type { ProjectView } from './project-view.ts'
import type { AnySchema } from './schema-places.ts'

/** A question about a place of a text. */
export interface Request {
  readonly path: string
  readonly text: string
  readonly offset: number
  readonly view: ProjectView
  /** Of the tests of roles. */
  readonly tests: AnySchema
}
