import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { formatGvk, type Gvk } from '../kube/group-version-kind.ts'
import { Definitions } from './definitions.ts'
import type { Schema } from './schema.ts'

/** Schemas of kinds as the OpenAPI v3 documents of a server describe them. */
export class ServedSchemas {
  readonly #kinds = new Map<string, { readonly definitions: Definitions; readonly name: string }>()

  constructor(documents: readonly JsonObject[]) {
    for (const document of documents) this.#add(definitionsOf(document))
  }

  get(gvk: Gvk): Schema | undefined {
    const found = this.#kinds.get(formatGvk(gvk))
    return found?.definitions.get(found.name)
  }

  #add(schemas: JsonObject): void {
    const find = (name: string): JsonObject | undefined => objectOr(schemas[name])
    const definitions = new Definitions({ definition: find, goFields: () => undefined })
    for (const [name, schema] of Object.entries(schemas)) {
      for (const gvk of gvksOf(schema)) this.#kinds.set(formatGvk(gvk), { definitions, name })
    }
  }
}

function definitionsOf({ components }: JsonObject): JsonObject {
  return objectOr(objectOr(components)?.schemas) ?? {}
}

function objectOr(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined
}

function gvksOf(schema: JsonValue | undefined): readonly Gvk[] {
  const marks = objectOr(schema)?.['x-kubernetes-group-version-kind']
  return isJsonArray(marks) ? (marks.filter(isJsonObject) as readonly JsonObject[] as readonly Gvk[]) : []
}
