import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf, humanDuration } from './common/columns.ts'
import { itemsAt, mapField, numberAt, objectAt, withDefaults } from './common/fields.ts'
import { specAndStatus, withMetadata } from './common/strategies.ts'
import { failurePolicyDefaults } from './job/failure-policy-defaults.ts'
import { validateJobStatus } from './job/job-status-validation.ts'
import { validateJob, validateJobChange } from './job/job-validation.ts'
import type { KindRules } from './kind-rules.ts'
import { podTemplateDefaults } from './pod-spec/pod-spec-defaults.ts'
import { namedTemplateWarnings } from './pod-spec/pod-spec-warnings.ts'

const gvk = { group: 'batch', version: 'v1', kind: 'Job' }

export const job: KindRules = {
  gvk,
  keepsEmpty: true,
  warnings: namedTemplateWarnings(['spec', 'template']),
  ...specAndStatus(),
  applyDefaults: (object) => {
    const spec = jobSpecDefaults(objectAt(object, 'spec'))
    const complete = withDefaults({ ...object, spec }, { status: {} })
    const { labels } = objectAt(objectAt(spec, 'template'), 'metadata')
    const own = object.metadata.labels
    const hasLabels = Object.keys(own ?? {}).length > 0
    // A Job without labels has the very map of its template: what is added to one is in both (see `withSelector`).
    if (hasLabels) return own === labels ? withMetadata(complete, { labels: { ...own } }) : complete
    return labels === undefined ? complete : withMetadata(complete, { labels })
  },
  prepareForCreate: (object) => withSelector({ ...object, status: {} }),
  validate: validateJob,
  validateChange: (object, old, { stored }) => validateJobChange(object, old, stored(object)),
  validateStatusUpdate: (object, old, { stored }) => validateJobStatus(stored(object), old),
  generationFields: [['spec']],
  fieldSelectors: {
    'status.successful': (object) => String(numberAt(objectAt(object, 'status'), 'succeeded')),
  },
  columns: columnsOf(gvk, { Status: statusOf, Completions: completionsOf, Duration: durationOf }),
}

/** What the spec of a Job gets, whether it stands in a Job or in the template of one. */
function jobSpecDefaults(given: JsonObject): JsonObject {
  const { completions, parallelism, backoffLimitPerIndex, podFailurePolicy } = given
  const single = completions === undefined && parallelism === undefined ? { completions: 1 } : {}
  const spec = withDefaults(given, {
    ...single,
    parallelism: 1,
    backoffLimit: backoffLimitPerIndex === undefined ? 6 : 2147483647,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed',
    manualSelector: false,
    template: {},
  })
  return mapField(failurePolicyDefaults(spec), 'template', podTemplateDefaults)
}

/** Pods are found by the uid of their Job, unless its author chose a selector. */
function withSelector(object: KubeObject): KubeObject {
  const spec = objectAt(object, 'spec')
  if (spec.manualSelector === true) return object
  const { name = '', uid = '' } = object.metadata
  const labels = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  }
  const template = objectAt(spec, 'template')
  const metadata = objectAt(template, 'metadata')
  const labelled = { ...template, metadata: { ...metadata, labels: { ...labels, ...objectAt(metadata, 'labels') } } }
  const selector = objectAt(spec, 'selector')
  const matchLabels = { 'batch.kubernetes.io/controller-uid': uid, ...objectAt(selector, 'matchLabels') }
  const complete = { ...object, spec: { ...spec, selector: { ...selector, matchLabels }, template: labelled } }
  const isShared = metadata.labels !== undefined && metadata.labels === object.metadata.labels
  const isUnlabelled = Object.keys(object.metadata.labels ?? {}).length === 0
  return isShared || isUnlabelled ? withMetadata(complete, { labels: labelled.metadata.labels }) : complete
}

const STATES: readonly (readonly [condition: string, text: string])[] = [
  ['Complete', 'Complete'],
  ['Failed', 'Failed'],
  ['', 'Terminating'],
  ['Suspended', 'Suspended'],
  ['FailureTarget', 'FailureTarget'],
  ['SuccessCriteriaMet', 'SuccessCriteriaMet'],
]

function statusOf(object: KubeObject): string {
  const conditions = itemsAt(objectAt(object, 'status'), 'conditions').filter(({ status }) => status === 'True')
  const holds = (type: string): boolean =>
    type === ''
      ? object.metadata.deletionTimestamp !== undefined
      : conditions.some((condition) => condition.type === type)
  return STATES.find(([type]) => holds(type))?.[1] ?? 'Running'
}

function completionsOf(object: KubeObject): string {
  const { completions, parallelism } = objectAt(object, 'spec')
  const succeeded = numberAt(objectAt(object, 'status'), 'succeeded')
  if (completions !== undefined) return `${succeeded}/${completions}`
  return Number(parallelism) > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function durationOf(object: KubeObject, now: number): string {
  const { startTime, completionTime } = objectAt(object, 'status')
  if (typeof startTime !== 'string') return ''
  const end = typeof completionTime === 'string' ? Date.parse(completionTime) : now
  return humanDuration(end - Date.parse(startTime))
}
