import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { checkSharedSchema, checkVersionSchema, type MoreChecks } from '../../../core/schema/crd-schemas.ts'
import type { FieldError } from '../../../core/schema/field-error.ts'
import type { InternalSpec } from '../../../core/schema/internal-spec.ts'
import { textOf } from '../kinds/common/fields.ts'
import { checkLabel1035 } from '../write/names.ts'
import { validateSelectableFields } from './validate-selectable-fields.ts'
import { checkDefault } from './validations/check-default.ts'
import { checkValidations } from './validations/check-validations.ts'
import { versionStructs } from './version-structs.ts'

/** Checks of CEL rules, which the core does not know. */
const RULES: MoreChecks = { ofDefault: checkDefault, ofSchema: checkValidations }

/** Complaints about `spec.versions`; what all versions have alike is no part of them. */
export function validateVersions(spec: InternalSpec): readonly FieldError[] {
  const { versions } = spec
  const names = versions.map(({ name }) => name)
  const stored = versions.filter(({ storage }) => storage === true).length
  return [
    ...versions.flatMap((_version, index) => validateVersion(spec, index)),
    ...(new Set(names).size < names.length ? [wrongVersions(spec, 'must contain unique version names')] : []),
    ...(stored === 1 ? [] : [wrongVersions(spec, 'must have exactly one version marked as storage version')]),
    ...validateFirst(versions),
  ]
}

/** Complaints about what all versions have alike. */
export function validateShared(spec: InternalSpec): readonly FieldError[] {
  const { shared } = spec
  return [
    ...checkSharedSchema(spec, RULES),
    ...validateSubresources(shared.subresources, 'spec.subresources'),
    ...validateColumns(shared.additionalPrinterColumns, 'spec.additionalPrinterColumns'),
    ...validateSelectableFields(shared.selectableFields, { at: 'spec', root: sharedRoot(shared), unknown: NO_SCHEMA }),
  ]
}

const NO_SCHEMA = 'may only be set when validations.schema is included'

/** With a schema of all versions that says nothing, a real server looks for the fields in it all the same (it ends the connection by a panic). */
function sharedRoot(shared: InternalSpec['shared']): JsonValue | undefined {
  return isJsonObject(shared.schema) ? (rootOf(shared) ?? {}) : undefined
}

/** Each version must have a schema. */
export function requireSchemas({ versions, shared }: InternalSpec): readonly FieldError[] {
  const has = (version: WithSchema): boolean => isJsonObject(rootOf(version))
  if (has(shared)) return []
  return versions.flatMap((version, index) =>
    has(version) ? [] : [{ type: 'Required', field: `spec.versions[${index}].schema.openAPIV3Schema`, detail: '' }],
  )
}

/** The real server still keeps the first version in a field of its own. */
function validateFirst([first]: readonly JsonObject[]): readonly FieldError[] {
  const name = textOf(first?.name)
  const problems = name === '' ? [] : checkLabel1035(name)
  return problems.length > 0 ? [invalid('spec.version', name, problems.join(','))] : []
}

function wrongVersions({ versions, hasVersions }: InternalSpec, detail: string): FieldError {
  const value = hasVersions ? versionStructs(versions) : null
  return { type: 'Invalid', field: 'spec.versions', value, shown: 'struct', detail }
}

function validateVersion(spec: InternalSpec, index: number): readonly FieldError[] {
  const version = spec.versions[index] ?? {}
  const field = `spec.versions[${index}]`
  const name = textOf(version.name)
  const problems = checkLabel1035(name)
  return [
    ...(problems.length > 0 ? [invalid(`${field}.name`, name, problems.join(','))] : []),
    ...validateDeprecation(version, field),
    ...checkVersionSchema(spec, index, RULES),
    ...validateSubresources(version.subresources, `${field}.subresources`),
    ...validateColumns(version.additionalPrinterColumns, `${field}.additionalPrinterColumns`),
    ...validateSelectableFields(version.selectableFields, {
      at: field,
      root: rootOf(version),
      unknown: NO_VERSION_SCHEMA,
    }),
  ]
}

