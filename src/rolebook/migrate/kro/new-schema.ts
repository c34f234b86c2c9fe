import type { Schema } from '../../../core/schema/schema.ts'

/** A schema while it is made. */
export type NewSchema = { -readonly [Key in keyof Schema]: Schema[Key] } & {
  properties?: { [name: string]: NewSchema }
  required?: string[]
}
