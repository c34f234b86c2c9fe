import { isJsonObject, type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import { checkLabel } from '../write/names.ts'
import {
  asStruct,
  type FieldErrors,
  forbidden,
  invalid,
  invalidFor,
  notNegative,
  oneOf,
} from './common/field-errors.ts'
import { itemsAt, numberAt, objectAt, textAt } from './common/fields.ts'
import { matcherOf, validateMetadata } from './common/label-selectors.ts'
import { invalidSelector, validateMatch, validateRestarts, validateSelector } from './common/selector-and-template.ts'
import { validateClaimSpec } from './persistent-volume-claim-spec.ts'
import { validatePodTemplate } from './pod-spec/pod-spec-validation.ts'

/** Complaints about the spec of a new StatefulSet. */
export function validateNewSpec(spec: JsonObject): FieldErrors {
  return validateSpec(spec, { isNew: true, hasValidTemplate: true, old: {} })
}

/** Complaints about a spec of before. What could be stored in earlier versions may stay as it is. */
export function validateSpecUpdate(spec: JsonObject, old: JsonObject): FieldErrors {
  const hasValidTemplate = validateSpec(old, { isNew: false, hasValidTemplate: true, old }).length === 0
  return validateSpec(spec, { isNew: false, hasValidTemplate, old })
}

interface Options {
  /** Name and claims of a StatefulSet never change, and are judged once. */
  readonly isNew: boolean
  /** Whether the template was valid before. */
  readonly hasValidTemplate: boolean
  /** Empty when there was none. */
  readonly old: JsonObject
}

function validateSpec(spec: JsonObject, options: Options): FieldErrors {
  const policy = textAt(spec, 'podManagementPolicy')
  const isKnown = policy === 'OrderedReady' || policy === 'Parallel'
  const name = textAt(spec, 'serviceName')
  return [
    ...(isKnown ? [] : [invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")]),
    ...validateStrategy(objectAt(spec, 'updateStrategy')),
    ...validateRetention(spec),
    ...(options.isNew ? validateClaims(spec) : []),
    ...notNegative('spec.replicas', spec.replicas),
    ...notNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...notNegative('spec.ordinals.start', objectAt(spec, 'ordinals').start),
    ...(options.isNew && name !== '' ? invalidFor('spec.serviceName', name, checkLabel(name)) : []),
    ...validateSelector(spec.selector, 'statefulset'),
    ...validateTemplate(spec, options),
  ]
}

function validateStrategy({ type = '', rollingUpdate }: JsonObject): FieldErrors {
  const field = 'spec.updateStrategy'
  const rolling = isJsonObject(rollingUpdate) ? rollingUpdate : undefined
  const shown = rolling ? { Partition: rolling.partition ?? 0, MaxUnavailable: null } : null
  if (type === 'OnDelete') {
    const text = "only allowed for updateStrategy 'RollingUpdate'"
    return rolling ? [asStruct(invalid(`${field}.rollingUpdate`, shown, text))] : []
  }
  if (type === 'RollingUpdate') return notNegative(`${field}.rollingUpdate.partition`, rolling?.partition)
  return [asStruct(invalid(field, { Type: type, RollingUpdate: shown }, "must be 'RollingUpdate' or 'OnDelete'"))]
}

function validateRetention(spec: JsonObject): FieldErrors {
  const field = 'spec.persistentVolumeClaimRetentionPolicy'
  const policy = objectAt(spec, 'persistentVolumeClaimRetentionPolicy')
  return ['whenDeleted', 'whenScaled'].flatMap((name) =>
    oneOf(`${field}.${name}`, textAt(policy, name), ['Retain', 'Delete']),
  )
}

function validateClaims(spec: JsonObject): FieldErrors {
  return itemsAt(spec, 'volumeClaimTemplates').flatMap((claim, index) =>
    validateClaimSpec(objectAt(claim, 'spec'), `spec.volumeClaimTemplates[${index}].spec`),
  )
}

function validateTemplate(spec: JsonObject, { hasValidTemplate, old }: Options): FieldErrors {
  const field = 'spec.template'
  const { selector } = spec
  const template = objectAt(spec, 'template')
  const isReadable = !isJsonObject(selector) || matcherOf(selector) !== undefined
  return [
    ...(isReadable
      ? [
          ...validateMatch(selector, template),
          ...(hasValidTemplate ? validatePodTemplate(templateOfPods(spec), field, objectAt(old, 'template')) : []),
          ...validateMetadata(objectAt(template, 'metadata'), field),
        ]
      : [invalidSelector(selector, '')]),
    ...validateRestarts(template, 'StatefulSet'),
  ]
}

/**
 * The template as pods are made of it: volumes of the claims stand before all others and replace those of the same name, and
 * the pods' own names take the place of `hostname` and `subdomain`.
 */
function templateOfPods(spec: JsonObject): JsonObject {
  const template = objectAt(spec, 'template')
  const claims = itemsAt(spec, 'volumeClaimTemplates')
  const { hostname, subdomain, ...podSpec } = objectAt(template, 'spec')
  if (claims.length === 0 && hostname === undefined && subdomain === undefined) return template
  const names = new Set(claims.map((claim) => textAt(objectAt(claim, 'metadata'), 'name')))
  const claimed = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }))
  const others = itemsAt(podSpec, 'volumes').filter((volume) => !names.has(textAt(volume, 'name')))
  return { ...template, spec: { ...podSpec, volumes: [...claimed, ...others] } }
}

const CHANGEABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]

/** Complaints about how a spec was changed. */
export function validateChange(spec: JsonObject, old: JsonObject): FieldErrors {
  const frozen = (each: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(each).filter(([name]) => !CHANGEABLE.includes(name)))
  if (jsonEquals(frozen(spec), frozen(old))) return []
  const names = CHANGEABLE.map((name) => `'${name}'`)
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  return [forbidden('spec', `updates to statefulset spec for fields other than ${list} are forbidden`)]
}

const PARTS = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas']

/** Complaints about the counts of a status, and a count of collisions that shrinks. */
export function validateStatus(status: JsonObject, old: JsonObject): FieldErrors {
  const count = (name: string): number => numberAt(status, name)
  const tooMany = (name: string, other: string): FieldErrors =>
    count(name) > count(other) ? [invalid(`status.${name}`, count(name), `cannot be greater than status.${other}`)] : []
  const collisions = count('collisionCount')
  return [
    ...['replicas', ...PARTS, 'observedGeneration', 'collisionCount'].flatMap((name) =>
      notNegative(`status.${name}`, status[name]),
    ),
    ...PARTS.flatMap((name) => tooMany(name, 'replicas')),
    ...tooMany('availableReplicas', 'readyReplicas'),
    ...(collisions < numberAt(old, 'collisionCount')
      ? [invalid('status.collisionCount', collisions, 'cannot be decremented')]
      : []),
  ]
}
