import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { ageOf, columnsOf, containerTexts } from './common/columns.ts'
import { type FieldErrors, invalid, notNegative, notSupported, oneOf, required } from './common/field-errors.ts'
import { itemsAt, mapField, objectAt, textAt, withDefaults } from './common/fields.ts'
import { printSelector } from './common/print-selector.ts'
import { checkSchedule } from './common/schedule.ts'
import { invalidSelector } from './common/selector-and-template.ts'
import { specAndStatus } from './common/strategies.ts'
import { failurePolicyDefaults } from './job/failure-policy-defaults.ts'
import { validateJobSpec } from './job/job-validation.ts'
import type { KindRules } from './kind-rules.ts'
import { podTemplateDefaults } from './pod-spec/pod-spec-defaults.ts'
import { namedTemplateWarnings } from './pod-spec/pod-spec-warnings.ts'

const gvk = { group: 'batch', version: 'v1', kind: 'CronJob' }

export const cronJob: KindRules = {
  gvk,
  keepsEmpty: true,
  warnings: namedTemplateWarnings(['spec', 'jobTemplate', 'spec', 'template']),
  ...specAndStatus(),
  applyDefaults: (object) => withDefaults({ ...object, spec: specDefaults(objectAt(object, 'spec')) }, { status: {} }),
  validate: (object, old) => [
    ...validateName(object),
    ...validateSpec(objectAt(object, 'spec'), old ? jobSpecOf(old) : {}),
  ],
  generationFields: [['spec']],
  columns: columnsOf(gvk, {
    Schedule: (object) => textAt(objectAt(object, 'spec'), 'schedule'),
    Timezone: (object) => textAt(objectAt(object, 'spec'), 'timeZone') || '<none>',
    Suspend: (object) => (objectAt(object, 'spec').suspend === true ? 'True' : 'False'),
    Active: (object) => itemsAt(objectAt(object, 'status'), 'active').length,
    'Last Schedule': (object, now) => {
      const { lastScheduleTime } = objectAt(object, 'status')
      return lastScheduleTime === undefined ? '<none>' : ageOf(lastScheduleTime, now)
    },
    Containers: (object) => containerTexts(podSpecOf(object), 'name'),
    Images: (object) => containerTexts(podSpecOf(object), 'image'),
    Selector: (object) => printSelector(objectAt(jobSpecOf(object), 'selector')),
  }),
}

function jobSpecOf(object: KubeObject): JsonObject {
  return objectAt(objectAt(objectAt(object, 'spec'), 'jobTemplate'), 'spec')
}

function podSpecOf(object: KubeObject): JsonObject {
  return objectAt(objectAt(jobSpecOf(object), 'template'), 'spec')
}

/** The spec of the Jobs gets its defaults only when one is made. */
function specDefaults(given: JsonObject): JsonObject {
  const spec = withDefaults(given, {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
    jobTemplate: {},
  })
  return mapField(spec, 'jobTemplate', (template) =>
    mapField(withDefaults(template, { metadata: {}, spec: {} }), 'spec', (jobSpec) =>
      mapField(failurePolicyDefaults(withDefaults(jobSpec, { template: {} })), 'template', podTemplateDefaults),
    ),
  )
}

/** Jobs get eleven letters behind the name. */
function validateName({ metadata }: KubeObject): FieldErrors {
  const { name = '' } = metadata
  return name.length > 52 ? [invalid('metadata.name', name, 'must be no more than 52 characters')] : []
}

function validateSpec(spec: JsonObject, oldJob: JsonObject): FieldErrors {
  const schedule = textAt(spec, 'schedule')
  return [
    ...(schedule === '' ? [required('spec.schedule')] : validateSchedule(schedule)),
    ...notNegative('spec.startingDeadlineSeconds', spec.startingDeadlineSeconds),
    ...validateTimeZone(spec.timeZone),
    ...oneOf('spec.concurrencyPolicy', textAt(spec, 'concurrencyPolicy'), ['Allow', 'Forbid', 'Replace']),
    ...validateTemplate(objectAt(objectAt(spec, 'jobTemplate'), 'spec'), 'spec.jobTemplate.spec', oldJob),
    ...notNegative('spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit),
    ...notNegative('spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit),
  ]
}

/** Each Job gets a selector of its own. */
function validateTemplate(spec: JsonObject, field: string, old: JsonObject): FieldErrors {
  const { selector, manualSelector } = spec
  return [
    ...validateJobSpec(spec, field, old),
    ...(selector === undefined
      ? []
      : [invalidSelector(selector, '`selector` will be auto-generated', `${field}.selector`)]),
    ...(manualSelector === true ? [notSupported(`${field}.manualSelector`, true, ['nil', 'false'])] : []),
  ]
}

function validateSchedule(schedule: string): FieldErrors {
  const complaint = checkSchedule(schedule)
  return complaint === undefined ? [] : [invalid('spec.schedule', schedule, complaint)]
}

function validateTimeZone(timeZone: JsonObject[string]): FieldErrors {
  if (typeof timeZone !== 'string') return []
  if (timeZone === '') return [invalid('spec.timeZone', '', 'timeZone must be nil or non-empty string')]
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return []
  } catch {
    return [invalid('spec.timeZone', timeZone, `unknown time zone ${timeZone}`)]
  }
}
