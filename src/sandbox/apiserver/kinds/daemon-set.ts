import { isJsonObject, type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { badRequest } from '../api-status.ts'
import { columnsOf } from './common/columns.ts'
import { asStruct, type FieldErrors, invalid, notNegative, notSupported, required } from './common/field-errors.ts'
import { mapField, numberAt, objectAt, withDefaults } from './common/fields.ts'
import { isEmptySelector, matcherOf, validateLabelSelector } from './common/label-selectors.ts'
import { printLabels } from './common/print-selector.ts'
import { immutableSelector, validateMatch, validateRestarts } from './common/selector-and-template.ts'
import { keepField, keepStatus, specAndStatus, withMetadata } from './common/strategies.ts'
import { goRollingUpdate, isZeroShare, validateAtMostAll, validateShare } from './deployment.ts'
import type { KindRules } from './kind-rules.ts'
import { podTemplateDefaults } from './pod-spec/pod-spec-defaults.ts'
import { validatePodTemplate } from './pod-spec/pod-spec-validation.ts'
import { templateWarnings } from './pod-spec/pod-spec-warnings.ts'

const gvk = { group: 'apps', version: 'v1', kind: 'DaemonSet' }
const ZERO_STATUS = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 }
export const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation'

const COUNTS = [
  ...Object.keys(ZERO_STATUS),
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
]
const warningsOfTemplate = templateWarnings(['spec', 'template'])

const count = (name: string) => (object: KubeObject) => numberAt(objectAt(object, 'status'), name)

export const daemonSet: KindRules = {
  gvk,
  keepsEmpty: true,
  // The server looks at the template again when it has another one.
  warnings: (object, old) =>
    old && templateGenerationOf(object) === templateGenerationOf(old) ? [] : warningsOfTemplate(object, old),
  ...specAndStatus(ZERO_STATUS),
  // The annotation is a field of the server's own, which every writer of the object writes.
  applyDefaults: (object) =>
    withTemplateGeneration(
      withDefaults({ ...object, spec: specDefaults(objectAt(object, 'spec')) }, { status: ZERO_STATUS }),
      templateGenerationOf(object),
    ),
  prepareForCreate: (object) =>
    withTemplateGeneration({ ...object, status: ZERO_STATUS }, Math.max(templateGenerationOf(object), 1)),
  prepareForStatusUpdate: (object, old) =>
    withTemplateGeneration(keepField(object, old, 'spec'), templateGenerationOf(old)),
  prepareForUpdate: (object, old, { stored }) => {
    const before = templateGenerationOf(old)
    const isNew = !jsonEquals(objectAt(stored(object), 'spec').template, objectAt(old, 'spec').template)
    return withTemplateGeneration(keepStatus(object, old), isNew ? before + 1 : before)
  },
  validate: (object, old, { stored }) => [
    ...(old ? immutableSelector(stored(object), old) : []),
    ...validateSpec(objectAt(object, 'spec'), objectAt(old, 'spec')),
  ],
  validateStatusUpdate: (object, old) => {
    const status = objectAt(object, 'status')
    const collisions = numberAt(status, 'collisionCount')
    const isLess = collisions < numberAt(objectAt(old, 'status'), 'collisionCount')
    return [
      ...COUNTS.flatMap((name) => notNegative(`status.${name}`, status[name])),
      ...(isLess ? [invalid('status.collisionCount', collisions, 'cannot be decremented')] : []),
    ]
  },
  generationFields: [['spec']],
  columns: columnsOf(gvk, {
    Desired: count('desiredNumberScheduled'),
    Current: count('currentNumberScheduled'),
    Ready: count('numberReady'),
    'Up-to-date': count('updatedNumberScheduled'),
    Available: count('numberAvailable'),
    'Node Selector': (object) => {
      const template = objectAt(objectAt(object, 'spec'), 'template')
      return printLabels(objectAt(objectAt(template, 'spec'), 'nodeSelector'))
    },
  }),
}

