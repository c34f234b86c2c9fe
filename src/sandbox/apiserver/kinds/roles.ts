import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, invalid, required } from './common/field-errors.ts'
import { itemsAt, objectAt, textsAt, withDefaults } from './common/fields.ts'
import { matcherOf, validateLabelSelector } from './common/label-selectors.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'Role' }
const clusterGvk = { ...gvk, kind: 'ClusterRole' }

export const role: KindRules = {
  gvk,
  keepsEmpty: true,
  nameFormat: 'path-segment',
  applyDefaults: (object) => withDefaults(object, { rules: null }),
  validate: (object) => validateRules(object, true),
  createOnUpdate: true,
  columns: columnsOf(gvk),
}

export const clusterRole: KindRules = {
  gvk: clusterGvk,
  keepsEmpty: true,
  nameFormat: 'path-segment',
  applyDefaults: (object) => withDefaults(object, { rules: null }),
  validate: (object) => [...validateRules(object, false), ...validateAggregation(object)],
  createOnUpdate: true,
  columns: columnsOf(clusterGvk),
}

function validateAggregation(object: KubeObject): FieldErrors {
  if (object.aggregationRule === undefined) return []
  const field = 'aggregationRule.clusterRoleSelectors'
  const selectors = itemsAt(objectAt(object, 'aggregationRule'), 'clusterRoleSelectors')
  const text = 'at least one clusterRoleSelector required if aggregationRule is non-nil'
  return [
    ...(selectors.length === 0 ? [required(field, text)] : []),
    ...selectors.flatMap((selector, index) => [
      ...validateLabelSelector(selector, `${field}[${index}]`),
      // What the server shows here is the selector that it could not make.
      ...(matcherOf(selector) ? [] : [invalid(`${field}[${index}]`, null, 'invalid label selector.')]),
    ]),
  ]
}

function validateRules(object: KubeObject, isNamespaced: boolean): FieldErrors {
  return itemsAt(object, 'rules').flatMap((rule, index) => validateRule(rule, `rules[${index}]`, isNamespaced))
}

function validateRule(rule: JsonObject, field: string, isNamespaced: boolean): FieldErrors {
  const verbs = textsAt(rule, 'verbs')
  const noVerbs = verbs.length === 0 ? [required(`${field}.verbs`, 'verbs must contain at least one value')] : []
  const urls = textsAt(rule, 'nonResourceURLs')
  if (urls.length > 0) return [...noVerbs, ...validateUrls(rule, field, isNamespaced)]
  const isMissing = (name: string): boolean => textsAt(rule, name).length === 0
  return [
    ...noVerbs,
    ...(isMissing('apiGroups')
      ? [required(`${field}.apiGroups`, 'resource rules must supply at least one api group')]
      : []),
    ...(isMissing('resources')
      ? [required(`${field}.resources`, 'resource rules must supply at least one resource')]
      : []),
  ]
}

function validateUrls(rule: JsonObject, field: string, isNamespaced: boolean): FieldErrors {
  const place = `${field}.nonResourceURLs`
  const urls = [...textsAt(rule, 'nonResourceURLs')]
  const isMixed = ['apiGroups', 'resources', 'resourceNames'].some((name) => textsAt(rule, name).length > 0)
  const both = 'rules cannot apply to both regular resources and non-resource URLs'
  return [
    ...(isNamespaced ? [invalid(place, urls, 'namespaced rules cannot apply to non-resource URLs')] : []),
    ...(isMixed ? [invalid(place, urls, both)] : []),
  ]
}
