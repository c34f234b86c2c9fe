import type { JsonObject, JsonPath, JsonValue } from '../../core/base/json.ts'
import { didYouMean } from '../../core/base/nearest-name.ts'
import { schemaAt } from '../../core/schema/navigate.ts'
import { prune } from '../../core/schema/prune.ts'
import type { Schema } from '../../core/schema/schema.ts'
import { pathOf } from './field-path.ts'

/** A field of an object that its schema does not have. */
export interface UnknownField {
  /** As a server prints it: `spec.ports[0].nme`. */
  readonly field: string
  readonly path: JsonPath
  readonly name: string
  /** A question for a field of nearly the same name, if there is one. */
  readonly hint: string | undefined
}

export function unknownFieldsOf(object: JsonObject, schema: Schema): readonly UnknownField[] {
  return prune<JsonValue>(object, schema).unknown.map((field) => {
    const path = pathOf(object, field)
    const name = String(path.at(-1))
    const known = Object.keys(schemaAt(schema, path.slice(0, -1))?.properties ?? {})
    return { field, path, name, hint: didYouMean(name, known) }
  })
}
