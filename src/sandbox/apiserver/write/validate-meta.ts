import { type JsonValue, jsonEquals } from '../../../core/base/json.ts'
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from '../../../core/kube/object.ts'
import type { FieldError } from '../../../core/schema/field-error.ts'
import { notNegative } from '../kinds/common/field-errors.ts'
import { checkIP } from '../kinds/common/formats.ts'
import { judgeOnce } from '../kinds/common/judge-once.ts'
import type { ServedResource } from '../served-resource.ts'
import {
  checkLabel,
  checkLabel1035,
  checkLabelKey,
  checkLabelValue,
  checkLongName,
  checkPathSegment,
  checkSubdomain,
} from './names.ts'

const NAME_CHECKS = {
  subdomain: checkSubdomain,
  'long-name': checkLongName,
  label: checkLabel,
  'label-1035': checkLabel1035,
  'path-segment': checkPathSegment,
  'ip-address': checkIP,
  any: () => [],
} as const

const MAX_ANNOTATION_BYTES = 256 * 1024

/** What the rules for metadata depend on. */
export interface MetaRules extends Pick<ServedResource, 'custom' | 'group' | 'kind'> {
  readonly rules: Pick<ServedResource['rules'], 'nameFormat'>
}

/** What holds for the metadata of every object of a kind. */
export function validateMeta(metadata: ObjectMeta, resource: MetaRules): readonly FieldError[] {
  const errors = validateAnyMeta(metadata, resource.rules.nameFormat)
  return isLenient(resource) ? errors : [...errors, ...unqualifiedFinalizers(metadata)]
}

/** What holds for the metadata of every object of any kind. */
export function validateAnyMeta(
  metadata: ObjectMeta,
  nameFormat: MetaRules['rules']['nameFormat'] = 'subdomain',
): readonly FieldError[] {
  return [
    ...validateName(metadata, nameFormat),
    ...validateNamespace(metadata),
    ...notNegative('metadata.generation', metadata.generation),
    ...validateLabels(metadata.labels ?? NONE, ''),
    ...validateAnnotations(metadata.annotations ?? NONE, ''),
    ...validateOwnerReferences(metadata.ownerReferences ?? []),
    ...validateFinalizers(metadata.finalizers ?? []),
    ...validateManagers(metadata.managedFields ?? []),
  ]
}

/** Groups whose finalizers need no domain. */
const LENIENT = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'policy',
])

function isLenient({ custom, group, kind }: MetaRules): boolean {
  return custom || LENIENT.has(group) || (group === '' && kind === 'Event')
}

/** What an update of an object of a kind may not change. */
export function validateKindMetaUpdate(
  metadata: ObjectMeta,
  old: ObjectMeta,
  resource: MetaRules,
): readonly FieldError[] {
  const errors = validateMetaUpdate(metadata, old)
  return isLenient(resource) ? errors : [...errors, ...unqualifiedFinalizers(metadata)]
}

/** What an update of any object may not change. */
export function validateMetaUpdate(metadata: ObjectMeta, old: ObjectMeta): readonly FieldError[] {
  const errors: FieldError[] = []
  if (old.deletionTimestamp !== undefined) {
    const extra = (metadata.finalizers ?? []).filter((name) => !old.finalizers?.includes(name)).sort()
    if (extra.length > 0) errors.push(newFinalizers(extra))
  }
  for (const field of IMMUTABLE) {
    const value = metadata[field]
    if (!jsonEquals(value, old[field])) errors.push(complaint(field, value as JsonValue, 'field is immutable'))
  }
  return [
    ...errors,
    ...validateLabels(metadata.labels ?? NONE, ''),
    ...validateAnnotations(metadata.annotations ?? NONE, ''),
    ...validateOwnerReferences(metadata.ownerReferences ?? []),
    ...validateManagers(metadata.managedFields ?? []),
  ]
}

const IMMUTABLE = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const