/** @throws ApiError 400 when the annotation holds no number */
function templateGenerationOf({ metadata: { annotations = {} } }: KubeObject): number {
  const { [TEMPLATE_GENERATION]: text = '0' } = annotations
  if (/^[+-]?\d+$/.test(text)) return Number(text)
  const cause = `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`
  throw badRequest(`DaemonSet in version "v1" cannot be handled as a DaemonSet: ${cause}`)
}

function withTemplateGeneration(object: KubeObject, generation: number): KubeObject {
  return withMetadata(object, {
    annotations: { ...object.metadata.annotations, [TEMPLATE_GENERATION]: String(generation) },
  })
}

function specDefaults(given: JsonObject): JsonObject {
  const spec = withDefaults(given, { revisionHistoryLimit: 10, template: {}, updateStrategy: {} })
  const rolled = mapField(spec, 'updateStrategy', (strategy) => {
    const typed = withDefaults(strategy, { type: 'RollingUpdate' })
    if (typed.type !== 'RollingUpdate') return typed
    const rollingUpdate = withDefaults(objectAt(typed, 'rollingUpdate'), { maxUnavailable: 1, maxSurge: 0 })
    return { ...typed, rollingUpdate }
  })
  return mapField(rolled, 'template', podTemplateDefaults)
}

function validateSpec(spec: JsonObject, old: JsonObject): FieldErrors {
  return [
    ...validateTemplate(spec, old),
    ...notNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...validateStrategy(objectAt(spec, 'updateStrategy'), 'spec.updateStrategy'),
    ...notNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
  ]
}

/** A selector that selects the pods of the template. To be there is not asked of it: no pod matches one that is not. */
function validateTemplate(spec: JsonObject, old: JsonObject): FieldErrors {
  const { selector } = spec
  const template = objectAt(spec, 'template')
  const isReadable = !isJsonObject(selector) || matcherOf(selector) !== undefined
  const isEmpty = isJsonObject(selector) && isEmptySelector(selector)
  return [
    ...(isJsonObject(selector) ? validateLabelSelector(selector, 'spec.selector') : []),
    ...(isReadable ? validateMatch(selector, template) : []),
    ...(isEmpty ? [invalid('spec.selector', {}, 'empty selector is invalid for daemonset')] : []),
    ...validatePodTemplate(template, 'spec.template', objectAt(old, 'template')),
    ...validateRestarts(template, 'DaemonSet'),
  ]
}

function validateStrategy({ type = '', rollingUpdate }: JsonObject, field: string): FieldErrors {
  if (type === 'OnDelete') return []
  if (type !== 'RollingUpdate') {
    const shown = { Type: type, RollingUpdate: goRollingUpdate(rollingUpdate) }
    return [asStruct(notSupported(field, shown, ['RollingUpdate', 'OnDelete']))]
  }
  const place = `${field}.rollingUpdate`
  return isJsonObject(rollingUpdate) ? validateRolling(rollingUpdate, place) : [required(place)]
}

/** A daemon is replaced before or after its successor starts, never both. */
function validateRolling({ maxUnavailable, maxSurge }: JsonObject, field: string): FieldErrors {
  const places = { maxUnavailable: `${field}.maxUnavailable`, maxSurge: `${field}.maxSurge` }
  const stops = !isZeroShare(maxUnavailable)
  const surges = !isZeroShare(maxSurge)
  return [
    ...validateShare(maxUnavailable, places.maxUnavailable),
    ...validateShare(maxSurge, places.maxSurge),
    ...validateAtMostAll(maxUnavailable, places.maxUnavailable),
    ...validateAtMostAll(maxSurge, places.maxSurge),
    ...(stops && surges ? [invalid(places.maxSurge, maxSurge, 'may not be set when maxUnavailable is non-zero')] : []),
    ...(stops || surges ? [] : [required(places.maxUnavailable, 'cannot be 0 when maxSurge is 0')]),
  ]
}
