import type { JsonPath } from '../../core/base/json.ts'
import { propertySchema, type Schema } from '../../core/schema/schema.ts'

/** The schema of a place in an object, or `undefined` where nothing is known of it. */
export function schemaAt(schema: Schema, path: JsonPath): Schema | undefined {
  return path.reduce<Schema | undefined>((here, step) => {
    if (here === undefined) return undefined
    return typeof step === 'number' ? here.items : propertySchema(here, step)
  }, schema)
}