function newFinalizers(names: readonly string[]): FieldError {
  const listed = names.map((name) => JSON.stringify(name)).join(', ')
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${listed}}`
  return { type: 'Forbidden', field: 'metadata.finalizers', detail }
}

function validateName(
  { name, generateName }: ObjectMeta,
  nameFormat: NonNullable<MetaRules['rules']['nameFormat']>,
): readonly FieldError[] {
  const check = NAME_CHECKS[nameFormat]
  const errors: FieldError[] = []
  // Where the format is declared at the field of the name, it is that of the name alone.
  if (generateName && nameFormat !== 'long-name') {
    const prefix = generateName.replace(/-$/, 'a')
    errors.push(...check(prefix).map((text) => complaint('generateName', generateName, text)))
  }
  if (!name) {
    return [...errors, { type: 'Required', field: 'metadata.name', detail: 'name or generateName is required' }]
  }
  return [...errors, ...check(name).map((text) => complaint('name', name, text))]
}

/** Objects have one exactly when their resource is namespaced: `ensureNamespace` sees to that. */
function validateNamespace({ namespace }: ObjectMeta): readonly FieldError[] {
  if (namespace === undefined) return []
  return checkLabel(namespace).map((text) => complaint('namespace', namespace, text))
}

type Texts = { readonly [key: string]: string }

const validateLabels = judgeOnce((labels: Texts): readonly FieldError[] =>
  Object.entries(labels).flatMap(([key, value]) => [
    ...checkLabelKey(key).map((text) => complaint('labels', key, text)),
    ...checkLabelValue(value).map((text) => complaint('labels', value, text)),
  ]),
)

const validateAnnotations = judgeOnce((annotations: Texts): readonly FieldError[] => {
  let size = 0
  const errors: FieldError[] = []
  for (const [key, value] of Object.entries(annotations)) {
    size += Buffer.byteLength(key) + Buffer.byteLength(value)
    errors.push(...checkLabelKey(key.toLowerCase()).map((text) => complaint('annotations', key, text)))
  }
  if (size <= MAX_ANNOTATION_BYTES) return errors
  const detail = `may not be more than ${MAX_ANNOTATION_BYTES} bytes`
  return [...errors, { type: 'TooLong', field: 'metadata.annotations', detail }]
})

const NONE: Texts = {}

/** Those that need no domain. */
export const STANDARD_FINALIZERS = ['kubernetes', 'orphan', 'foregroundDeletion']
const UNQUALIFIED = 'name is neither a standard finalizer name nor is it fully qualified'

function validateOwnerReferences(references: readonly OwnerReference[]): readonly FieldError[] {
  const errors: FieldError[] = references.flatMap(validateOwnerReference)
  const [first, ...others] = references.filter(({ controller }) => controller === true)
  for (const other of others) {
    const named = `${first?.kind}/${first?.name} and ${other.kind}/${other.name}`
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${named}`
    errors.push({ ...complaint('ownerReferences', references.map(ownerInGoOrder), detail), shown: 'struct' })
  }
  return errors
}

/** Fields in the order in which the real server prints them. */
export function ownerInGoOrder({
  apiVersion,
  kind,
  name,
  uid,
  controller,
  blockOwnerDeletion,
}: OwnerReference): JsonValue {
  return { apiVersion, kind, name, uid, controller, blockOwnerDeletion }
}

function validateOwnerReference(reference: OwnerReference): readonly FieldError[] {
  const { apiVersion = '', kind = '', name = '', uid = '' } = reference
  const errors: FieldError[] = []
  const [, , version = ''] = /^([^/]*\/)?([^/]+)$/.exec(apiVersion) ?? []
  if (version === '') errors.push(complaint('ownerReferences.apiVersion', apiVersion, 'version must not be empty'))
  if (kind === '') errors.push(complaint('ownerReferences.kind', kind, 'must not be empty'))
  if (name === '') errors.push(complaint('ownerReferences.name', name, 'must not be empty'))
  if (uid === '') errors.push(complaint('ownerReferences.uid', uid, 'must not be empty'))
  if (apiVersion === 'v1' && kind === 'Event') {
    errors.push(complaint('ownerReferences', reference, '/v1, Kind=Event is disallowed from being an owner'))
  }
  return errors
}

function unqualifiedFinalizers({ finalizers = [] }: ObjectMeta): readonly FieldError[] {
  return finalizers.flatMap((name, index) => {
    const isQualified = name.includes('/') || STANDARD_FINALIZERS.includes(name)
    return isQualified ? [] : [complaint(`finalizers[${index}]`, name, UNQUALIFIED)]
  })
}

function validateFinalizers(finalizers: readonly string[]): readonly FieldError[] {
  const errors = finalizers.flatMap((name) => checkLabelKey(name).map((text) => complaint('finalizers', name, text)))
  if (!finalizers.includes('orphan') || !finalizers.includes('foregroundDeletion')) return errors
  return [...errors, complaint('finalizers', finalizers, 'finalizer orphan and foregroundDeletion cannot be both set')]
}

const MAX_MANAGER_BYTES = 128

function validateManagers(entries: readonly ManagedFieldsEntry[]): readonly FieldError[] {
  return entries.flatMap(({ manager = '' }, index): readonly FieldError[] => {
    if (Buffer.byteLength(manager) <= MAX_MANAGER_BYTES) return []
    const detail = `may not be more than ${MAX_MANAGER_BYTES} bytes`
    return [{ type: 'TooLong', field: `metadata.managedFields[${index}].manager`, detail }]
  })
}

function complaint(field: string, value: JsonValue, detail: string): FieldError {
  return { type: 'Invalid', field: `metadata.${field}`, value, detail }
}
