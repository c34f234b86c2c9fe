import type { JsonPath } from '../base/json.ts'
import { propertySchema, type Schema } from './schema.ts'

/** The schema at a path; `undefined` where the schema knows nothing. Any number stands for the items of a list. */
export function schemaAt(schema: Schema | undefined, path: JsonPath): Schema | undefined {
  let here = schema
  for (const step of path) {
    if (here === undefined) return undefined
    here = typeof step === 'number' ? here.items : propertySchema(here, step)
  }
  return here
}

/** Whether an object of the schema may have fields that the schema does not describe. */
export function isOpen(schema: Schema): boolean {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true) return true
  const free =
    schema.properties === undefined && schema.additionalProperties === undefined && schema.items === undefined
  return free && (schema.type === undefined || (schema.type === 'object' && schema.definition !== undefined))
}
