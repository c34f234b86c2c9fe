import type { JsonObject } from '../../../core/base/json.ts'

/** What a schema has for values that editors propose, where others are allowed as well, such as expressions. */
export function proposing(values: readonly string[]): JsonObject {
  return { anyOf: [{ enum: values }, {}] }
}
