import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { BuiltinSchemas } from '../../../core/schema/builtin-schemas.ts'
import { schemaAt } from '../../../core/schema/navigate.ts'
import type { Schema } from '../../../core/schema/schema.ts'
import { parseYaml } from '../../../core/yaml/parse-yaml.ts'
import type { SourceFile } from '../../../core/yaml/source-file.ts'
import type { RoleFiles } from '../../config/project-files.ts'

/** A field of the resource that a manifest takes over as it is, and what the manifest's kind wants there. */
export interface HandedOn {
  readonly path: readonly string[]
  readonly schema: Schema
}

/** The tasks in the files of a role that could be compiled, wherever they stand. */
export function tasksIn({ role, files }: Pick<RoleFiles, 'role' | 'files'>): readonly JsonObject[] {
  const texts = [...role, ...[...files].filter(([name]) => isTasks(name)).map(([, file]) => file)]
  const values = texts.flatMap(({ source }) => parseYaml(source as SourceFile).documents.map(({ value }) => value))
  // A manifest may have fields that are called like kinds of tasks.
  return values.flatMap(tasksBelow).filter(({ apiVersion }) => apiVersion === undefined)
}

function isTasks(name: string): boolean {
  return name.endsWith('.yaml') && !name.startsWith('files/')
}

function tasksBelow(value: JsonValue): readonly JsonObject[] {
  if (isJsonArray(value)) return value.flatMap(tasksBelow)
  if (!isJsonObject(value)) return []
  return [value, ...Object.values(value).flatMap((field) => tasksBelow(field as JsonValue))]
}

/** What the manifests of tasks take over from the resource. */
export function handedOn(tasks: readonly JsonObject[], builtin: BuiltinSchemas): readonly HandedOn[] {
  return tasks.flatMap(({ ensure, patch }) =>
    [ensure, patch].filter(isJsonObject).flatMap((manifest) => {
      const schema = builtin.get(gvkOf(manifest as KubeObject))
      return schema ? takenOver(manifest, schema, []) : []
    }),
  )
}

/** One path and nothing else: `${spec.size}`. */
const PATH = /^\s*\$\{\s*(spec(?:\.[A-Za-z_]\w*)+)\s*\}\s*$/

function takenOver(value: JsonValue, root: Schema, place: JsonPath): readonly HandedOn[] {
  if (isJsonArray(value)) return value.flatMap((item, index) => takenOver(item, root, [...place, index]))
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, field]) => takenOver(field as JsonValue, root, [...place, name]))
  }
  const [, path] = (typeof value === 'string' && PATH.exec(value)) || []
  const schema = path === undefined ? undefined : schemaAt(root, place)
  return schema && path !== undefined ? [{ path: path.split('.'), schema }] : []
}
