import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'

/** Lists and maps of a schema, and those of them that hold schemas. */
const SCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf']
const SCHEMA_MAPS = ['properties', 'patternProperties', 'definitions', 'dependencies']
const OTHER_LISTS = ['enum', 'required', 'x-kubernetes-list-map-keys', 'x-kubernetes-validations']
const COLLECTIONS = [...SCHEMA_LISTS, ...SCHEMA_MAPS, ...OTHER_LISTS]
const SCHEMAS = ['items', 'additionalProperties', 'additionalItems', 'not']
const OF_VERSION = ['additionalPrinterColumns', 'selectableFields']

/** A decoded CRD with the empty lists and maps of its body: in memory they differ from none, and rules see them. */
export function keepEmptyParts(decoded: KubeObject, body: KubeObject): KubeObject {
  return mapVersions(decoded, (version, index) => keepInVersion(version, versionsOf(body)[index]))
}

/** A CRD as it is stored: without them. */
export function dropEmptyParts(crd: KubeObject): KubeObject {
  return mapVersions(crd, (version) => mapSchema(dropEmpty(version, OF_VERSION), dropFromSchema))
}

function versionsOf({ spec }: KubeObject): readonly JsonValue[] {
  return isJsonObject(spec) && isJsonArray(spec.versions) ? spec.versions : []
}

function mapVersions(crd: KubeObject, change: (version: JsonObject, index: number) => JsonObject): KubeObject {
  const before = versionsOf(crd)
  const versions = before.map((version, index) => (isJsonObject(version) ? change(version, index) : version))
  const isSame = versions.every((version, index) => version === before[index])
  return isSame ? crd : { ...crd, spec: { ...(crd.spec as JsonObject), versions } }
}

function mapSchema(version: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  const { schema } = version
  if (!isJsonObject(schema) || !isJsonObject(schema.openAPIV3Schema)) return version
  const openAPIV3Schema = change(schema.openAPIV3Schema)
  return openAPIV3Schema === schema.openAPIV3Schema ? version : { ...version, schema: { ...schema, openAPIV3Schema } }
}

function keepInVersion(version: JsonObject, body: JsonValue | undefined): JsonObject {
  if (!isJsonObject(body)) return version
  const given = isJsonObject(body.schema) ? body.schema.openAPIV3Schema : undefined
  return mapSchema(keepEmpty(version, body, OF_VERSION), (schema) => keepInSchema(schema, given))
}

function keepInSchema(schema: JsonObject, body: JsonValue | undefined): JsonObject {
  if (!isJsonObject(body)) return schema
  return mapInner(keepEmpty(schema, body, COLLECTIONS), (inner, [keyword, step]) => {
    const given = body[keyword]
    if (step === undefined) return keepInSchema(inner, given)
    return keepInSchema(inner, (given as { readonly [step: string | number]: JsonValue } | undefined)?.[step])
  })
}

function dropFromSchema(schema: JsonObject): JsonObject {
  return mapInner(dropEmpty(schema, COLLECTIONS), dropFromSchema)
}

type Place = readonly [keyword: string, step?: string | number]

/** A schema with each schema that stands right in it changed. */
function mapInner(schema: JsonObject, change: (inner: JsonObject, place: Place) => JsonObject): JsonObject {
  let changed: Record<string, JsonValue | undefined> | undefined
  const put = (keyword: string, value: JsonValue): void => {
    if (value === schema[keyword]) return
    changed ??= { ...schema }
    changed[keyword] = value
  }
  const whole = (value: JsonValue, ...place: Place): JsonValue => (isJsonObject(value) ? change(value, place) : value)
  for (const keyword of [...SCHEMA_LISTS, ...SCHEMA_MAPS, ...SCHEMAS]) {
    const value = schema[keyword]
    if (value === undefined) continue
    if (isJsonArray(value))
      put(
        keyword,
        sameOr(
          value,
          value.map((item, index) => whole(item, keyword, index)),
        ),
      )
    else if (SCHEMA_MAPS.includes(keyword))
      put(
        keyword,
        mapValues(value, (item, key) => whole(item, keyword, key)),
      )
    else put(keyword, whole(value, keyword))
  }
  return changed ?? schema
}

function sameOr(list: readonly JsonValue[], changed: readonly JsonValue[]): JsonValue {
  return changed.every((item, index) => item === list[index]) ? (list as JsonValue) : (changed as JsonValue)
}

function mapValues(map: JsonValue, change: (value: JsonValue, key: string) => JsonValue): JsonValue {
  if (!isJsonObject(map)) return map
  const entries = Object.entries(map).map(([key, value]) => [key, change(value ?? null, key)] as const)
  return entries.every(([key, value]) => value === map[key]) ? map : Object.fromEntries(entries)
}

function keepEmpty(decoded: JsonObject, body: JsonObject, names: readonly string[]): JsonObject {
  const kept = names.filter((name) => decoded[name] === undefined && isEmpty(body[name]))
  return kept.length === 0 ? decoded : { ...decoded, ...Object.fromEntries(kept.map((name) => [name, body[name]])) }
}

function dropEmpty(object: JsonObject, names: readonly string[]): JsonObject {
  const isDropped = (name: string): boolean => names.includes(name) && isEmpty(object[name])
  if (!names.some(isDropped)) return object
  return Object.fromEntries(Object.entries(object).filter(([name]) => !isDropped(name)))
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (isJsonArray(value)) return value.length === 0
  return isJsonObject(value) && Object.keys(value).length === 0
}
