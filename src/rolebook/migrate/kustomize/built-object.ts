import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { Gvk } from '../../../core/kube/group-version-kind.ts'
import type { Schema } from '../../../core/schema/schema.ts'
import type { KustomizeFiles } from './kustomize-files.ts'

/** An object on its way through the folders. */
export interface BuiltObject {
  readonly object: JsonObject
  /** What it is called in the folder where it first stands: `Deployment web`. */
  readonly origin: string
}

export interface BuildOptions {
  readonly files: KustomizeFiles
  /** The schema of a kind, which says how its lists are merged. */
  schema(gvk: Gvk): Schema | undefined
}

export function originOf({ kind, metadata }: JsonObject): string {
  return `${String(kind)} ${isJsonObject(metadata) ? String(metadata.name) : ''}`
}

export function listAt(value: JsonObject, key: string): readonly JsonValue[] {
  const found = value[key]
  return isJsonArray(found) ? found : []
}
