import { type Document, isMap, isScalar, isSeq, parseDocument } from 'yaml'
import {
  getPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  printPath,
} from '../../src/core/base/json.ts'
import { MISTAKE_CLASSES, type MistakeClass } from './mistake-classes.ts'

/** One mistake in the text of a role. */
export interface ManifestMistake {
  readonly mistake: string
  /** Where, and what was made of it. */
  readonly what: string
  /** The whole file with it. */
  readonly text: string
}

/** A place of a manifest that a task makes. */
export interface ManifestPlace {
  /** In the document. */
  readonly path: JsonPath
  /** In the manifest: `['spec', 'replicas']`. */
  readonly field: JsonPath
  readonly value: JsonValue
  /** The manifest. */
  readonly manifest: JsonObject
  readonly kind: string
}

/** What a mistake makes of a place. */
export type Edit =
  | { readonly set: JsonValue }
  | { readonly rename: string }
  | { readonly remove: true }
  /** The value is moved to a path of the manifest. */
  | { readonly move: JsonPath }
  /** The item of a list stands there twice. */
  | { readonly repeat: true }

/** Every mistake of the classes that can be made in a role. */
export function manifestMistakes(text: string): readonly ManifestMistake[] {
  const value = parseDocument(text).toJS() as JsonObject
  const places = manifestsOf(value.tasks, ['tasks']).flatMap(placesOf)
  return MISTAKE_CLASSES.flatMap((one) =>
    places.flatMap((place) => one.edits(place).flatMap((edit) => toMistake(one, place, edit, text))),
  )
}

function toMistake(one: MistakeClass, place: ManifestPlace, edit: Edit, text: string): readonly ManifestMistake[] {
  const document = parseDocument(text)
  if (!applyEdit(document, place, edit)) return []
  const printed = document.toString({ lineWidth: 0 })
  const what = `${place.kind} ${printPath(place.field)}: ${JSON.stringify(place.value)?.slice(0, 60)} → ${JSON.stringify(edit)}`
  return [{ mistake: one.name, what, text: printed }]
}

function applyEdit(document: Document, { path, field, value }: ManifestPlace, edit: Edit): boolean {
  if ('set' in edit) document.setIn(path, edit.set)
  else if ('remove' in edit) document.deleteIn(path)
  else if ('rename' in edit) {
    const around = document.getIn(path.slice(0, -1), true)
    const pair = isMap(around) ? around.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined
    if (!pair || !isScalar(pair.key)) return false
    pair.key.value = edit.rename
  } else if ('move' in edit) {
    const target = [...path.slice(0, path.length - field.length), ...edit.move]
    if (document.hasIn(target)) return false
    document.deleteIn(path)
    document.setIn(target, document.createNode(value))
  } else {
    const list = document.getIn(path.slice(0, -1), true)
    if (!isSeq(list)) return false
    list.items.push(document.createNode(value))
  }
  return true
}

/** The manifests that tasks make, with their paths. */
function manifestsOf(tasks: JsonValue | undefined, path: JsonPath): readonly (readonly [JsonPath, JsonObject])[] {
  if (!isJsonArray(tasks)) return []
  return tasks.flatMap((task, index): readonly (readonly [JsonPath, JsonObject])[] => {
    const manifest = getPath(task, ['ensure'])
    const own = isJsonObject(manifest) ? [[[...path, index, 'ensure'], manifest] as const] : []
    const inner = manifestsOf(getPath(task, ['block', 'tasks']), [...path, index, 'block', 'tasks'])
    return [...own, ...inner]
  })
}

function placesOf([path, manifest]: readonly [JsonPath, JsonObject]): readonly ManifestPlace[] {
  const places: ManifestPlace[] = []
  const walk = (value: JsonValue | undefined, field: JsonPath): void => {
    if (value === undefined) return
    if (field.length > 0)
      places.push({ path: [...path, ...field], field, value, manifest, kind: String(manifest.kind) })
    if (isJsonArray(value)) for (const [index, item] of value.entries()) walk(item, [...field, index])
    else if (isJsonObject(value)) for (const [key, inner] of Object.entries(value)) walk(inner, [...field, key])
  }
  walk(manifest, [])
  return places
}
