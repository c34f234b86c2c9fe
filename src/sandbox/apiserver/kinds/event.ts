import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { ageOf, columnsOf } from './common/columns.ts'
import { numberAt, objectAt, textAt, withDefaults } from './common/fields.ts'
import { validateCoreEvent, validateEvent } from './event-validation.ts'
import type { KindRules } from './kind-rules.ts'

const coreGvk = { group: '', version: 'v1', kind: 'Event' }
const gvk = { group: 'events.k8s.io', version: 'v1', kind: 'Event' }

/** The old form of events; both are views of the same objects. */
export const coreEvent: KindRules = {
  gvk: coreGvk,
  nameFormat: 'path-segment',
  applyDefaults: (object) =>
    withDefaults(object, {
      eventTime: null,
      firstTimestamp: null,
      involvedObject: {},
      lastTimestamp: null,
      reportingComponent: '',
      reportingInstance: '',
      source: {},
    }),
  validate: validateCoreEvent,
  createOnUpdate: true,
  fieldSelectors: {
    ...selectorsOf('involvedObject'),
    reason: (object) => textAt(object, 'reason'),
    reportingComponent: (object) => textAt(object, 'reportingComponent'),
    source: (object) => textAt(objectAt(object, 'source'), 'component') || textAt(object, 'reportingComponent'),
    type: (object) => textAt(object, 'type'),
  },
  columns: columnsOf(coreGvk, cellsOf({ target: 'involvedObject', text: 'message', old: '' })),
}

export const event: KindRules = {
  gvk,
  applyDefaults: (object) =>
    withDefaults(object, {
      deprecatedFirstTimestamp: null,
      deprecatedLastTimestamp: null,
      deprecatedSource: {},
      eventTime: null,
      regarding: {},
    }),
  validate: validateEvent,
  createOnUpdate: true,
  fieldSelectors: {
    ...selectorsOf('regarding'),
    reason: (object) => textAt(object, 'reason'),
    reportingController: (object) => textAt(object, 'reportingController'),
    type: (object) => textAt(object, 'type'),
  },
  columns: columnsOf(gvk, cellsOf({ target: 'regarding', text: 'note', old: 'deprecated' })),
}

function selectorsOf(target: string): Readonly<Record<string, (object: KubeObject) => string>> {
  const names = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']
  return Object.fromEntries(
    names.map((name) => [`${target}.${name}`, (object) => textAt(objectAt(object, target), name)]),
  )
}

interface Names {
  readonly target: string
  readonly text: string
  /** What the fields of old events start with. */
  readonly old: '' | 'deprecated'
}

const REPORTER = { '': 'reportingComponent', deprecated: 'reportingController' } as const

function cellsOf({ target, text, old }: Names): Parameters<typeof columnsOf>[1] {
  const named = (name: string): string => (old === '' ? name : `${old}${name[0]?.toUpperCase()}${name.slice(1)}`)
  const firstSeen = (object: KubeObject, now: number): string =>
    ageOf(object[named('firstTimestamp')] ?? object.eventTime, now)
  const source = (object: JsonObject): string => {
    const given = objectAt(object, named('source'))
    const reporter = textAt(given, 'component') || textAt(object, REPORTER[old])
    const instance = textAt(given, 'host') || textAt(object, 'reportingInstance')
    return instance === '' ? reporter : `${reporter}, ${instance}`
  }
  return {
    'Last Seen': (object, now) => {
      const { lastObservedTime } = objectAt(object, 'series')
      const last = lastObservedTime ?? object[named('lastTimestamp')]
      return typeof last === 'string' ? ageOf(last, now) : firstSeen(object, now)
    },
    Type: (object) => textAt(object, 'type'),
    Reason: (object) => textAt(object, 'reason'),
    Object: (object) => {
      const { kind = '', name = '' } = objectAt(object, target)
      return [String(kind).toLowerCase(), name].filter((part) => part !== '').join('/')
    },
    Subobject: (object) => textAt(objectAt(object, target), 'fieldPath'),
    Source: source,
    Message: (object) => textAt(object, text).trim(),
    'First Seen': firstSeen,
    Count: (object) => numberAt(objectAt(object, 'series'), 'count') || numberAt(object, named('count')) || 1,
  }
}
