import { additionalSchemaOf, type Schema } from '../../../../core/schema/schema.ts'
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  objectType,
  STRING,
  TIMESTAMP,
  withTraits,
} from '../../cel/cel-type.ts'
import { escapeName } from './escape-name.ts'

/** The type of values of a schema in CEL; none where a schema says too little, so that nothing can be said of them. */
export function schemaType(schema: Schema, isResource: boolean, name = 'selfType'): CelType | undefined {
  if (schema['x-kubernetes-int-or-string']) {
    const max = schema.maxLength === undefined ? MAX_REQUEST_SIZE - 2 : schema.maxLength * 4
    return withTraits(DYN, { maxElements: max, minSize: 1 })
  }
  switch (isResource ? 'object' : schema.type) {
    case 'array':
      return arrayType(schema, name)
    case 'object':
      return objectTypeOf(schema, isResource, name)
    case 'string':
      return textType(schema)
    case 'boolean':
      return withTraits(BOOL, { minSize: 4 })
    case 'number':
      return withTraits(DOUBLE, { minSize: 1 })
    case 'integer':
      return withTraits(INT, { minSize: 1 })
    default:
      return undefined
  }
}

export const MAX_REQUEST_SIZE = 3 * 1024 * 1024

function arrayType(schema: Schema, name: string): CelType | undefined {
  const { items, maxItems, 'x-kubernetes-list-type': listType, 'x-kubernetes-list-map-keys': keys } = schema
  const element = items && schemaType(items, items['x-kubernetes-embedded-resource'] === true, `${name}.@idx`)
  if (!element) return undefined
  const maxElements = maxItems ?? Math.floor((MAX_REQUEST_SIZE - 2) / (sizeOf(element) + 1))
  const isKeyed = listType === 'set' || listType === 'map'
  return listOf(element, {
    maxElements: Math.max(0, maxElements),
    minSize: 2,
    ...(isKeyed && { listType }),
    ...(keys && { listMapKeys: keys.map((key) => escapeName(key) ?? key) }),
  })
}

function objectTypeOf(schema: Schema, isResource: boolean, name: string): CelType | undefined {
  const values = additionalSchemaOf(schema)
  if (values && !isResource) return mapTypeOf(schema, values, name)
  const fields = new Map<string, CelType>()
  const jsonNames = new Map<string, string>()
  let minSize = 2
  for (const [property, inner] of Object.entries(propertiesOf(schema, isResource))) {
    const field = escapeName(property)
    const isEmbedded = inner['x-kubernetes-embedded-resource'] === true
    const type = schemaType(inner, isEmbedded, `${name}.${field ?? property}`)
    if (!type) continue
    if (field !== undefined) {
      fields.set(field, type)
      if (field !== property) jsonNames.set(field, property)
    }
    if (schema.required?.includes(property) && inner.default === undefined)
      minSize += property.length + sizeOf(type) + 4
  }
  return objectType(name, fields, { minSize, jsonNames })
}

function mapTypeOf(schema: Schema, values: Schema, name: string): CelType | undefined {
  const value = schemaType(values, values['x-kubernetes-embedded-resource'] === true, `${name}.@elem`)
  if (!value) return undefined
  const maxElements = schema.maxProperties ?? Math.floor((MAX_REQUEST_SIZE - 2) / (sizeOf(value) + 6))
  return mapOf(STRING, value, { maxElements, minSize: 2 })
}

/** All resources have the same three fields, even if their schema declares them in another way. */
function propertiesOf({ properties = {} }: Schema, isResource: boolean): Readonly<Record<string, Schema>> {
  return isResource ? { ...properties, kind: TEXT, apiVersion: TEXT, metadata: METADATA } : properties
}

const TEXT: Schema = { type: 'string' }
const METADATA: Schema = { type: 'object', properties: { name: TEXT, generateName: TEXT } }

/** How few bytes of JSON a value of the type can be. */
export function sizeOf({ json }: CelType): number {
  return json?.minSize ?? 1
}

function textType({ format, maxLength, enum: values = [] }: Schema): CelType {
  switch (format?.replace('datetime', 'date-time')) {
    case 'byte':
      return withTraits(BYTES, { maxElements: Math.max(0, maxLength ?? MAX_REQUEST_SIZE - 2), minSize: 2 })
    case 'duration':
      return withTraits(DURATION, { maxElements: 32, minSize: 3 })
    case 'date':
      return withTraits(TIMESTAMP, { maxElements: 12, minSize: 12 })
    case 'date-time':
      return withTraits(TIMESTAMP, { maxElements: 32, minSize: 21 })
    default: {
      const longest = values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0))
      const fallback = values.length > 0 ? Math.max(...longest) : MAX_REQUEST_SIZE - 2
      return withTraits(STRING, {
        maxElements: maxLength === undefined ? fallback : Math.max(0, maxLength) * 4,
        minSize: 2,
      })
    }
  }
}
