import { getPath, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { type Gvk, gvkOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { applyDefaults } from '../../../core/schema/default.ts'
import type { FieldError } from '../../../core/schema/field-error.ts'
import { isGoInteger } from '../../../core/schema/go-number.ts'
import type { Schema } from '../../../core/schema/schema.ts'
import { validate } from '../../../core/schema/validate.ts'
import { badRequest, quote } from '../api-status.ts'
import { goTypeOf, plain } from '../apply/go-format.ts'
import { goDecoder } from '../kinds/decode/empty-parts.ts'
import { jsonTypeOf } from '../kinds/decode/go-types.ts'
import type { KindRules, ScalePaths } from '../kinds/kind-rules.ts'
import { withMeta } from '../write/object-meta.ts'
import type { CrdVersion } from './custom-resource-definition.ts'
import { checkEmbeddedMeta, hasEmbedded, withEmbeddedErrors } from './embedded-resources.ts'
import { compileJsonPath } from './json-path.ts'
import { printerColumns } from './printer-columns.ts'
import { ruleChecks } from './validations/rule-checks.ts'

/** The rules of a custom resource: what its CRD says, in the form in which built-in kinds have theirs. */
export function customRules(gvk: Gvk, version: CrdVersion, schema: Schema | undefined): KindRules {
  const { subresources, additionalPrinterColumns = [] } = version
  const { scale } = subresources ?? {}
  return {
    gvk,
    ...(schema && schemaRules(schema, version)),
    ...(subresources?.status && STATUS_RULES),
    ...(scale && { scale: scalePaths(scale) }),
    columns: printerColumns(additionalPrinterColumns),
    fieldSelectors: fieldSelectors(version),
    unconditionalUpdate: false,
  }
}

/** With `/status`, the main endpoint leaves the status alone, and `/status` everything else. */
const STATUS_RULES: Partial<KindRules> = {
  prepareForCreate: withoutStatus,
  prepareForUpdate: (object, old) => ('status' in old ? { ...object, status: old.status } : withoutStatus(object)),
  prepareForStatusUpdate: (object, old) => {
    const kept = withMeta(old, { managedFields: object.metadata.managedFields })
    return 'status' in object ? { ...kept, status: object.status } : withoutStatus(kept)
  },
  resetFields: { main: [['status']], status: [['metadata'], ['spec']] },
}

function withoutStatus(object: KubeObject): KubeObject {
  if (!('status' in object)) return object
  const { status: _status, ...rest } = object
  return rest as KubeObject
}

function schemaRules(schema: Schema, version: CrdVersion): Partial<KindRules> {
  const scale = version.subresources?.scale
  // Of resources inside of a status, `/status` asks what the author of the CRD does, and not what every resource must have.
  const status = (version.schema?.openAPIV3Schema as Schema | undefined)?.properties?.status
  const metadata = schema.properties?.metadata
  const withRules = ruleChecks(schema)
  const embeds = hasEmbedded(schema)
  const { warnings } = withRules
  return {
    ...(metadata && { decode: metadataDecoder(metadata, schema) }),
    applyDefaults: (object) => applyDefaults(object as JsonObject, schema) as KubeObject,
    validate: (object, old) => {
      const errors = [
        ...validate(object as JsonObject, schema, { old: old as JsonObject | undefined }),
        ...(scale ? validateScale(scale, object) : []),
      ]
      return withRules.add(object, old, embeds ? withEmbeddedErrors(errors, object, schema) : errors)
    },
    validateStatusUpdate: (object, old) =>
      withRules.add(object, old, [
        ...(status ? validateStatus(status, object, old) : []),
        ...(scale ? validateScaleStatus(scale, object) : []),
      ]),
    ...(warnings && { warnings }),
  }
}

/** Metadata is of a Go type also in custom resources. */
function metadataDecoder(metadataSchema: Schema, schema: Schema): (object: KubeObject) => KubeObject {
  const decode = goDecoder(metadataSchema)
  const embeds = hasEmbedded(schema)
  return (object) => {
    if (embeds) checkEmbeddedMeta(object, schema)
    const { apiVersion, kind } = object
    const metadata: JsonValue = object.metadata as JsonObject
    if (!isJsonObject(metadata)) {
      throw badRequest(
        `${kind} in version ${quote(gvkOf(object).version)} cannot be handled as a ${kind}: json: cannot unmarshal ${jsonTypeOf(metadata)} into Go value of type v1.ObjectMeta`,
      )
    }
    const typed = { apiVersion, kind, ...metadata } as KubeObject
    const decoded = decode(typed)
    if (decoded === typed) return object
    const { apiVersion: _version, kind: _kind, ...clean } = decoded
    return { ...object, metadata: clean as KubeObject['metadata'] }
  }
}

/** Only the status is looked at, and its texts name fields from there on. */
function validateStatus(schema: Schema, { status }: KubeObject, old: KubeObject): readonly FieldError[] {
  // To a Go map, what is null is as good as absent.
  if (status === undefined || (status === null && old.status === undefined)) return []
  return validate(status, schema, { path: 'status', old: old.status }).map((error) => ({
    ...error,
    // What names no field is about the whole that was looked at.
    field: error.field || 'status',
    detail: error.detail
      .replace(/^status(?:\.|(?= in body ))(?=.* in body )/, '')
      .replace(/^(\w+ value must be of type .* in )status\./, '$1'),
  }))
}

/** What holds for the fields behind `/scale`, whichever way they are written. */
function validateScale(scale: CrdScale, object: KubeObject): readonly FieldError[] {
  return [...validateReplicas(scale.specReplicasPath, object), ...validateScaleStatus(scale, object)]
}

/** What holds for those of the status. */
function validateScaleStatus(scale: CrdScale, object: KubeObject): readonly FieldError[] {
  const { statusReplicasPath, labelSelectorPath } = scale
  const selector = labelSelectorPath ? accessorProblem(object as JsonObject, labelSelectorPath, STRING) : undefined
  return [...validateReplicas(statusReplicasPath, object), ...(selector ? [selector] : [])]
}

function validateReplicas(path: string, object: KubeObject): readonly FieldError[] {
  const problem = accessorProblem(object as JsonObject, path, INT64)
  if (problem) return [problem]
  const value = getPath(object as JsonObject, fieldPath(path))
  if (typeof value !== 'number') return []
  if (value < 0) return [{ type: 'Invalid', field: path, value, detail: 'should be a non-negative integer' }]
  const detail = `should be less than or equal to ${MAX_REPLICAS}`
  return value > MAX_REPLICAS ? [{ type: 'Invalid', field: path, value, detail }] : []
}

interface GoType {
  readonly name: string
  readonly zero: JsonValue
  readonly has: (value: JsonValue) => boolean
}

const INT64: GoType = { name: 'int64', zero: 0, has: (value) => typeof value === 'number' && isGoInteger(value) }
const STRING: GoType = { name: 'string', zero: '', has: (value) => typeof value === 'string' }

/** A value on the way that is no object, or at its end none of the type: `NestedFieldNoCopy` of apimachinery. */
function accessorProblem(object: JsonObject, path: string, type: GoType): FieldError | undefined {
  const names = fieldPath(path)
  for (const [index] of names.entries()) {
    const value = getPath(object, names.slice(0, index + 1))
    const isEnd = index === names.length - 1
    if (value === undefined || (value === null && !isEnd)) return undefined
    if (isEnd ? type.has(value) : isJsonObject(value)) continue
    const at = names.slice(0, index + 2).map((name) => `.${name}`)
    const expected = isEnd ? type.name : 'map[string]interface{}'
    const detail = `${at.join('')} accessor error: ${plain(value)} is of the type ${goTypeOf(value)}, expected ${expected}`
    return { type: 'Invalid', field: path, value: type.zero, detail }
  }
  return undefined
}

const MAX_REPLICAS = 2 ** 31 - 1

type CrdScale = NonNullable<NonNullable<CrdVersion['subresources']>['scale']>

function scalePaths(scale: CrdScale): ScalePaths {
  return {
    specReplicas: fieldPath(scale.specReplicasPath),
    statusReplicas: fieldPath(scale.statusReplicasPath),
    selector: scale.labelSelectorPath ? fieldPath(scale.labelSelectorPath) : [],
  }
}

/** `.spec.replicas`: names only, as the CRD's validation makes sure. */
function fieldPath(path: string): JsonPath {
  return path.split('.').filter((name) => name !== '')
}

function fieldSelectors({ selectableFields = [] }: CrdVersion): KindRules['fieldSelectors'] & object {
  const readers = selectableFields.map(({ jsonPath }) => {
    const query = compileJsonPath(jsonPath)
    const read = (object: KubeObject): string => printValue(query(object as JsonObject)[0])
    return [jsonPath.replace(/^\./, ''), read] as const
  })
  return Object.fromEntries(readers)
}

function printValue(value: JsonValue | undefined): string {
  return value === undefined || value === null ? '' : String(value)
}
