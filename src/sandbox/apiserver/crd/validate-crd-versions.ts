import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../../../core/base/json.ts'
import type { FieldError } from '../../../core/schema/field-error.ts'
import { textOf } from '../kinds/common/fields.ts'
import { checkLabel1035 } from '../write/names.ts'
import { validateSelectableFields } from './validate-selectable-fields.ts'

/** Complaints about `spec.versions`, besides those about their schemas. */
export function validateVersions(spec: JsonObject): readonly FieldError[] {
  const versions = versionsOf(spec)
  const names = versions.map(({ name }) => name)
  const stored = versions.filter(({ storage }) => storage === true).length
  return [
    ...versions.flatMap(requireSchema),
    ...versions.flatMap((version, index) => validateVersion(version, index, versions)),
    ...(new Set(names).size < names.length ? [wrongVersions(spec, 'must contain unique version names')] : []),
    ...(stored === 1 ? [] : [wrongVersions(spec, 'must have exactly one version marked as storage version')]),
    ...validateFirst(versions),
  ]
}

function versionsOf({ versions }: JsonObject): readonly JsonObject[] {
  return (isJsonArray(versions) ? versions : []).filter(isJsonObject)
}

/** The real server still keeps the first version in a field of its own. */
function validateFirst([first]: readonly JsonObject[]): readonly FieldError[] {
  const name = textOf(first?.name)
  const problems = name === '' ? [] : checkLabel1035(name)
  return problems.length > 0 ? [invalid('spec.version', name, problems.join(','))] : []
}

function requireSchema({ schema }: JsonObject, index: number): readonly FieldError[] {
  if (isJsonObject(schema) && isJsonObject(schema.openAPIV3Schema)) return []
  return [{ type: 'Required', field: `spec.versions[${index}].schema.openAPIV3Schema`, detail: '' }]
}

/** The real server prints the structs that it keeps versions in, without what all versions have alike. */
function wrongVersions(spec: JsonObject, detail: string): FieldError {
  const versions = versionsOf(spec)
  const shared = (key: string): boolean => versions.every((each) => jsonEquals(each[key], versions[0]?.[key]))
  const kept = (version: JsonObject, key: string): JsonValue => (shared(key) ? null : (version[key] ?? null))
  const value = versions.map((version) => ({
    Name: version.name ?? '',
    Served: version.served === true,
    Storage: version.storage === true,
    Deprecated: version.deprecated === true,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: kept(version, 'schema'),
    Subresources: kept(version, 'subresources'),
    AdditionalPrinterColumns: kept(version, 'additionalPrinterColumns'),
    SelectableFields: kept(version, 'selectableFields'),
  }))
  const printed = isJsonArray(spec.versions) ? value : null
  return { type: 'Invalid', field: 'spec.versions', value: printed, shown: 'struct', detail }
}

function validateVersion(version: JsonObject, index: number, all: readonly JsonObject[]): readonly FieldError[] {
  const field = `spec.versions[${index}]`
  const name = textOf(version.name)
  const problems = checkLabel1035(name)
  return [
    ...(problems.length > 0 ? [invalid(`${field}.name`, name, problems.join(','))] : []),
    ...validateDeprecation(version, field),
    ...inPlace('subresources', { version, index, all }, validateSubresources),
    ...inPlace('additionalPrinterColumns', { version, index, all }, validateColumns),
    ...inPlace('selectableFields', { version, index, all }, (value, field) =>
      validateSelectableFields(value, version, field),
    ),
  ]
}

interface Place {
  readonly version: JsonObject
  readonly index: number
  readonly all: readonly JsonObject[]
}

/** What all versions have alike, the real server keeps, and complains about, in one place. */
function inPlace(
  key: string,
  { version, index, all }: Place,
  validate: (value: JsonValue | undefined, field: string) => readonly FieldError[],
): readonly FieldError[] {
  const isShared = all.every((each) => jsonEquals(each[key], all[0]?.[key]))
  if (!isShared) return validate(version[key], `spec.versions[${index}].${key}`)
  return index === 0 ? validate(version[key], `spec.${key}`) : []
}

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
