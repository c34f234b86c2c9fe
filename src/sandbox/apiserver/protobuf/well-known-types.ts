import type { JsonObject, JsonValue } from '../../../core/base/json.ts'

type Fields = { readonly [name: string]: JsonValue | undefined }

/** Messages that are something else than an object in JSON. */
const CONVERTERS: Readonly<Record<string, (fields: Fields) => JsonValue>> = {
  'apis.meta.v1.Time': (fields) => timeOf(fields, 0),
  'apis.meta.v1.MicroTime': (fields) => timeOf(fields, 6),
  'apis.meta.v1.Duration': ({ duration }) => `${Number(duration ?? 0) / 1e9}s`,
  'apis.meta.v1.Verbs': itemsOf,
  'apis.meta.v1.FieldsV1': ({ Raw }) => parseRaw(Raw),
  'apis.apiextensions.v1.JSON': ({ raw }) => parseRaw(raw),
  'apis.apiextensions.v1.JSONSchemaPropsOrArray': ({ schema, jSONSchemas }) => jSONSchemas ?? schema ?? null,
  'apis.apiextensions.v1.JSONSchemaPropsOrBool': ({ schema, allows }) => schema ?? allows ?? false,
  'apis.apiextensions.v1.JSONSchemaPropsOrStringArray': ({ schema, property }) => property ?? schema ?? null,
  'api.authentication.v1.ExtraValue': itemsOf,
  'api.authorization.v1.ExtraValue': itemsOf,
  'api.certificates.v1.ExtraValue': itemsOf,
  'api.resource.Quantity': ({ string }) => string ?? '0',
  'runtime.RawExtension': ({ raw }) => parseRaw(raw),
  'util.intstr.IntOrString': ({ type, intVal, strVal }) => (type === 1 ? (strVal ?? '') : (intVal ?? 0)),
}

/** The JSON of a decoded message. */
export function convertWellKnown(message: string, fields: Fields): JsonValue {
  const convert = Object.hasOwn(CONVERTERS, message) ? CONVERTERS[message] : undefined
  return convert ? convert(fields) : (fields as JsonObject)
}

function itemsOf({ items }: Fields): JsonValue {
  return items ?? []
}

function parseRaw(base64: JsonValue | undefined): JsonValue {
  return typeof base64 === 'string' && base64 !== '' ? JSON.parse(Buffer.from(base64, 'base64').toString()) : null
}

/** A time that was never set is empty, or the year 1. */
function timeOf({ seconds, nanos }: Fields, digits: number): JsonValue {
  if (typeof seconds !== 'number' || seconds < -62_000_000_000) return null
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19)
  const fraction = String(nanos ?? 0)
    .padStart(9, '0')
    .slice(0, digits)
  return digits === 0 ? `${whole}Z` : `${whole}.${fraction}Z`
}
