import { type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { badRequest } from '../api-status.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, immutable, notNegative, notSupported } from './common/field-errors.ts'
import { mapField, numberAt, objectAt, withDefaults } from './common/fields.ts'
import { printLabels } from './common/print-selector.ts'
import { validateSelectorAndTemplate } from './common/selector-and-template.ts'
import { keepField, keepStatus, specAndStatus, withMetadata } from './common/strategies.ts'
import { validateRollingUpdate } from './deployment.ts'
import type { KindRules } from './kind-rules.ts'
import { podTemplateDefaults } from './pod-spec/pod-spec-defaults.ts'
import { templateWarnings } from './pod-spec/pod-spec-warnings.ts'

const gvk = { group: 'apps', version: 'v1', kind: 'DaemonSet' }
const ZERO_STATUS = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 }
export const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation'

const count = (name: string) => (object: KubeObject) => numberAt(objectAt(object, 'status'), name)

export const daemonSet: KindRules = {
  gvk,
  warnings: templateWarnings(['spec', 'template']),
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
  prepareForUpdate: (object, old) => {
    const before = templateGenerationOf(old)
    const isNew = !jsonEquals(objectAt(object, 'spec').template, objectAt(old, 'spec').template)
    return withTemplateGeneration(keepStatus(object, old), isNew ? before + 1 : before)
  },
  validate: (object, old) => [
    ...validateSpec(objectAt(object, 'spec')),
    ...(old ? immutable('spec.selector', objectAt(object, 'spec').selector, objectAt(old, 'spec').selector) : []),
  ],
  validateStatusUpdate: (object) => {
    const status = objectAt(object, 'status')
    return Object.keys(ZERO_STATUS).flatMap((name) => notNegative(`status.${name}`, status[name]))
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

function validateSpec(spec: JsonObject): FieldErrors {
  const { type = '', rollingUpdate } = objectAt(spec, 'updateStrategy')
  const isKnown = type === 'RollingUpdate' || type === 'OnDelete'
  // The server prints its internal struct, with the names of Go.
  const shown = { Type: type, RollingUpdate: rollingUpdate ?? null }
  return [
    ...validateSelectorAndTemplate(spec, 'daemonset').filter(
      ({ field, type: found }) => field !== 'spec.selector' || found !== 'Required',
    ),
    ...notNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...(isKnown ? [] : [notSupported('spec.updateStrategy', shown, ['RollingUpdate', 'OnDelete'])]),
    ...(type === 'RollingUpdate'
      ? validateRollingUpdate(
          objectAt(objectAt(spec, 'updateStrategy'), 'rollingUpdate'),
          'spec.updateStrategy.rollingUpdate',
        )
      : []),
    ...notNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
  ]
}
