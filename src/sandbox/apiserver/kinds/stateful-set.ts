import { type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, forbidden, invalid, notNegative } from './common/field-errors.ts'
import { mapField, mapItems, numberAt, objectAt, textAt, withDefaults } from './common/fields.ts'
import { REPLICAS_SCALE, readyOfWanted } from './common/replicas.ts'
import { validateSelectorAndTemplate } from './common/selector-and-template.ts'
import { specAndStatus } from './common/strategies.ts'
import type { KindRules } from './kind-rules.ts'
import { claimSpecDefaults } from './persistent-volume-claim-spec.ts'
import { podTemplateDefaults } from './pod-spec/pod-spec-defaults.ts'
import { templateWarnings } from './pod-spec/pod-spec-warnings.ts'

const ZERO_STATUS = { replicas: 0, availableReplicas: 0 }
const gvk = { group: 'apps', version: 'v1', kind: 'StatefulSet' }

export const statefulSet: KindRules = {
  gvk,
  warnings: templateWarnings(['spec', 'template']),
  ...specAndStatus(ZERO_STATUS),
  applyDefaults: (object) =>
    withDefaults({ ...object, spec: specDefaults(objectAt(object, 'spec')) }, { status: ZERO_STATUS }),
  validate: (object, old) => [
    ...validateSpec(objectAt(object, 'spec')),
    ...(old ? validateUpdate(objectAt(object, 'spec'), objectAt(old, 'spec')) : []),
  ],
  validateStatusUpdate: (object) => validateStatus(objectAt(object, 'status')),
  generationFields: [['spec']],
  scale: REPLICAS_SCALE,
  columns: columnsOf(gvk, {
    Ready: readyOfWanted,
  }),
}

function specDefaults(given: JsonObject): JsonObject {
  const spec = withDefaults(given, {
    podManagementPolicy: 'OrderedReady',
    replicas: 1,
    revisionHistoryLimit: 10,
    serviceName: '',
    template: {},
    updateStrategy: {},
    persistentVolumeClaimRetentionPolicy: {},
  })
  const rolled = mapField(spec, 'updateStrategy', strategyDefaults)
  const retained = mapField(rolled, 'persistentVolumeClaimRetentionPolicy', (policy) =>
    withDefaults(policy, { whenDeleted: 'Retain', whenScaled: 'Retain' }),
  )
  const claimed = mapItems(retained, 'volumeClaimTemplates', (claim) => ({
    ...withDefaults(claim, { kind: 'PersistentVolumeClaim', apiVersion: 'v1' }),
    spec: claimSpecDefaults(objectAt(claim, 'spec')),
    status: withDefaults(objectAt(claim, 'status'), { phase: 'Pending' }),
  }))
  return mapField(claimed, 'template', podTemplateDefaults)
}

function strategyDefaults(given: JsonObject): JsonObject {
  const strategy =
    given.type === undefined ? withDefaults({ ...given, type: 'RollingUpdate' }, { rollingUpdate: {} }) : given
  if (strategy.type !== 'RollingUpdate') return strategy
  return mapField(strategy, 'rollingUpdate', (rolling) => withDefaults(rolling, { partition: 0 }))
}

function validateSpec(spec: JsonObject): FieldErrors {
  const policy = textAt(spec, 'podManagementPolicy')
  const isKnown = policy === 'OrderedReady' || policy === 'Parallel'
  return [
    ...(isKnown ? [] : [invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")]),
    ...validateStrategy(objectAt(spec, 'updateStrategy')),
    ...notNegative('spec.replicas', spec.replicas),
    ...notNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...validateSelectorAndTemplate(spec, 'statefulset'),
  ]
}

function validateStrategy({ type = '', rollingUpdate }: JsonObject): FieldErrors {
  const field = 'spec.updateStrategy'
  // The server prints its internal structs, with the names of Go.
  if (type === 'OnDelete') {
    if (rollingUpdate === undefined) return []
    const { partition = null, maxUnavailable = null } = rollingUpdate as JsonObject
    const shown = { Partition: partition, MaxUnavailable: maxUnavailable }
    return [invalid(`${field}.rollingUpdate`, shown, "only allowed for updateStrategy 'RollingUpdate'")]
  }
  if (type === 'RollingUpdate') return notNegative(`${field}.rollingUpdate.partition`, partitionOf(rollingUpdate))
  const shown = { Type: type, RollingUpdate: rollingUpdate ?? null }
  return [invalid(field, shown, "must be 'RollingUpdate' or 'OnDelete'")]
}

function partitionOf(rollingUpdate: JsonObject[string]): number {
  return numberAt(rollingUpdate as JsonObject | undefined, 'partition')
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

function validateUpdate(spec: JsonObject, old: JsonObject): FieldErrors {
  const frozen = (each: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(each).filter(([name]) => !CHANGEABLE.includes(name)))
  if (jsonEquals(frozen(spec), frozen(old))) return []
  const names = CHANGEABLE.map((name) => `'${name}'`)
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  return [forbidden('spec', `updates to statefulset spec for fields other than ${list} are forbidden`)]
}

function validateStatus(status: JsonObject): FieldErrors {
  const total = numberAt(status, 'replicas')
  const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas']
  return [
    ...['replicas', ...parts].flatMap((name) => notNegative(`status.${name}`, status[name])),
    ...parts
      .filter((name) => numberAt(status, name) > total)
      .map((name) => invalid(`status.${name}`, numberAt(status, name), 'cannot be greater than status.replicas')),
  ]
}
