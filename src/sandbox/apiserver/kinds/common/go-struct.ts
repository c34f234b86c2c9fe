import type { JsonObject, JsonValue } from '../../../../core/base/json.ts'

/** A value as the server prints its internal structs: every field, with the names of Go; `zero` for those not given. */
export function asGoStruct(value: JsonObject, names: readonly string[], zero: JsonValue): JsonObject {
  const lower = new Map(Object.entries(value).map(([name, inner]) => [name.toLowerCase(), inner]))
  return Object.fromEntries(names.map((name) => [name, lower.get(name.toLowerCase()) ?? zero]))
}
