import { type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { checkLabelKey } from '../write/names.ts'
import { asStruct, type FieldErrors, immutable, invalid, invalidFor, required } from './common/field-errors.ts'
import { numberAt, objectAt, textAt } from './common/fields.ts'
import { asGoStruct } from './common/go-struct.ts'

/** Where the two forms of an event differ; complaints name the fields of the old one. */
interface Form {
  readonly target: string
  readonly reporter: string
  readonly text: string
}

const OLD: Form = { target: 'involvedObject', reporter: 'reportingComponent', text: 'message' }
const NEW: Form = { target: 'regarding', reporter: 'reportingController', text: 'note' }

/** Complaints about an event in the old form. */
export function validateCoreEvent(object: KubeObject): FieldErrors {
  return validateBoth(object, OLD)
}

/** Complaints about an event in the new form: more is needed, and little may change. */
export function validateEvent(object: KubeObject, old?: KubeObject): FieldErrors {
  return [...validateBoth(object, NEW), ...(old ? validateUpdate(object, old) : validateNew(object))]
}

/** An event without a precise time comes from an old client: only its namespace is checked. */
function validateBoth(object: KubeObject, form: Form): FieldErrors {
  const { namespace: own } = keyOf(object)
  const namespace = textAt(objectAt(object, form.target), 'namespace')
  const isPrecise = typeof object.eventTime === 'string'
  const fits = namespace === '' ? own === 'default' || own === 'kube-system' : isPrecise || own === namespace
  const elsewhere = invalid('involvedObject.namespace', namespace, 'does not match event.namespace')
  return [...(fits ? [] : [elsewhere]), ...(isPrecise ? validatePrecise(object, form) : [])]
}

function validatePrecise(object: KubeObject, { reporter, text }: Form): FieldErrors {
  const name = textAt(object, reporter)
  return [
    ...(name === '' ? [required(reporter)] : []),
    ...invalidFor(reporter, name, checkLabelKey(name)),
    ...['reportingInstance', 'action', 'reason'].flatMap((field) => {
      const given = textAt(object, field)
      return [...(given === '' ? [required(field)] : []), ...validateLength(field, given, 128)]
    }),
    ...validateLength('message', textAt(object, text), 1024),
  ]
}

function validateLength(field: string, text: string, limit: number): FieldErrors {
  return text.length > limit ? [invalid(field, '', `can have at most ${limit} characters`)] : []
}

const UNSET = ['firstTimestamp', 'lastTimestamp', 'count'] as const

function validateNew(object: KubeObject): FieldErrors {
  const type = textAt(object, 'type')
  const isKnown = type === 'Normal' || type === 'Warning'
  const { component, host } = objectAt(object, 'deprecatedSource')
  const given = UNSET.filter((name) => (object[deprecated(name)] ?? null) !== null)
  return [
    ...(typeof object.eventTime === 'string' ? [] : [required('eventTime')]),
    ...(isKnown ? [] : [invalid('type', '', `has invalid value: ${type}`)]),
    ...given.map((name) => invalid(name, '', 'needs to be unset')),
    ...(component === undefined && host === undefined ? [] : [invalid('source', '', 'needs to be unset')]),
    ...validateSeries(object),
  ]
}

function deprecated(name: string): string {
  return `deprecated${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}

function validateSeries(object: KubeObject): FieldErrors {
  if (object.series === undefined) return []
  const series: JsonObject = objectAt(object, 'series')
  return [
    ...(numberAt(series, 'count') < 2 ? [invalid('series.count', '', 'should be at least 2')] : []),
    ...(typeof series.lastObservedTime === 'string' ? [] : [required('series.lastObservedTime')]),
  ]
}

const GO_REFERENCE = ['Kind', 'Namespace', 'Name', 'UID', 'APIVersion', 'ResourceVersion', 'FieldPath']

/** What must stay, with the name that complaints give it. Absent texts show as empty ones. */
const IMMUTABLE: readonly (readonly [name: string, field: string, goFields?: readonly string[]])[] = [
  ['regarding', 'involvedObject', GO_REFERENCE],
  ['reason', 'reason'],
  ['note', 'message'],
  ['deprecatedSource', 'source', ['Component', 'Host']],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
  // The server looks at it twice.
  ['reason', 'reason'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related', GO_REFERENCE],
  ['reportingController', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
]

/** A time or another object that is not given shows as null, all else as an empty text. */
function noneOf(name: string): null | '' {
  return name === 'related' || /Time(stamp)?$/.test(name) ? null : ''
}

/** Only the other object is a pointer. */
function isThere(object: KubeObject, name: string): boolean {
  return name !== 'related' || object[name] !== undefined
}

function validateUpdate(object: KubeObject, old: KubeObject): FieldErrors {
  return [
    ...(jsonEquals(object.series, old.series) ? [] : validateSeries(object)),
    ...IMMUTABLE.flatMap(([name, field, goFields]) =>
      immutable(field, object[name] ?? noneOf(name), old[name] ?? noneOf(name)).map((error) =>
        goFields && isThere(object, name)
          ? asStruct({ ...error, value: asGoStruct(objectAt(object, name), goFields, '') })
          : error,
      ),
    ),
  ]
}
