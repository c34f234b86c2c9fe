import { isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import { ApiError } from '../../core/kube/api-error.ts'
import { gvkOf } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import type { BuiltinSchemas } from '../../core/schema/builtin-schemas.ts'
import { checkShapes } from '../../core/schema/check-shape.ts'
import type { FieldError } from '../../core/schema/field-error.ts'
import { propertySchema, type Schema } from '../../core/schema/schema.ts'
import { type Diagnostic, diagnosticAt } from '../../core/yaml/diagnostic.ts'
import { crdRulesOf } from '../../sandbox/apiserver/crd/crd-rules.ts'
import type { CustomResourceDefinition } from '../../sandbox/apiserver/crd/custom-resource-definition.ts'
import { validateCrd } from '../../sandbox/apiserver/crd/validate-crd.ts'
import type { KindRules } from '../../sandbox/apiserver/kinds/kind-rules.ts'
import { checkSchemasOf, refusal } from './check-schemas.ts'
import type { Manifest } from './parse-manifests.ts'
import { unknownFieldsOf } from './unknown-fields.ts'

/** What an API server would say against a CRD that `checkCrd` has found in order: its fields, its schemas and its rules. */
export function checkWholeCrd(crd: Manifest, builtin: BuiltinSchemas): readonly Diagnostic[] {
  const schema = builtin.get(gvkOf(crd.object))
  // Where no schema stands, its fields are none.
  const hasSchemas = checkShapes(crd.object.spec).length === 0
  const unknown = schema && hasSchemas ? unknownFields(crd, schema) : []
  const found = [...unknown, ...(schema ? misfits(crd, schema) : []), ...checkSchemasOf(crd)]
  return found.length > 0 ? found : refusals(crd, rulesOf(builtin))
}

function unknownFields({ document, object }: Manifest, schema: Schema): readonly Diagnostic[] {
  const { status: _status, ...written } = object
  return unknownFieldsOf(written, schema).map(({ path, name, hint }) => {
    const message = `unknown field \`${name}\`: a server refuses the CRD`
    return diagnosticAt(document.locate(path, 'key'), { code: 'RB1317', message, hint })
  })
}

/** Values of another type than their fields, outside of the schemas of the versions. */
function misfits({ document, object }: Manifest, schema: Schema): readonly Diagnostic[] {
  return misfitsIn(object.spec, schema.properties?.spec, ['spec']).map(({ path, wanted }) =>
    diagnosticAt(document.locate(path), { code: 'RB1317', message: `\`${path.join('.')}\` has to be ${wanted}` }),
  )
}

interface Misfit {
  readonly path: JsonPath
  readonly wanted: string
}

function misfitsIn(value: JsonValue | undefined, schema: Schema | undefined, path: JsonPath): readonly Misfit[] {
  if (value === undefined || value === null || schema === undefined || path.at(-1) === 'openAPIV3Schema') return []
  const wanted = WANTED[String(schema.type)]
  if (wanted && !wanted.fits(value)) return [{ path, wanted: wanted.text }]
  if (isJsonArray(value)) return value.flatMap((item, index) => misfitsIn(item, schema.items, [...path, index]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => misfitsIn(inner, propertySchema(schema, key), [...path, key]))
}

const WANTED: Readonly<Record<string, { readonly text: string; fits(value: JsonValue): boolean }>> = {
  array: { text: 'a list', fits: isJsonArray },
  object: { text: 'a map', fits: isJsonObject },
  string: { text: 'a text', fits: (value) => typeof value === 'string' },
  boolean: { text: 'true or false', fits: (value) => typeof value === 'boolean' },
  integer: { text: 'a whole number', fits: Number.isInteger },
}

const rules = new WeakMap<BuiltinSchemas, KindRules>()

function rulesOf(builtin: BuiltinSchemas): KindRules {
  const known = rules.get(builtin) ?? crdRulesOf(builtin)
  rules.set(builtin, known)
  return known
}

/** What a server says that receives the CRD. It is the first to write a status. */
function refusals(crd: Manifest, { decode, applyDefaults }: KindRules): readonly Diagnostic[] {
  const { status: _status, ...written } = crd.object
  try {
    const decoded = decode?.(written) ?? written
    const complete = applyDefaults?.({ ...decoded, status: {} } as KubeObject) ?? decoded
    return validateCrd(complete as CustomResourceDefinition, undefined).map((error) =>
      refusal(crd, worded(error), { code: 'RB1317' }),
    )
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [diagnosticAt(crd.document.locate([]), { code: 'RB1317', message: `a server refuses it: ${error.message}` })]
  }
}

/** A field that all versions have alike is spoken of as one of the `spec`; it is written in the first version. */
const SHARED = /^spec\.(additionalPrinterColumns|selectableFields|subresources)\b/

/** `compilation failed: ERROR: <input>:1:6: Syntax error …`, with the rule and further errors below it. */
const CEL_ERROR = /^(?:rule compile error: )?compilation failed: ERROR: <input>:\d+:\d+: (.*?)\s+\| [\s\S]*$/

function worded(error: FieldError): FieldError {
  const detail = error.detail.replace(CEL_ERROR, 'the rule is no CEL that fits the schema: $1')
  const placed = { ...error, detail, field: error.field.replace(SHARED, 'spec.versions[0].$1') }
  if (!error.detail.startsWith('rule compile error: ')) return placed
  // A default is the first value that meets the rules of its schema: what is wrong is a rule.
  return { ...placed, shown: 'struct', field: error.field.replace(/\.default$/, '.x-kubernetes-validations') }
}
