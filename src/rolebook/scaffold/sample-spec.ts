import type { JsonObject, JsonValue } from '../../core/base/json.ts'
import type { Schema } from '../../core/schema/schema.ts'

/** What a sample says: each field that has no default, with a value that fits its name and its schema. */
export function sampleSpec(schema: Schema): JsonObject {
  const value = sampleValue(schema, 'spec')
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

function sampleValue(schema: Schema, name: string): JsonValue | undefined {
  const { type, items, properties, additionalProperties, default: fallback, enum: allowed } = schema
  if (fallback !== undefined && (typeof fallback !== 'object' || fallback === null)) return undefined
  if (allowed?.[0] !== undefined) return allowed[0]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return numberFor(schema, name)
  if (type === 'array') return fallback === undefined && items ? [sampleValue(items, singular(name)) ?? {}] : undefined
  if (type === 'string') return textFor(name, schema)
  if (typeof additionalProperties === 'object')
    return fallback === undefined ? { example: sampleValue(additionalProperties, name) ?? {} } : undefined
  if (properties === undefined) return type === 'object' && fallback === undefined ? {} : undefined
  const fields = Object.entries(properties).flatMap(([key, field]) => {
    const value = sampleValue(field, key)
    return value === undefined ? [] : [[key, value] as const]
  })
  return fields.length === 0 && fallback !== undefined ? undefined : Object.fromEntries(fields)
}

function numberFor({ minimum, maximum }: Schema, name: string): number {
  const wanted = /port/i.test(name) ? 8080 : 1
  return Math.min(Math.max(wanted, minimum ?? wanted), maximum ?? wanted)
}

/** Texts for what a field may want, by its name. */
const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/image$/i, 'nginx:1.29'],
  [/namespace/i, 'default'],
  [/cidr/i, '10.0.0.0/16'],
  [/host|domain|fqdn|dns/i, 'host.example.com'],
  [/schedule|cron/i, '0 3 * * *'],
  [/url|uri|endpoint/i, 'https://host.example.com'],
  [/cpu/i, '250m'],
  [/memory|storage|size|capacity|disk/i, '1Gi'],
  [/timeout|interval|duration|period|ttl/i, '5m'],
  [/path$/i, '/'],
  [/port$/i, '8080'],
]

function textFor(name: string, { minLength = 0, maxLength }: Schema): string {
  const text =
    BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? (name.toLowerCase().replace(/[^a-z0-9]/g, '') || 'example')
  return text.padEnd(minLength, 'x').slice(0, maxLength)
}

function singular(name: string): string {
  return name.replace(/s$/, '')
}
