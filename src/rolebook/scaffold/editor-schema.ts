import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import { withSingleMessages } from './single-messages.ts'

/** What an editor shows of a schema as a whole, and the address that names it. */
export interface SchemaTitle {
  readonly $id: string
  readonly title: string
  readonly description: string
}

/** Keywords whose value is a schema. */
const ONE = new Set(['items', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'])
/** Keywords whose value is a list of schemas. */
const SEVERAL = new Set(['anyOf', 'oneOf', 'allOf'])
/** Keywords whose value is a map of schemas. */
const NAMED = new Set(['properties', 'definitions'])

/**
 * A schema of ours (2020-12, with `explain`) as editors understand it: draft-07, with `patternErrorMessage`, the keyword
 * of the YAML and JSON language servers, and one message for one mistake.
 */
export function toEditorSchema(schema: JsonObject, title: SchemaTitle): JsonObject {
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...title, ...(translate(schema) as JsonObject) }
}

function translate(schema: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return schema
  const { explain, $defs, ...rest } = schema
  const source = {
    ...rest,
    ...($defs === undefined ? {} : { definitions: $defs }),
    ...(explain === undefined || rest.pattern === undefined ? {} : { patternErrorMessage: explain }),
  }
  const entries = Object.entries(source).map(([keyword, value]) => [
    keyword,
    translateValue(keyword, value as JsonValue),
  ])
  return withSingleMessages(withReferenceApart(Object.fromEntries(entries)))
}

function translateValue(keyword: string, value: JsonValue): JsonValue {
  if (keyword === '$ref') return String(value).replace('#/$defs/', '#/definitions/')
  if (ONE.has(keyword)) return translate(value)
  if (SEVERAL.has(keyword) && isJsonArray(value)) return value.map(translate)
  if (!NAMED.has(keyword) || !isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one = {}]) => [name, translate(one)]))
}

/** Up to draft-07, validators ignore all keywords beside `$ref`. So these move into an object of their own. */
function withReferenceApart({ $ref, ...others }: JsonObject): JsonObject {
  return $ref === undefined ? others : { ...others, allOf: [{ $ref }] }
}
