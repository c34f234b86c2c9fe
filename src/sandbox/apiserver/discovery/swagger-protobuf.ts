import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'

/**
 * The definitions of an OpenAPI v2 document in the protobuf of gnostic, the only form that kubectl reads of it. Paths are
 * left out: nothing in kubectl needs them.
 */
export function swaggerProtobuf({ swagger, info, definitions }: JsonObject): Buffer {
  const { title, version } = info as JsonObject
  return Buffer.concat([
    text(1, swagger),
    message(2, [text(1, title), text(2, version)]),
    message(9, namedSchemas(definitions)),
  ])
}

function namedSchemas(schemas: JsonValue | undefined): readonly Buffer[] {
  if (!isJsonObject(schemas)) return []
  return Object.entries(schemas).map(([name, schema]) => message(1, [text(1, name), message(2, schemaFields(schema))]))
}

/** Fields that take a text, by their numbers in `openapi.v2.Schema`. */
const TEXTS: Readonly<Record<string, number>> = { $ref: 1, format: 2, title: 3, description: 4, pattern: 13 }
const DOUBLES: Readonly<Record<string, number>> = { multipleOf: 6, maximum: 7, minimum: 9 }
const INTEGERS: Readonly<Record<string, number>> = {
  exclusiveMaximum: 8,
  exclusiveMinimum: 10,
  maxLength: 11,
  minLength: 12,
  maxItems: 14,
  minItems: 15,
  uniqueItems: 16,
  maxProperties: 17,
  minProperties: 18,
}

function schemaFields(schema: JsonValue | undefined): readonly Buffer[] {
  if (!isJsonObject(schema)) return []
  return Object.entries(schema).flatMap(([name, value]) => {
    if (value === undefined) return []
    const [asText, asDouble, asInteger] = [TEXTS[name], DOUBLES[name], INTEGERS[name]]
    if (asText !== undefined) return [text(asText, value)]
    if (asDouble !== undefined) return [double(asDouble, Number(value))]
    if (asInteger !== undefined) return [integer(asInteger, Number(value))]
    return schemaMember(name, value)
  })
}

function schemaMember(name: string, value: JsonValue): readonly Buffer[] {
  const items = isJsonArray(value) ? value : []
  switch (name) {
    case 'required':
      return items.map((each) => text(19, each))
    case 'enum':
      return items.map((each) => message(20, [text(2, JSON.stringify(each))]))
    case 'additionalProperties':
      return [message(21, [isJsonObject(value) ? message(1, schemaFields(value)) : integer(2, Number(value))])]
    case 'type':
      return [message(22, [text(1, value)])]
    case 'items':
      return [message(23, [message(1, schemaFields(value))])]
    case 'allOf':
      return items.map((each) => message(24, schemaFields(each)))
    case 'properties':
      return [message(25, namedSchemas(value))]
    default:
      return name.startsWith('x-') ? [message(31, [text(1, name), message(2, [text(2, JSON.stringify(value))])])] : []
  }
}

const VARINT = 0
const FIXED64 = 1
const BYTES = 2

function text(field: number, value: JsonValue | undefined): Buffer {
  return bytes(field, Buffer.from(String(value ?? '')))
}

function message(field: number, parts: readonly Buffer[]): Buffer {
  return bytes(field, Buffer.concat(parts))
}

function bytes(field: number, content: Buffer): Buffer {
  return Buffer.concat([varint((field << 3) | BYTES), varint(content.length), content])
}

function integer(field: number, value: number): Buffer {
  return Buffer.concat([varint((field << 3) | VARINT), varint(value)])
}

function double(field: number, value: number): Buffer {
  const content = Buffer.alloc(8)
  content.writeDoubleLE(value)
  return Buffer.concat([varint((field << 3) | FIXED64), content])
}

function varint(value: number): Buffer {
  const found: number[] = []
  let rest = BigInt.asUintN(64, BigInt(Math.trunc(value)))
  for (; rest > 0x7fn; rest >>= 7n) found.push(Number(rest & 0x7fn) | 0x80)
  return Buffer.from([...found, Number(rest)])
}
