import type { JsonObject } from '../base/json.ts'

/** Schemas of the kinds that a server serves. */
export interface OpenApiSource {
  /** The OpenAPI v3 document of a group and version, as new as the question; `undefined` when the server has none. */
  document(groupVersion: { readonly group: string; readonly version: string }): Promise<JsonObject | undefined>
}
