import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { checkLabel1035, checkSubdomain } from '../write/names.ts'
import { duplicate, type FieldErrors, invalid, invalidFor, oneOf, required } from './common/field-errors.ts'
import { itemsAt, numberAt, objectAt, textAt, textsAt } from './common/fields.ts'
import { validateLabelSelector } from './common/label-selectors.ts'
import { validateMatchConditions } from './common/match-conditions.ts'
import { validateWebhookClient } from './webhook-client-validation.ts'
import { validateWebhookRule } from './webhook-rule-validation.ts'

const REVIEW_VERSIONS = ['v1', 'v1beta1']
const SIDE_EFFECTS = ['None', 'NoneOnDryRun']

/** The webhooks of a configuration; those that mutate can be asked again. */
export function validateWebhooks(configuration: KubeObject, mutates: boolean): FieldErrors {
  const names = new Set<string>()
  return itemsAt(configuration, 'webhooks').flatMap((webhook, index) => {
    const field = `webhooks[${index}]`
    const name = textAt(webhook, 'name')
    const repeated = name !== '' && names.has(name) ? [duplicate(`${field}.name`, name)] : []
    names.add(name)
    return [
      ...validateWebhook(webhook, field, mutates),
      ...validateReviewVersions(textsAt(webhook, 'admissionReviewVersions'), `${field}.admissionReviewVersions`),
      ...repeated,
    ]
  })
}

function validateWebhook(webhook: JsonObject, field: string, mutates: boolean): FieldErrors {
  const rules = itemsAt(webhook, 'rules')
  const known = (name: string, values: readonly string[]): FieldErrors =>
    oneOf(`${field}.${name}`, textAt(webhook, name), values)
  const selector = (name: string): FieldErrors => validateLabelSelector(objectAt(webhook, name), `${field}.${name}`)
  return [
    ...validateName(textAt(webhook, 'name'), `${field}.name`),
    ...rules.flatMap((rule, index) => validateWebhookRule(rule, `${field}.rules[${index}]`)),
    ...known('failurePolicy', ['Fail', 'Ignore']),
    ...known('matchPolicy', ['Equivalent', 'Exact']),
    ...((webhook.sideEffects ?? null) === null
      ? [required(`${field}.sideEffects`, `must specify one of ${SIDE_EFFECTS.join(', ')}`)]
      : known('sideEffects', SIDE_EFFECTS)),
    ...validateTimeout(numberAt(webhook, 'timeoutSeconds'), `${field}.timeoutSeconds`),
    ...selector('namespaceSelector'),
    ...selector('objectSelector'),
    ...(mutates ? known('reinvocationPolicy', ['IfNeeded', 'Never']) : []),
    ...validateWebhookClient(objectAt(webhook, 'clientConfig'), `${field}.clientConfig`),
    ...validateMatchConditions(itemsAt(webhook, 'matchConditions'), `${field}.matchConditions`, { hasParams: false }),
  ]
}

function validateName(name: string, field: string): FieldErrors {
  if (name === '') return [required(field)]
  const complaints = checkSubdomain(name)
  if (complaints.length > 0) return invalidFor(field, name, complaints)
  if (name.split('.').length >= 3) return []
  return [invalid(field, name, 'should be a domain with at least three segments separated by dots')]
}

function validateTimeout(seconds: number, field: string): FieldErrors {
  if (seconds >= 1 && seconds <= 30) return []
  return [invalid(field, seconds, 'the timeout value must be between 1 and 30 seconds')]
}

function validateReviewVersions(versions: readonly string[], field: string): FieldErrors {
  const known = REVIEW_VERSIONS.join(', ')
  if (versions.length === 0) return [required(field, `must specify one of ${known}`)]
  const errors = versions.flatMap((version, index) => {
    const isFirst = versions.indexOf(version) === index
    return invalidFor(`${field}[${index}]`, version, isFirst ? checkLabel1035(version) : ['duplicate version'])
  })
  const isUnderstood = versions.some((version) => REVIEW_VERSIONS.includes(version))
  return isUnderstood ? errors : [...errors, invalid(field, [...versions], `must include at least one of ${known}`)]
}
