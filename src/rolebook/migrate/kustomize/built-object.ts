import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { KnownKinds } from '../known-kinds.ts'
import type { KustomizeFiles } from './kustomize-files.ts'

export type NamedObject = JsonObject & { readonly metadata: JsonObject }

/** An object on its way through the folders. */
export interface BuiltObject {
  readonly object: NamedObject
  /** What it is called in the folder where it first stands: `Deployment web`. */
  readonly origin: string
}

export interface BuildOptions {
  readonly files: KustomizeFiles
  /** How lists of a kind are merged, and whether its objects are in a namespace. */
  readonly known: KnownKinds
}

/** Kustomize takes no object without a name. */
export function isNamed(object: JsonObject): object is NamedObject {
  return isJsonObject(object.metadata) && typeof object.metadata.name === 'string'
}

export function originOf({ kind, metadata }: NamedObject): string {
  return `${String(kind)} ${String(metadata.name)}`
}

export function listAt(value: JsonObject, key: string): readonly JsonValue[] {
  const found = value[key]
  return isJsonArray(found) ? found : []
}
