import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { compareText } from './go-json.ts'
import type { Schema, ValidationRule } from './schema.ts'

/** A schema of a CRD as the real server prints it: the struct that it keeps it in, with every field of it. */
export function schemaStruct(schema: Schema): JsonObject {
  const given = schema as JsonObject
  return Object.fromEntries(FIELDS.map(([name, keyword, print]) => [name, print(given[keyword])]))
}

/** The same of a rule. */
export function ruleStruct(rule: ValidationRule): JsonObject {
  return {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  }
}

type Print = (value: JsonValue | undefined) => JsonValue

const text: Print = (value) => value ?? ''
const flag: Print = (value) => value ?? false
/** A pointer, a list of scalars, or any JSON: maps stand in the order of their keys. */
const plain: Print = (value) => {
  if (isJsonArray(value)) return value.map(plain)
  return isJsonObject(value) ? mapOf(value, plain) : (value ?? null)
}
const schemaOrNull: Print = (value) => (isJsonObject(value) ? schemaStruct(value as Schema) : null)
const schemas: Print = (value) => (isJsonArray(value) ? value.map(schemaOrNull) : null)
const schemasByName: Print = (value) => (isJsonObject(value) ? mapOf(value, schemaOrNull) : null)
const schemaOrSwitch: Print = (value) =>
  value === undefined ? null : { Allows: value !== false, Schema: schemaOrNull(value) }
const schemaOrList: Print = (value) =>
  value === undefined ? null : { Schema: schemaOrNull(value), JSONSchemas: schemas(value) }
const dependency: Print = (value) => ({ Schema: schemaOrNull(value), Property: isJsonArray(value) ? value : null })
const dependencies: Print = (value) => (isJsonObject(value) ? mapOf(value, dependency) : null)
const docs: Print = (value) =>
  isJsonObject(value) ? { Description: text(value.description), URL: text(value.url) } : null
const rules: Print = (value) =>
  isJsonArray(value) ? value.map((rule) => ruleStruct(rule as unknown as ValidationRule)) : null

function mapOf(map: JsonObject, print: Print): JsonObject {
  const names = Object.keys(map).sort(compareText)
  return Object.fromEntries(names.map((name) => [name, print(map[name])]))
}

/** In the order of the struct: its name of each field, the keyword, and how it is printed. */
const FIELDS: readonly (readonly [name: string, keyword: string, print: Print])[] = [
  ['ID', 'id', text],
  ['Schema', '$schema', text],
  ['Ref', '$ref', plain],
  ['Description', 'description', text],
  ['Type', 'type', text],
  ['Nullable', 'nullable', flag],
  ['Format', 'format', text],
  ['Title', 'title', text],
  ['Default', 'default', plain],
  ['Maximum', 'maximum', plain],
  ['ExclusiveMaximum', 'exclusiveMaximum', flag],
  ['Minimum', 'minimum', plain],
  ['ExclusiveMinimum', 'exclusiveMinimum', flag],
  ['MaxLength', 'maxLength', plain],
  ['MinLength', 'minLength', plain],
  ['Pattern', 'pattern', text],
  ['MaxItems', 'maxItems', plain],
  ['MinItems', 'minItems', plain],
  ['UniqueItems', 'uniqueItems', flag],
  ['MultipleOf', 'multipleOf', plain],
  ['Enum', 'enum', plain],
  ['MaxProperties', 'maxProperties', plain],
  ['MinProperties', 'minProperties', plain],
  ['Required', 'required', plain],
  ['Items', 'items', schemaOrList],
  ['AllOf', 'allOf', schemas],
  ['OneOf', 'oneOf', schemas],
  ['AnyOf', 'anyOf', schemas],
  ['Not', 'not', schemaOrNull],
  ['Properties', 'properties', schemasByName],
  ['AdditionalProperties', 'additionalProperties', schemaOrSwitch],
  ['PatternProperties', 'patternProperties', schemasByName],
  ['Dependencies', 'dependencies', dependencies],
  ['AdditionalItems', 'additionalItems', schemaOrSwitch],
  ['Definitions', 'definitions', schemasByName],
  ['ExternalDocs', 'externalDocs', docs],
  ['Example', 'example', plain],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', plain],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', flag],
  ['XIntOrString', 'x-kubernetes-int-or-string', flag],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', plain],
  ['XListType', 'x-kubernetes-list-type', plain],
  ['XMapType', 'x-kubernetes-map-type', plain],
  ['XValidations', 'x-kubernetes-validations', rules],
]