interface WithSchema {
  readonly schema?: JsonValue | undefined
}

function rootOf({ schema }: WithSchema): JsonValue | undefined {
  return isJsonObject(schema) ? schema.openAPIV3Schema : undefined
}

const NO_VERSION_SCHEMA = 'may only be set when `version.schema.openAPIV3Schema` is not included'

function validateDeprecation({ deprecated, deprecationWarning }: JsonObject, field: string): readonly FieldError[] {
  if (deprecationWarning === undefined) return []
  const text = textOf(deprecationWarning)
  const at = `${field}.deprecationWarning`
  if (deprecated !== true) return [invalid(at, text, 'can only be set for deprecated versions')]
  if (text === '') return [invalid(at, text, 'must not be an empty string')]
  const unprintable = text.search(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u)
  const index = Buffer.byteLength(text.slice(0, unprintable))
  const printable = `must only contain printable UTF-8 characters; non-printable character found at index ${index}`
  return [
    ...(Buffer.byteLength(text) > 256 ? [invalid(at, text, 'must be <= 256 characters long')] : []),
    ...(unprintable === -1 ? [] : [invalid(at, text, printable)]),
  ]
}

function validateSubresources(value: JsonValue | undefined, field: string): readonly FieldError[] {
  const scale = isJsonObject(value) ? value.scale : undefined
  if (!isJsonObject(scale)) return []
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale
  return [
    ...validateScalePath(specReplicasPath, `${field}.scale.specReplicasPath`, ['.spec.']),
    ...validateScalePath(statusReplicasPath, `${field}.scale.statusReplicasPath`, ['.status.']),
    ...(labelSelectorPath
      ? validateScalePath(labelSelectorPath, `${field}.scale.labelSelectorPath`, ['.spec.', '.status.'])
      : []),
  ]
}

function validateScalePath(
  value: JsonValue | undefined,
  field: string,
  roots: readonly string[],
): readonly FieldError[] {
  const path = textOf(value)
  if (path === '') return [{ type: 'Required', field, detail: '' }]
  if (!path.startsWith('.')) return [invalid(field, path, 'must be a simple json path starting with .')]
  if (roots.some((root) => path.startsWith(root))) return []
  const names = roots.map((root) => root.slice(0, -1))
  const where = names.length > 1 ? `either ${names.join(' or ')}` : names[0]
  return [invalid(field, path, `should be a json path under ${where}`)]
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string']
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']

function validateColumns(value: JsonValue | undefined, field: string): readonly FieldError[] {
  const columns = isJsonArray(value) ? value.filter(isJsonObject) : []
  return columns.flatMap((column, index) => validateColumn(column, `${field}[${index}]`))
}

function validateColumn(column: JsonObject, field: string): readonly FieldError[] {
  const { name, type, format, jsonPath } = column
  const errors: FieldError[] = []
  const types = `must be one of ${COLUMN_TYPES.join(',')}`
  if (textOf(name) === '') errors.push({ type: 'Required', field: `${field}.name`, detail: '' })
  if (textOf(type) === '') errors.push({ type: 'Required', field: `${field}.type`, detail: types })
  else if (!COLUMN_TYPES.includes(textOf(type))) errors.push(invalid(`${field}.type`, textOf(type), types))
  if (textOf(format) !== '' && !COLUMN_FORMATS.includes(textOf(format))) {
    errors.push(invalid(`${field}.format`, textOf(format), `must be one of ${COLUMN_FORMATS.join(',')}`))
  }
  return [...errors, ...validateColumnPath(textOf(jsonPath), `${field}.JSONPath`)]
}

/** The real server, too, looks no further than at the dot. */
function validateColumnPath(path: string, field: string): readonly FieldError[] {
  if (path === '') return [{ type: 'Required', field, detail: '' }]
  if (!path.startsWith('.')) return [invalid(field, path, 'must be a simple json path starting with .')]
  return []
}

function invalid(field: string, value: JsonValue, detail: string): FieldError {
  return { type: 'Invalid', field, value, detail }
}
