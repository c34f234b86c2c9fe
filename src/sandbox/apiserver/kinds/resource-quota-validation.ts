import { type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import { type FieldErrors, invalid, required } from './common/field-errors.ts'
import { itemsAt, objectAt, sortedEntries, textAt, textsAt } from './common/fields.ts'
import { COUNTED, isCounted, validateResourceName } from './common/resource-names.ts'
import { validateNotNegative, validateWhole } from './pod-spec/resources-validation.ts'

/** Of objects that a quota counts. */
const MEASURED = [
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
]
const STANDARD = new Set([...COUNTED, ...MEASURED])

const COMPUTE = ['pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory']
/** What a quota for some of the pods, or of the claims, can limit. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  Terminating: COMPUTE,
  NotTerminating: COMPUTE,
  BestEffort: ['pods'],
  NotBestEffort: COMPUTE,
  PriorityClass: COMPUTE,
  CrossNamespacePodAffinity: COMPUTE,
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
}
const OPPOSITES = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const

/** The spec of a quota; its scopes are for ever. */
export function validateQuota(spec: JsonObject, old: JsonObject | undefined): FieldErrors {
  const scopes = textsAt(spec, 'scopes')
  const isChanged = old !== undefined && !jsonEquals(uniqueSorted(scopes), uniqueSorted(textsAt(old, 'scopes')))
  return [
    ...validateQuotaAmounts(objectAt(spec, 'hard'), 'spec.hard'),
    ...validateScopes(spec, scopes),
    ...validateSelector(spec),
    ...(isChanged ? [invalid('spec.scopes', spec.scopes, 'field is immutable')] : []),
  ]
}

function uniqueSorted(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort()
}

export function validateQuotaAmounts(amounts: JsonObject, field: string): FieldErrors {
  return sortedEntries(amounts).flatMap(([name, value]) => {
    const place = `${field}[${name}]`
    return [
      ...validateName(name, place),
      ...validateNotNegative(value, place),
      ...(isCounted(name) ? validateWhole(value, place) : []),
    ]
  })
}

function validateName(name: string, field: string): FieldErrors {
  const isKnown = name.includes('/') || isStandard(name)
  return [
    ...validateResourceName(name, field),
    ...(isKnown ? [] : [invalid(field, name, 'must be a standard resource for quota')]),
  ]
}

function isStandard(name: string): boolean {
  return STANDARD.has(name) || /^(requests\.)?hugepages-/.test(name)
}

function validateScopes(spec: JsonObject, scopes: readonly string[]): FieldErrors {
  const field = 'spec.scopes'
  return [
    ...scopes.flatMap((scope) => [
      ...(Object.hasOwn(SCOPES, scope) ? [] : [invalid(field, spec.scopes, 'unsupported scope')]),
      ...unfitFor(scope, spec).map(() => invalid(field, spec.scopes, 'unsupported scope applied to resource')),
    ]),
    ...validateOpposites(spec, field, scopes),
  ]
}

/** Resources that are not limited by scope. */
function unfitFor(scope: string, spec: JsonObject): readonly string[] {
  const fit = Object.hasOwn(SCOPES, scope) ? SCOPES[scope] : undefined
  if (fit === undefined) return []
  return Object.keys(objectAt(spec, 'hard')).filter((name) => isStandard(name) && !fit.includes(name))
}

function validateOpposites(spec: JsonObject, field: string, scopes: readonly string[]): FieldErrors {
  return OPPOSITES.filter((pair) => pair.every((scope) => scopes.includes(scope))).map(() =>
    invalid(field, spec.scopes, 'conflicting scopes'),
  )
}

function validateSelector(spec: JsonObject): FieldErrors {
  const field = 'spec.scopeSelector.matchExpressions'
  const selector = objectAt(spec, 'scopeSelector')
  const requirements = itemsAt(selector, 'matchExpressions')
  // The server prints its internal struct, with the names of Go.
  const shown = requirements.map(({ scopeName = '', operator = '', values = null }) => ({
    ScopeName: scopeName,
    Operator: operator,
    Values: values,
  }))
  const unfit = invalid(field, { MatchExpressions: shown }, 'unsupported scope applied to resource')
  return [
    ...requirements.flatMap((requirement) => {
      const scope = textAt(requirement, 'scopeName')
      return [
        ...(Object.hasOwn(SCOPES, scope) ? [] : [invalid(`${field}.scopeName`, scope, 'unsupported scope')]),
        ...unfitFor(scope, spec).map(() => ({ ...unfit, shown: 'struct' as const })),
        ...validateOperator(requirement, scope, field),
      ]
    }),
    ...validateOpposites(
      spec,
      field,
      requirements.map((requirement) => textAt(requirement, 'scopeName')),
    ),
  ]
}

const ALL_OR_NONE = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity']
const ONLY_EXISTS = `must be 'Exists' when scope is any of ${[
  'ResourceQuotaScopeTerminating',
  'ResourceQuotaScopeNotTerminating',
  'ResourceQuotaScopeBestEffort',
  'ResourceQuotaScopeNotBestEffort',
].join(', ')} or ResourceQuotaScopeCrossNamespacePodAffinity`

function validateOperator(requirement: JsonObject, scope: string, field: string): FieldErrors {
  const operator = textAt(requirement, 'operator')
  const isUnfit = ALL_OR_NONE.includes(scope) && operator !== 'Exists'
  return [
    ...(isUnfit ? [invalid(`${field}.operator`, operator, ONLY_EXISTS)] : []),
    ...validateValues(requirement, operator, field),
  ]
}

function validateValues(requirement: JsonObject, operator: string, field: string): FieldErrors {
  const isEmpty = textsAt(requirement, 'values').length === 0
  if (operator === 'In' || operator === 'NotIn') {
    const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
    return isEmpty ? [required(`${field}.values`, detail)] : []
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"
    return isEmpty ? [] : [invalid(`${field}.values`, requirement.values, detail)]
  }
  return [invalid(`${field}.operator`, operator, 'not a valid selector operator')]
}
