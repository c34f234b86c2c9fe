import { type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { checkPathSegment, checkSubdomain } from '../write/names.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, invalid, invalidFor, notSupported, oneOf, required } from './common/field-errors.ts'
import { itemsAt, mapItems, objectAt, textAt, withDefaults } from './common/fields.ts'
import type { KindRules } from './kind-rules.ts'

const GROUP = 'rbac.authorization.k8s.io'
const gvk = { group: GROUP, version: 'v1', kind: 'RoleBinding' }
const clusterGvk = { ...gvk, kind: 'ClusterRoleBinding' }

export const roleBinding: KindRules = {
  gvk,
  nameFormat: 'path-segment',
  applyDefaults,
  validate: (object, old) => validate(object, old, ['Role', 'ClusterRole']),
  createOnUpdate: true,
  columns: columnsOf(gvk, cells()),
}

export const clusterRoleBinding: KindRules = {
  gvk: clusterGvk,
  nameFormat: 'path-segment',
  applyDefaults,
  validate: (object, old) => validate(object, old, ['ClusterRole']),
  createOnUpdate: true,
  columns: columnsOf(clusterGvk, cells()),
}

function applyDefaults(object: KubeObject): KubeObject {
  const roleRef = withGroup(objectAt(object, 'roleRef'))
  return mapItems({ ...object, roleRef }, 'subjects', (subject) =>
    subject.kind === 'User' || subject.kind === 'Group' ? withGroup(subject) : subject,
  )
}

function withGroup(reference: JsonObject): JsonObject {
  return reference.apiGroup === '' || reference.apiGroup === undefined
    ? { ...reference, apiGroup: GROUP }
    : withDefaults(reference, {})
}

function cells(): Parameters<typeof columnsOf>[1] {
  const named = (kind: string) => (object: KubeObject) =>
    itemsAt(object, 'subjects')
      .filter((subject) => subject.kind === kind)
      .map(({ name, namespace = '' }) => (kind === 'ServiceAccount' ? `${namespace}/${name}` : name))
      .join(', ')
  return {
    Role: (object) => {
      const { kind = '', name = '' } = objectAt(object, 'roleRef')
      return `${kind}/${name}`
    },
    Users: named('User'),
    Groups: named('Group'),
    ServiceAccounts: named('ServiceAccount'),
  }
}

function validate(object: KubeObject, old: KubeObject | undefined, kinds: readonly string[]): FieldErrors {
  const reference = objectAt(object, 'roleRef')
  return [
    ...validateReference(reference, kinds),
    ...itemsAt(object, 'subjects').flatMap((subject, index) =>
      validateSubject(subject, `subjects[${index}]`, object.kind === gvk.kind),
    ),
    ...(old && !jsonEquals(reference, objectAt(old, 'roleRef')) ? [roleChanged(reference)] : []),
  ]
}

/** The server prints its internal struct, with the names of Go. */
function roleChanged({ apiGroup = '', kind = '', name = '' }: JsonObject): FieldErrors[number] {
  return invalid('roleRef', { APIGroup: apiGroup, Kind: kind, Name: name }, 'cannot change roleRef')
}

function validateReference(reference: JsonObject, kinds: readonly string[]): FieldErrors {
  const name = textAt(reference, 'name')
  const isKnown = kinds.includes(textAt(reference, 'kind'))
  return [
    ...oneOf('roleRef.apiGroup', textAt(reference, 'apiGroup'), [GROUP]),
    ...(isKnown ? [] : [notSupported('roleRef.kind', textAt(reference, 'kind'), kinds)]),
    ...(name === '' ? [required('roleRef.name')] : invalidFor('roleRef.name', name, checkPathSegment(name))),
  ]
}

/** In a RoleBinding, a ServiceAccount without namespace is one of its own. */
function validateSubject(subject: JsonObject, field: string, isNamespaced: boolean): FieldErrors {
  const name = textAt(subject, 'name')
  const kind = textAt(subject, 'kind')
  const noName = name === '' ? [required(`${field}.name`)] : []
  const group = textAt(subject, 'apiGroup')
  if (kind === 'User' || kind === 'Group') {
    return [...noName, ...(group === GROUP ? [] : [notSupported(`${field}.apiGroup`, group, [GROUP])])]
  }
  if (kind !== 'ServiceAccount') {
    return [...noName, notSupported(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group'])]
  }
  const complaints = name === '' ? [] : checkSubdomain(name)
  const isHomeless = !isNamespaced && textAt(subject, 'namespace') === ''
  return [
    ...noName,
    ...invalidFor(`${field}.name`, name, complaints),
    ...(group === '' ? [] : [notSupported(`${field}.apiGroup`, group, [''])]),
    ...(isHomeless ? [required(`${field}.namespace`)] : []),
  ]
}
