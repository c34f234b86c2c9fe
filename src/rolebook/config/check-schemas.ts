import { getPath, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import { gvkOf } from '../../core/kube/group-version-kind.ts'
import { checkShapes } from '../../core/schema/check-shape.ts'
import { checkCrdSchemas } from '../../core/schema/crd-schemas.ts'
import { type FieldError, printFieldErrorBody } from '../../core/schema/field-error.ts'
import { schemaAt } from '../../core/schema/navigate.ts'
import { prune } from '../../core/schema/prune.ts'
import type { Schema } from '../../core/schema/schema.ts'
import { validate } from '../../core/schema/validate.ts'
import { type Diagnostic, diagnosticAt } from '../../core/yaml/diagnostic.ts'
import type { KindSchemas } from '../../engine/role/kind-schemas.ts'
import { COMMON_SCHEMA, pathOf } from './field-path.ts'
import type { Manifest } from './parse-manifests.ts'
import { plainRefusal } from './plain-refusal.ts'
import { refusalHint } from './refusal-hint.ts'
import { unknownFieldsOf } from './unknown-fields.ts'

/** What an API server would say against the schemas of a CRD that `checkCrd` has found in order. */
export function checkSchemasOf(crd: Manifest): readonly Diagnostic[] {
  const { document, object } = crd
  const misshapen = checkShapes(object.spec)
  if (misshapen.length > 0) {
    return misshapen.map(({ path, wanted }) => {
      const message = `\`${formatPath(path.slice(4))}\` has to be ${wanted}`
      return diagnosticAt(document.locate(path), { code: 'RB1317', message })
    })
  }
  const errors = checkCrdSchemas({ spec: object.spec })
  // What is wrong within a schema is said of the whole schema, too.
  const isRepeated = ({ field, shown }: FieldError): boolean =>
    shown === 'struct' && errors.some((other) => other.field.startsWith(`${field}.`))
  // A default does not fit a type that there is not, and is no mistake of its own.
  const isOfNoType = ({ field }: FieldError): boolean => {
    const type = field.replace(/\.default(?=[.[]|$).*$/, '.type')
    return type !== field && errors.some((other) => other.field === type && other.type === 'NotSupported')
  }
  return errors
    .filter((error) => !isRepeated(error) && !isOfNoType(error))
    .map((error) => refusal(crd, error, { code: 'RB1317' }))
}

/** What an API server would say against a sample; nothing of kinds without a schema. */
export function checkSample(sample: Manifest, schemas: KindSchemas): readonly Diagnostic[] {
  const { document, object } = sample
  const schema = schemas.get(gvkOf(object))
  if (schema === undefined) return []
  const { value } = prune<JsonValue>(object, schema)
  const unknownFields = unknownFieldsOf(object, schema).map(({ field, path, hint }) => {
    const message = `\`${field}\` is a field that the schema of ${object.kind} does not have: a server drops it`
    return diagnosticAt(document.locate(path, 'key'), { severity: 'warning', code: 'RB1318', message, hint })
  })
  // What is wrong with a field is said of the whole object, too, in other words.
  const errors = validate(value, schema).filter(({ field }, _index, all) => field !== '' || all.length === 1)
  return [...unknownFields, ...errors.map((error) => refusal(sample, error, { code: 'RB1318', schema }))]
}

export interface RefusalOptions {
  readonly code: string
  /** Of the object, where it says what values its fields may have. */
  readonly schema?: Schema
}

/** What a server says against a field, at its place. */
export function refusal({ document, object }: Manifest, error: FieldError, options: RefusalOptions): Diagnostic {
  const field = error.field.replace(COMMON_SCHEMA, '')
  // A server shows a schema as the struct that it keeps it in, in thousands of letters.
  const body = error.shown === 'struct' ? error.detail : plainRefusal(printFieldErrorBody(error))
  const message = `a server refuses \`${field}\`: ${body}`
  const path = pathOf(object, error.field)
  const range = document.locate(path)
  const written = range.source.text.slice(range.start, range.end)
  const schema = options.schema ? schemaAt(options.schema, path) : schemaOfDefault(object, path)
  const hint = refusalHint(error, { value: getPath(object, path), written, schema })
  return diagnosticAt(range, { code: options.code, message, hint })
}

/** The schema that a default stands in. */
function schemaOfDefault(crd: JsonObject, path: JsonPath): Schema | undefined {
  const around = path.at(-1) === 'default' ? getPath(crd, path.slice(0, -1)) : undefined
  return isJsonObject(around) ? (around as Schema) : undefined
}

/** `openAPIV3Schema.properties.size.allOf[0]` */
function formatPath(path: JsonPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? step : `${text}.${step}`
  }, '')
}
