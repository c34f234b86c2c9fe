import { isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import { gvkOf } from '../../core/kube/group-version-kind.ts'
import { checkShapes } from '../../core/schema/check-shape.ts'
import { checkCrdSchemas } from '../../core/schema/crd-schemas.ts'
import { type FieldError, printFieldErrorBody } from '../../core/schema/field-error.ts'
import { prune } from '../../core/schema/prune.ts'
import { validate } from '../../core/schema/validate.ts'
import { type Diagnostic, diagnosticAt } from '../../core/yaml/diagnostic.ts'
import type { KindSchemas } from '../../engine/role/kind-schemas.ts'
import type { Manifest } from './parse-manifests.ts'

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
  return errors.filter((error) => !isRepeated(error)).map((error) => refusal(crd, error, 'RB1317'))
}

/** What an API server would say against a sample; nothing of kinds without a schema. */
export function checkSample(sample: Manifest, schemas: KindSchemas): readonly Diagnostic[] {
  const { document, object } = sample
  const schema = schemas.get(gvkOf(object))
  if (schema === undefined) return []
  const { value, unknown } = prune<JsonValue>(object, schema)
  const unknownFields = unknown.map((field) => {
    const message = `\`${field}\` is a field that the schema of ${object.kind} does not have: a server drops it`
    return diagnosticAt(document.locate(pathOf(object, field), 'key'), { severity: 'warning', code: 'RB1318', message })
  })
  // What is wrong with a field is said of the whole object, too, in other words.
  const errors = validate(value, schema).filter(({ field }, _index, all) => field !== '' || all.length === 1)
  return [...unknownFields, ...errors.map((error) => refusal(sample, error, 'RB1318'))]
}

/** What a server says against a field, at its place. */
export function refusal({ document, object }: Manifest, error: FieldError, code: string): Diagnostic {
  const field = error.field.replace(COMMON_SCHEMA, '')
  // A server shows a schema as the struct that it keeps it in, in thousands of letters.
  const body = error.shown === 'struct' ? error.detail : printFieldErrorBody(error)
  const message = `a server refuses \`${field}\`: ${body}`
  return diagnosticAt(document.locate(pathOf(object, error.field)), { code, message })
}

/** `openAPIV3Schema.properties.size.allOf[0]` */
function formatPath(path: JsonPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? step : `${text}.${step}`
  }, '')
}

/** When all versions have the same schema, a server speaks of it as of one. */
const COMMON_SCHEMA = 'spec.validation.'

/** `spec.ports[0].name` and `properties[size].type` as a path; it ends where the value does. */
export function pathOf(object: JsonValue, field: string): JsonPath {
  const place = field.startsWith(COMMON_SCHEMA) ? field.replace(COMMON_SCHEMA, 'spec.versions[0].schema.') : field
  const steps = place.split(/[.[\]]+/).filter((step) => step !== '')
  const path: (string | number)[] = []
  let here: JsonValue | undefined = object
  for (let at = 0; at < steps.length; at++) {
    if (isJsonArray(here)) {
      path.push(Number(steps[at]))
      here = here[Number(steps[at])]
      continue
    }
    // What a server has made of an object may have more in it than was written.
    if (!isJsonObject(here)) break
    const fields = here
    // A key may have dots of its own.
    const end = steps.findIndex(
      (_step, last) => last >= at && fields[steps.slice(at, last + 1).join('.')] !== undefined,
    )
    if (end < 0) break
    const key = steps.slice(at, end + 1).join('.')
    path.push(key)
    here = fields[key]
    at = end
  }
  return path
}
