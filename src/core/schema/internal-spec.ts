import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../base/json.ts'

const VALIDATIONS = 'x-kubernetes-validations'

/** What versions may have alike. */
export const SHARED_PARTS = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const
export type SharedPart = (typeof SHARED_PARTS)[number]

/** The spec of a CRD as the real server keeps it, and complains about it. */
export interface InternalSpec {
  /** Without what all of them have alike. */
  readonly versions: readonly JsonObject[]
  /** Whether there is a list of versions, be it an empty one. */
  readonly hasVersions: boolean
  /** What all versions have alike, which stands in the spec itself. */
  readonly shared: Readonly<Partial<Record<SharedPart, JsonValue>>>
}

export function internalSpec(spec: JsonValue | undefined): InternalSpec {
  const given = isJsonObject(spec) && isJsonArray(spec.versions) ? spec.versions : undefined
  const versions = (given ?? []).map((version) => (isJsonObject(version) ? version : {}))
  const [first = {}] = versions
  const parts = SHARED_PARTS.filter((part) => versions.every((each) => isSame(each[part], first[part])))
  const own = versions.map((version) => {
    const others = Object.entries(version).filter(([name]) => !(parts as readonly string[]).includes(name))
    return Object.fromEntries(others)
  })
  const shared = parts.flatMap((part) => (first[part] === undefined ? [] : [[part, first[part]] as const]))
  return { versions: own, hasVersions: given !== undefined, shared: Object.fromEntries(shared) }
}

/** No list or map and an empty one are the same, in the schemas, too. */
function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (jsonEquals(left, right)) return true
  return jsonEquals(withoutEmpty({ allOf: left }), withoutEmpty({ allOf: right }))
}

/** Keywords that hold schemas, or rules, by name. */
const MAPS = new Set(['properties', 'patternProperties', 'definitions', 'dependencies'])
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'enum', 'required', 'x-kubernetes-list-map-keys', VALIDATIONS])
/** Keywords that hold values of any kind. */
const VALUES = new Set(['default', 'example', 'enum'])

function withoutEmpty(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([name, value]) => {
    return value !== undefined && !((MAPS.has(name) || LISTS.has(name)) && isEmpty(value))
  })
  return Object.fromEntries(kept.map(([name, value = null]) => [name, innerOf(name, value)]))
}

function innerOf(keyword: string, value: JsonValue): JsonValue {
  if (VALUES.has(keyword)) return value
  if (isJsonArray(value)) return value.map((item) => (isJsonObject(item) ? withoutEmpty(item) : item))
  if (!isJsonObject(value)) return value
  if (!MAPS.has(keyword)) return withoutEmpty(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isJsonObject(inner) ? withoutEmpty(inner) : inner]),
  )
}

function isEmpty(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.length === 0
  return isJsonObject(value) && Object.keys(value).length === 0
}

/** Whether a version has a status with an endpoint of its own; without a version, whether any has. */
export function hasStatusEndpoint({ versions, shared }: InternalSpec, version?: JsonObject): boolean {
  if (version === undefined) return [shared, ...versions].some((each) => hasStatus(each.subresources))
  const areShared = versions.every(({ subresources }) => subresources === undefined)
  if (areShared) return hasStatus(shared.subresources)
  // Of versions that have one name, the first counts.
  return hasStatus(versions.find(({ name }) => name === version.name)?.subresources)
}

function hasStatus(subresources: JsonValue | undefined): boolean {
  return isJsonObject(subresources) && isJsonObject(subresources.status)
}
