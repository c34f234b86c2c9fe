import type { JsonObject } from '../../../core/base/json.ts'
import { type FieldErrors, invalid, notSupported, oneOf, required } from './common/field-errors.ts'
import { textAt, textsAt } from './common/fields.ts'

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
const SCOPES = ['*', 'Cluster', 'Namespaced']

/** What a webhook is asked about. */
export function validateWebhookRule(rule: JsonObject, field: string): FieldErrors {
  const operations = textsAt(rule, 'operations')
  const versions = textsAt(rule, 'apiVersions')
  return [
    ...validateWildcards(rule, 'operations', { field, others: 'operations' }),
    ...operations.flatMap((each, index) =>
      OPERATIONS.includes(each) ? [] : [notSupported(`${field}.operations[${index}]`, each, OPERATIONS)],
    ),
    ...validateWildcards(rule, 'apiGroups', { field, others: 'API groups' }),
    ...validateWildcards(rule, 'apiVersions', { field, others: 'API versions' }),
    ...versions.flatMap((each, index) => (each === '' ? [required(`${field}.apiVersions[${index}]`)] : [])),
    ...validateResources(textsAt(rule, 'resources'), `${field}.resources`),
    ...oneOf(`${field}.scope`, textAt(rule, 'scope'), SCOPES),
  ]
}

function validateWildcards(
  rule: JsonObject,
  name: string,
  { field, others }: { readonly field: string; readonly others: string },
): FieldErrors {
  const values = textsAt(rule, name)
  if (values.length === 0) return [required(`${field}.${name}`)]
  if (values.length === 1 || !values.includes('*')) return []
  return [invalid(`${field}.${name}`, [...values], `if '*' is present, must not specify other ${others}`)]
}

function validateResources(resources: readonly string[], field: string): FieldErrors {
  if (resources.length === 0) return [required(field)]
  const anyWith = (rest: string): FieldErrors => [invalid(field, [...resources], `if ${rest}`)]
  // As the real server does, by the last that is not of the form `resource/subresource`.
  const endsWithResource = !['*', undefined].includes(resources.findLast((each) => each !== '' && !each.includes('/')))
  return [
    ...validateSubresources(resources, field),
    ...(resources.length > 1 && resources.includes('*/*')
      ? anyWith("'*/*' is present, must not specify other resources")
      : []),
    ...(resources.includes('*') && endsWithResource
      ? anyWith("'*' is present, must not specify other resources without subresources")
      : []),
  ]
}

/** What is covered by one that stands before it. */
function validateSubresources(resources: readonly string[], field: string): FieldErrors {
  return resources.flatMap((each, index) => {
    if (each === '') return [required(`${field}[${index}]`)]
    const [resource, ...rest] = each.split('/')
    if (rest.length === 0) return []
    const covering = [`${resource}/*`, `*/${rest.join('/')}`].filter(
      (one) => resources.indexOf(one) in resources.slice(0, index),
    )
    return covering.map((one) =>
      invalid(`${field}[${index}]`, each, `if '${one}' is present, must not specify ${each}`),
    )
  })
}
