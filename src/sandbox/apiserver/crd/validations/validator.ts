import { isJsonArray, isJsonObject, type JsonValue } from '../../../../core/base/json.ts'
import { additionalSchemaOf, type Schema } from '../../../../core/schema/schema.ts'
import type { CelType } from '../../cel/cel-type.ts'
import { type CompiledRule, compileRules } from './compile-rules.ts'
import { escapeName } from './escape-name.ts'
import { schemaType } from './schema-type.ts'

/** The rules of a schema, in its shape; only where there are any. */
export interface Validator {
  readonly schema: Schema
  readonly type: CelType
  readonly rules: readonly CompiledRule[]
  readonly items: Validator | undefined
  readonly values: Validator | undefined
  readonly properties: ReadonlyMap<string, Validator>
}

/** Compiles all rules of a schema: of a custom resource, or of a part of one. */
export function compileValidator(schema: Schema, { isResource = true } = {}): Validator | undefined {
  if (!hasRules(schema)) return undefined
  const type = schemaType(schema, isResource)
  return type && build(schema, type)
}

/** There are none within `allOf`: a schema with such rules is not structural. */
function build(schema: Schema, type: CelType): Validator | undefined {
  const element = type.kind === 'map' ? type.params[1] : type.params[0]
  const compiled = compileRules(schema['x-kubernetes-validations'] ?? [], schema, type)
  const items = buildInner(schema.items, element)
  const values = buildInner(additionalSchemaOf(schema), element)
  const properties = buildProperties(schema, type)
  const isEmpty = compiled.length + properties.size === 0 && !items && !values
  return isEmpty ? undefined : { schema, type, rules: compiled, items, values, properties }
}

function buildInner(schema: Schema | undefined, type: CelType | undefined): Validator | undefined {
  if (!schema) return undefined
  const inner = type ?? schemaType(schema, schema['x-kubernetes-embedded-resource'] === true)
  return inner && build(schema, inner)
}

function buildProperties(schema: Schema, type: CelType): ReadonlyMap<string, Validator> {
  const found = new Map<string, Validator>()
  for (const [name, declared] of Object.entries(schema.properties ?? {})) {
    const field = escapeName(name)
    const fieldType = field === undefined ? undefined : type.fields?.get(field)
    if (declared.definition !== undefined || (field !== undefined && !fieldType)) continue
    const inner = buildInner(declared, fieldType)
    if (inner) found.set(name, inner)
  }
  return found
}

function hasRules(schema: Schema): boolean {
  if (schema.definition !== undefined) return false
  if (schema['x-kubernetes-validations']?.length) return true
  const inner = [schema.items, additionalSchemaOf(schema), ...Object.values(schema.properties ?? {})]
  return inner.some((one) => one !== undefined && hasRules(one))
}

export interface Child {
  readonly validator: Validator
  readonly value: JsonValue
  readonly old: JsonValue | undefined
  readonly path: string
  readonly key: string | number
}

/** The values below one that have rules, with the stored values that they replace. */
export function childrenOf(
  validator: Validator,
  value: JsonValue,
  old: JsonValue | undefined,
  path: string,
): readonly Child[] {
  const { items, values, properties, schema } = validator
  if (isJsonArray(value)) {
    if (!items) return []
    return value.map((item, key) => ({
      validator: items,
      value: item,
      old: correlatedItem(schema, item, old),
      path: `${path}[${key}]`,
      key,
    }))
  }
  if (!isJsonObject(value)) return []
  const before = isJsonObject(old) ? old : {}
  return Object.entries(value).flatMap(([key, inner]): readonly Child[] => {
    if (inner === undefined) return []
    const property = properties.get(key)
    const common = { value: inner, old: Object.hasOwn(before, key) ? before[key] : undefined, key }
    return [
      ...(values ? [{ ...common, validator: values, path: `${path}[${key}]` }] : []),
      ...(property ? [{ ...common, validator: property, path: path === '' ? key : `${path}.${key}` }] : []),
    ]
  })
}

/** Only items of lists of type `map` have an identity. */
function correlatedItem(schema: Schema, item: JsonValue, old: JsonValue | undefined): JsonValue | undefined {
  const { 'x-kubernetes-list-type': listType, 'x-kubernetes-list-map-keys': keys = [] } = schema
  if (listType !== 'map' || !isJsonArray(old) || !isJsonObject(item)) return undefined
  return old.find((candidate) => isJsonObject(candidate) && keys.every((key) => candidate[key] === item[key]))
}
