import type { JsonObject, JsonValue } from '../../../base/json.ts'
import type { FieldError } from '../../../schema/field-error.ts'
import { additionalSchemaOf, type Schema, type ValidationRule } from '../../../schema/schema.ts'
import type { CelType } from '../../cel/cel-type.ts'
import { type CompiledRule, compileRules } from './compile-rules.ts'
import { escapeName } from './escape-name.ts'
import { schemaType } from './schema-type.ts'

/** What the server says against the CEL rules of a schema: those that do not compile. */
export function checkValidations(schema: Schema, path: string): readonly FieldError[] {
  return checkNode({ schema, path, type: undefined, isResource: true, uncorrelatable: undefined })
}

interface Place {
  readonly schema: Schema
  readonly path: string
  /** As known from the schema around. */
  readonly type: CelType | undefined
  readonly isResource: boolean
  /** The list or map around whose items have no past. */
  readonly uncorrelatable: string | undefined
}

/** What is inside comes first. */
function checkNode(place: Place): readonly FieldError[] {
  const { schema, path } = place
  const { 'x-kubernetes-validations': rules = [] } = schema
  const own = rules.length === 0 ? [] : checkOwn(rules, place)
  return [
    ...innerPlaces(place).flatMap(checkNode),
    ...own.map((error) => ({ ...error, field: `${path}.${error.field}` })),
  ]
}

function innerPlaces({ schema, path, type, uncorrelatable }: Place): readonly Place[] {
  const element = type?.kind === 'map' ? type.params[1] : type?.params[0]
  const values = additionalSchemaOf(schema)
  const inList = schema['x-kubernetes-list-type'] === 'map' ? uncorrelatable : (uncorrelatable ?? path)
  const place = (inner: Schema, at: string, innerType: CelType | undefined): Place => ({
    schema: inner,
    path: `${path}.${at}`,
    type: innerType,
    isResource: inner['x-kubernetes-embedded-resource'] === true,
    uncorrelatable,
  })
  const properties = Object.entries(schema.properties ?? {}).sort(([a], [b]) => Number(a > b) - Number(a < b))
  return [
    ...(values ? [place(values, 'additionalProperties', element)] : []),
    ...properties.map(([name, inner]) => {
      const field = escapeName(name)
      return place(inner, `properties[${name}]`, field === undefined ? undefined : type?.fields?.get(field))
    }),
    ...(schema.allOf ?? []).map((inner, index) => place(inner, `allOf[${index}]`, type)),
    ...(schema.items ? [{ ...place(schema.items, 'items', element), uncorrelatable: inList }] : []),
  ]
}

function checkOwn(
  rules: readonly ValidationRule[],
  { schema, isResource, uncorrelatable, ...place }: Place,
): readonly FieldError[] {
  const type = place.type ?? schemaType(schema, isResource)
  if (!type) {
    const detail = 'unable to convert structural schema to CEL declarations'
    const message = `internal error: failed to construct type information for x-kubernetes-validations rules: ${detail}`
    return [{ type: 'Internal', field: 'x-kubernetes-validations', detail: message }]
  }
  const compiled = compileRules(rules, schema, type)
  return compiled.flatMap((rule, index) =>
    errorsOf(rule, uncorrelatable).map((error) => ({
      ...error,
      field: `x-kubernetes-validations[${index}].${error.field}`,
    })),
  )
}

function errorsOf(
  { rule, error, messageError, usesOldSelf }: CompiledRule,
  uncorrelatable?: string,
): readonly FieldError[] {
  const value = internalForm(rule)
  const errors: FieldError[] = []
  if (error !== undefined) errors.push({ type: 'Invalid', field: 'rule', value, detail: error })
  if (messageError !== undefined) {
    errors.push({ type: 'Invalid', field: 'messageExpression', value, detail: messageError })
  }
  if (usesOldSelf && uncorrelatable !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`
    errors.push({ type: 'Invalid', field: 'rule', value: rule.rule, detail })
  }
  if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
    const detail = 'may not be set if oldSelf is not used in rule'
    errors.push({ type: 'Invalid', field: 'optionalOldSelf', value: rule.optionalOldSelf, detail })
  }
  return errors
}

/** The real server prints the struct that it keeps a rule in. */
function internalForm(rule: ValidationRule): JsonValue {
  const form: JsonObject = {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  }
  return form
}
