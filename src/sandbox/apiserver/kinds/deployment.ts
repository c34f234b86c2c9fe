import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import {
  asStruct,
  type FieldErrors,
  forbidden,
  invalid,
  invalidFor,
  notNegative,
  notSupported,
} from './common/field-errors.ts'
import { mapField, numberAt, objectAt, textAt, withDefaults } from './common/fields.ts'
import { checkPercent } from './common/formats.ts'
import { asGoStruct } from './common/go-struct.ts'
import { REPLICAS_SCALE, readyOfWanted } from './common/replicas.ts'
import { immutableSelector, validateSelectorAndTemplate } from './common/selector-and-template.ts'
import { keepField, keepStatus, specAndStatus, withMetadata } from './common/strategies.ts'
import type { KindRules } from './kind-rules.ts'
import { podTemplateDefaults } from './pod-spec/pod-spec-defaults.ts'
import { namedTemplateWarnings } from './pod-spec/pod-spec-warnings.ts'

const gvk = { group: 'apps', version: 'v1', kind: 'Deployment' }

export const deployment: KindRules = {
  gvk,
  keepsEmpty: true,
  warnings: namedTemplateWarnings(['spec', 'template']),
  ...specAndStatus(),
  applyDefaults,
  prepareForStatusUpdate: (object, old) =>
    withMetadata(keepField(object, old, 'spec'), { labels: old.metadata.labels }),
  validate: (object, old, { stored }) => [
    ...validateSpec(objectAt(object, 'spec'), objectAt(old, 'spec')),
    ...(old ? immutableSelector(stored(object), old) : []),
  ],
  validateStatusUpdate: (object, old) => validateStatus(objectAt(object, 'status'), objectAt(old, 'status')),
  prepareForUpdate: (object, old) => withAnnotationGeneration(keepStatus(object, old), old),
  generationFields: [['spec']],
  resetFields: { main: [['status']], status: [['spec'], ['metadata', 'labels']] },
  scale: REPLICAS_SCALE,
  columns: columnsOf(gvk, {
    Ready: readyOfWanted,
    'Up-to-date': (object) => numberAt(objectAt(object, 'status'), 'updatedReplicas'),
    Available: (object) => numberAt(objectAt(object, 'status'), 'availableReplicas'),
  }),
}

/** Annotations count for the generation, too, but not when `/status` writes them. */
function withAnnotationGeneration(object: KubeObject, old: KubeObject): KubeObject {
  if (jsonEquals(object.metadata.annotations ?? {}, old.metadata.annotations ?? {})) return object
  const { generation = 0 } = old.metadata
  return withMetadata(object, { generation: generation + 1 })
}

function applyDefaults(object: KubeObject): KubeObject {
  const spec = withDefaults(objectAt(object, 'spec'), {
    replicas: 1,
    strategy: {},
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    template: {},
  })
  const strategic = mapField(spec, 'strategy', strategyDefaults)
  return withDefaults({ ...object, spec: mapField(strategic, 'template', podTemplateDefaults) }, { status: {} })
}

function strategyDefaults(given: JsonObject): JsonObject {
  const strategy = withDefaults(given, { type: 'RollingUpdate' })
  if (strategy.type !== 'RollingUpdate') return strategy
  const rolling = withDefaults(objectAt(strategy, 'rollingUpdate'), { maxUnavailable: '25%', maxSurge: '25%' })
  return { ...strategy, rollingUpdate: rolling }
}

function validateSpec(spec: JsonObject, old: JsonObject): FieldErrors {
  const minReady = numberAt(spec, 'minReadySeconds')
  const deadline = spec.progressDeadlineSeconds
  const tooShort = typeof deadline === 'number' && deadline <= minReady
  return [
    ...notNegative('spec.replicas', spec.replicas),
    ...validateSelectorAndTemplate(spec, old),
    ...validateStrategy(objectAt(spec, 'strategy')),
    ...notNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...notNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
    ...notNegative('spec.progressDeadlineSeconds', deadline),
    ...(tooShort ? [invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')] : []),
  ]
}

function validateStrategy(strategy: JsonObject): FieldErrors {
  const field = 'spec.strategy'
  const { rollingUpdate } = strategy
  const type = textAt(strategy, 'type')
  if (type === 'Recreate') {
    if (rollingUpdate === undefined) return []
    return [forbidden(`${field}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")]
  }
  if (type !== 'RollingUpdate') {
    const shown = { Type: type, RollingUpdate: goRollingUpdate(rollingUpdate) }
    return [asStruct(notSupported(field, shown, ['Recreate', 'RollingUpdate']))]
  }
  return validateRollingUpdate(objectAt(strategy, 'rollingUpdate'), `${field}.rollingUpdate`)
}

/** How the server prints its internal struct, with the names of Go. */
export function goRollingUpdate(rolling: JsonValue | undefined): JsonValue {
  return isJsonObject(rolling) ? asGoStruct(rolling, ['MaxUnavailable', 'MaxSurge'], 0) : null
}

/** `maxUnavailable` and `maxSurge`: at least one above 0, no share over 100 %. */
export function validateRollingUpdate(rolling: JsonObject, field: string): FieldErrors {
  const { maxUnavailable, maxSurge } = rolling
  const isStuck = isZeroShare(maxUnavailable) && isZeroShare(maxSurge)
  return [
    ...validateShare(maxUnavailable, `${field}.maxUnavailable`),
    ...validateShare(maxSurge, `${field}.maxSurge`),
    ...(isStuck ? [invalid(`${field}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0')] : []),
    ...validateAtMostAll(maxUnavailable, `${field}.maxUnavailable`),
  ]
}

/** A number that is not negative, or a percentage. */
export function validateShare(share: JsonValue | undefined, field: string): FieldErrors {
  return typeof share === 'string' ? invalidFor(field, share, checkPercent(share)) : notNegative(field, share)
}

export function validateAtMostAll(share: JsonValue | undefined, field: string): FieldErrors {
  if (typeof share !== 'string' || !/^[0-9]+%$/.test(share) || Number.parseInt(share, 10) <= 100) return []
  return [invalid(field, share, 'must not be greater than 100%')]
}

/** Of nothing, or of a text that is neither a number nor a percentage, the server makes 0. */
export function isZeroShare(share: JsonValue | undefined): boolean {
  return typeof share === 'string' ? !(Number.parseInt(share, 10) > 0) : !share
}

const COUNTS = [
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
  'collisionCount',
]

function validateStatus(status: JsonObject, old: JsonObject): FieldErrors {
  const count = (name: string): number => numberAt(status, name)
  const tooMany = (name: string, other: string, text: string): FieldErrors =>
    count(name) > count(other) ? [invalid(`status.${name}`, count(name), `cannot be greater than ${text}`)] : []
  const collisions = numberAt(status, 'collisionCount')
  return [
    ...notNegative('status.observedGeneration', status.observedGeneration),
    ...COUNTS.flatMap((name) => notNegative(`status.${name}`, status[name])),
    ...tooMany('updatedReplicas', 'replicas', 'status.replicas'),
    ...tooMany('readyReplicas', 'replicas', 'status.replicas'),
    ...tooMany('availableReplicas', 'replicas', 'status.replicas'),
    ...tooMany('availableReplicas', 'readyReplicas', 'readyReplicas'),
    ...(collisions < numberAt(old, 'collisionCount')
      ? [invalid('status.collisionCount', collisions, 'cannot be decremented')]
      : []),
  ]
}
