import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import type { Schema } from '../../core/schema/schema.ts'
import { validate } from '../../core/schema/validate.ts'

/** How deep a value is made. */
const DEEPEST = 12

/** Texts for what a field may want, by its name. */
const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/image$/i, 'example.com/image:1.0'],
  [/host|domain|fqdn/i, 'host.example.com'],
  [/schedule|cron/i, '0 0 * * *'],
  [/url|uri|endpoint/i, 'https://host.example.com'],
  [/cpu/i, '250m'],
  [/memory|storage|size|capacity|disk|bytes/i, '1Gi'],
  [/timeout|interval|duration|period|ttl|retention/i, '5m'],
  [/path|dir$/i, '/made'],
  [/email/i, 'made@example.com'],
]

/** For a text that a pattern or a format restricts: the first one that fits. */
const CANDIDATES = [
  ...[
    'made',
    'Made',
    'm',
    '1',
    '10',
    '1Gi',
    '250m',
    '5m',
    '10s',
    '1h',
    '0 0 * * *',
    'v1.0.0',
    '1.0.0',
    '1.0',
    'v1',
    '10%',
  ],
  ...[
    'host.example.com',
    'https://host.example.com',
    '192.0.2.1',
    '192.0.2.0/24',
    '2001:db8::1',
    '/made',
    '#336699',
    'MADE',
  ],
  ...['made@example.com', '2026-01-01T00:00:00Z', '2026-01-01', '123e4567-e89b-42d3-a456-426614174000', 'bWFkZQ=='],
]

/** Makes values that schemas allow, and remembers which texts were made up. */
export class MadeValues {
  /** Texts that nothing but the maker has chosen. */
  readonly invented = new Set<string>()

  /** A value with all that the schema names, on top of a `given` one. `undefined`: none could be made. */
  full(schema: Schema, given: JsonValue | undefined, name = '', depth = 0): JsonValue | undefined {
    if (depth > DEEPEST) return given
    const { properties = {}, items } = schema
    if (given === undefined && schema.default !== undefined && !isJsonObject(schema.default)) return schema.default
    if (isJsonObject(given) || (given === undefined && schema.type === 'object')) {
      const fields = Object.entries(properties).map(([key, inner]) => [
        key,
        this.full(inner, (given as JsonObject | undefined)?.[key], key, depth + 1),
      ])
      return {
        ...(given as JsonObject | undefined),
        ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)),
      }
    }
    if (isJsonArray(given)) return items ? given.map((item) => this.full(items, item, name, depth + 1) ?? item) : given
    if (given === undefined && schema.type === 'array' && items) {
      const item = this.full(items, undefined, name, depth + 1)
      return item === undefined ? [] : [item]
    }
    return given ?? this.scalar(schema, name)
  }

  /** A value with what the schema requires, as a `given` one has it where there is one. */
  least(schema: Schema, given: JsonValue | undefined, name = '', depth = 0): JsonValue | undefined {
    if (depth > DEEPEST) return given
    const { properties = {}, required = [], items, minItems = 0 } = schema
    if (schema.default !== undefined) return undefined
    if (schema.type === 'object') {
      const fields = required.flatMap((key) => {
        const inner = properties[key]
        const value = inner && this.least(inner, isJsonObject(given) ? given[key] : undefined, key, depth + 1)
        return value === undefined ? [] : [[key, value] as const]
      })
      return Object.fromEntries(fields)
    }
    if (schema.type === 'array' && items) {
      const former = isJsonArray(given) ? given : []
      return Array.from({ length: minItems }, (_, index) => this.least(items, former[index], name, depth + 1) ?? null)
    }
    return given ?? this.scalar(schema, name)
  }

  scalar(schema: Schema, name: string): JsonValue | undefined {
    const { type, enum: allowed, minimum, maximum } = schema
    if (allowed && allowed.length > 0) return allowed[0]
    if (type === 'boolean') return true
    if (schema['x-kubernetes-int-or-string'] === true) return 1
    if (type === 'integer' || type === 'number') {
      const wanted = /port/i.test(name) ? 8080 : 1
      return Math.min(Math.max(wanted, minimum ?? wanted), maximum ?? Number.MAX_SAFE_INTEGER)
    }
    return type === 'string' ? this.#text(schema, name) : undefined
  }

  #text(schema: Schema, name: string): string | undefined {
    const fitting = BY_NAME.find(([pattern]) => pattern.test(name))?.[1]
    const tried = [...(fitting === undefined ? [] : [fitting]), ...CANDIDATES]
    const text = tried.find((one) => validate(one, schema).length === 0)
    if (text !== undefined) this.invented.add(text)
    return text
  }
}

/** Values that differ from one in a single place. */
export interface Variation {
  readonly value: JsonValue | undefined
  /** What is special about it: `without spec.size`. */
  readonly what: string
}

/** One variation for each field that may be absent, each value of an enumeration, each bound of a number, and each shorter list. */
export function variationsOf(
  value: JsonValue | undefined,
  schema: Schema,
  path: string,
  depth = 0,
): readonly Variation[] {
  if (depth > DEEPEST || value === undefined) return []
  if (isJsonObject(value)) return ofObject(value, schema, path, depth)
  if (isJsonArray(value)) return ofList(value, schema, path, depth)
  return otherScalars(value, schema).map((other) => ({
    value: other,
    what: `with \`${path}: ${JSON.stringify(other)}\``,
  }))
}

function ofObject(value: JsonObject, schema: Schema, path: string, depth: number): readonly Variation[] {
  const { properties = {}, required = [] } = schema
  return Object.entries(value).flatMap(([key, inner]) => {
    const place = `${path}.${key}`
    const field =
      properties[key] ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {})
    const { [key]: _left, ...others } = value
    const absent = required.includes(key) ? [] : [{ value: others, what: `without \`${place}\`` }]
    const within = variationsOf(inner, field, place, depth + 1)
    return [...absent, ...within.map((one) => ({ ...one, value: { ...value, [key]: one.value } }))]
  })
}

function ofList(value: JsonArray, schema: Schema, path: string, depth: number): readonly Variation[] {
  const { items = {}, minItems = 0 } = schema
  const empty = value.length > 0 && minItems === 0 ? [{ value: [], what: `with an empty \`${path}\`` }] : []
  const [first, ...rest] = value
  const within = variationsOf(first, items, `${path}[0]`, depth + 1)
  return [...empty, ...within.map((one) => ({ ...one, value: [one.value as JsonValue, ...rest] }))]
}

function otherScalars(value: JsonValue, { enum: allowed, type, minimum, maximum }: Schema): readonly JsonValue[] {
  const bounds = type === 'integer' ? [minimum, maximum] : []
  const all = allowed ?? (type === 'boolean' ? [true, false] : bounds.filter((one) => one !== undefined))
  return all.filter((one) => one !== value)
}
