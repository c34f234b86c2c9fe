import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { FieldError } from '../../../core/schema/field-error.ts'
import { internalSpec } from '../../../core/schema/internal-spec.ts'
import type { Schema } from '../../../core/schema/schema.ts'
import { someSchema } from '../../../core/schema/some-schema.ts'
import { textOf } from '../kinds/common/fields.ts'
import { checkLabel1035, checkSubdomain } from '../write/names.ts'
import { validateApiApproval } from './api-approval.ts'
import { type CrdSpec, type CustomResourceDefinition, isConditionTrue } from './custom-resource-definition.ts'
import { validateConversion } from './validate-conversion.ts'
import { requireSchemas, validateShared, validateVersions } from './validate-crd-versions.ts'

/** Complaints about a CRD that went through decoding, in the order and words of the real server. */
export function validateCrd(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): readonly FieldError[] {
  const spec: JsonObject = crd.spec
  const names: JsonObject = crd.spec.names
  const internal = internalSpec(spec)
  return [
    ...(old ? [] : validateName(crd)),
    ...validateGroup(spec),
    ...validateScope(spec),
    ...requireSchemas(internal),
    ...validateDefaults(spec),
    ...validateVersions(internal),
    ...validateRequiredNames(names),
    ...validateNames(names, 'spec.names'),
    ...validateShared(internal),
    ...validateConversion(spec),
    ...validatePreservation(spec),
    ...(old ? validateUpdate(crd.spec, old) : []),
    ...validateStoredVersions(crd),
    ...validateApiApproval(crd),
  ]
}

/** What a writer of the status may have made of it. */
export function validateCrdStatus(crd: CustomResourceDefinition): readonly FieldError[] {
  const names: JsonObject = crd.status.acceptedNames
  return validateNames(names, 'status.acceptedNames')
}

function validateName({ metadata, spec }: CustomResourceDefinition): readonly FieldError[] {
  const wanted = `${spec.names.plural}.${spec.group}`
  return (['generateName', 'name'] as const).flatMap((field) => {
    const { [field]: given = '' } = metadata
    if (given === '' || given === wanted) return []
    return [invalid(`metadata.${field}`, given, 'must be spec.names.plural+"."+spec.group')]
  })
}

function validateGroup({ group }: JsonObject): readonly FieldError[] {
  const text = textOf(group)
  if (text === '') return [required('spec.group')]
  const problems = checkSubdomain(text)
  if (problems.length > 0) return [invalid('spec.group', text, problems.join(','))]
  return text.includes('.') ? [] : [invalid('spec.group', text, 'should be a domain with at least one dot')]
}

function validateScope({ scope }: JsonObject): readonly FieldError[] {
  if (textOf(scope) === '') return [required('spec.scope')]
  if (scope === 'Cluster' || scope === 'Namespaced') return []
  return [
    { type: 'NotSupported', field: 'spec.scope', value: scope, detail: 'supported values: "Cluster", "Namespaced"' },
  ]
}

/** Where unknown fields stay, no default may be put in. */
function validateDefaults({ preserveUnknownFields, versions }: JsonObject): readonly FieldError[] {
  const schemas = (isJsonArray(versions) ? versions : []).flatMap((version) => {
    const schema = isJsonObject(version) && isJsonObject(version.schema) ? version.schema.openAPIV3Schema : undefined
    return isJsonObject(schema) ? [schema as Schema] : []
  })
  const hasDefault = schemas.some((schema) => someSchema(schema, (inner) => inner.default !== undefined))
  if (preserveUnknownFields !== true || !hasDefault) return []
  return [invalid('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema')]
}

function validatePreservation({ preserveUnknownFields }: JsonObject): readonly FieldError[] {
  if (preserveUnknownFields !== true) return []
  const instead = 'set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
  return [invalid('spec.preserveUnknownFields', true, `cannot set to true, ${instead}`)]
}

function validateRequiredNames(names: JsonObject): readonly FieldError[] {
  return ['plural', 'singular', 'kind', 'listKind']
    .filter((field) => textOf(names[field]) === '')
    .map((field) => required(`spec.names.${field}`))
}

function validateNames(names: JsonObject, at: string): readonly FieldError[] {
  const { kind, listKind, shortNames, categories } = names
  const isAmbiguous = textOf(kind) !== '' && kind === listKind
  return [
    ...['plural', 'singular'].flatMap((field) => labelErrors(`${at}.${field}`, names[field])),
    ...['kind', 'listKind'].flatMap((field) => kindErrors(`${at}.${field}`, names[field])),
    ...itemErrors(`${at}.shortNames`, shortNames),
    ...(isAmbiguous ? [invalid(`${at}.listKind`, textOf(listKind), 'kind and listKind may not be the same')] : []),
    ...itemErrors(`${at}.categories`, categories),
  ]
}

function labelErrors(field: string, value: JsonValue | undefined): readonly FieldError[] {
  const problems = textOf(value) === '' ? [] : checkLabel1035(textOf(value))
  return problems.length > 0 ? [invalid(field, textOf(value), problems.join(','))] : []
}

function kindErrors(field: string, value: JsonValue | undefined): readonly FieldError[] {
  const problems = textOf(value) === '' ? [] : checkLabel1035(textOf(value).toLowerCase())
  if (problems.length === 0) return []
  return [invalid(field, textOf(value), `may have mixed case, but should otherwise match: ${problems.join(',')}`)]
}

function itemErrors(field: string, values: JsonValue | undefined): readonly FieldError[] {
  const items = isJsonArray(values) ? values : []
  return items.flatMap((item, index) => {
    const problems = checkLabel1035(textOf(item))
    return problems.length > 0 ? [invalid(`${field}[${index}]`, item, problems.join(','))] : []
  })
}

function validateStoredVersions({ spec, status }: CustomResourceDefinition): readonly FieldError[] {
  const stored = status.storedVersions
  if (stored.length === 0) return [invalid('status.storedVersions', null, 'must have at least one stored version')]
  const known = new Set((spec.versions ?? []).map(({ name }) => name))
  // A version that stands twice is found once.
  const left = new Set(stored)
  const missing = (spec.versions ?? []).filter(({ name, storage }) => !left.delete(name) && storage)
  const gone = stored.flatMap((version, index) => {
    if (known.has(version)) return []
    const detail = `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`
    return [invalid(`status.storedVersions[${index}]`, version, detail)]
  })
  const wanted = missing.map(({ name }) =>
    invalid('status.storedVersions', stored, `must have the storage version ${name}`),
  )
  return [...wanted, ...gone]
}

/** What names the stored objects cannot change; their shape cannot once they are served. */
function validateUpdate(spec: CrdSpec, old: CustomResourceDefinition): readonly FieldError[] {
  const [names, oldNames] = [spec.names, old.spec.names]
  const established = isConditionTrue(old, 'Established')
    ? [['spec.scope', spec.scope, old.spec.scope] as const, ['spec.names.kind', names.kind, oldNames.kind] as const]
    : []
  const pairs = [
    ...established,
    ['spec.group', spec.group, old.spec.group] as const,
    ['spec.names.plural', names.plural, oldNames.plural] as const,
  ]
  return pairs
    .filter(([, value, before]) => value !== before)
    .map(([field, value]) => invalid(field, value, 'field is immutable'))
}

function invalid(field: string, value: JsonValue, detail: string): FieldError {
  return { type: 'Invalid', field, value, detail }
}

function required(field: string): FieldError {
  return { type: 'Required', field, detail: '' }
}
