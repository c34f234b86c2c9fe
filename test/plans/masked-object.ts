import { canonicalJson, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../src/core/base/json.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../src/core/kube/object.ts'
import { APPLIED_ANNOTATION, OPERATOR_ANNOTATION } from '../../src/engine/reconcile/ownership/ownership.ts'

/**
 * What differs in two lives without a fault, and nothing else: a mask hides defects.
 *
 * | Masked | Why |
 * | --- | --- |
 * | uid, resourceVersion, times | each life has its own |
 * | ends of generated names, addresses | the server chooses them |
 * | `rolebook.dev/applied`, `rolebook.dev/operator`, hashes of Jobs | keyed with what the installation makes up |
 * | when pods of Endpoints changed | it is left out when they changed long ago |
 * | generation of what has a generated name | a controller may write such an object in one step or in two |
 * | the scheduler as a manager of a Pod | it writes the status only of a Pod that it cannot place at once, such as one whose claim is not bound yet |
 * | the time in the Secret of a Helm release | each life has its own |
 * | the order of conditions | each has a type of its own; which comes first depends on the moment at which it was written |
 * | generated values, and what is computed from them | random |
 */
export function maskedText(object: KubeObject, prefixes: ReadonlySet<string>): string {
  const { metadata, ...rest } = withSortedConditions(object)
  const { uid: _uid, resourceVersion: _version, creationTimestamp: _time, managedFields = [], ...named } = metadata
  const shown = {
    ...rest,
    ...(object.kind === 'Secret' && { data: maskedData(object) }),
    metadata: {
      ...(named.generateName === undefined ? named : { ...named, generation: 0 }),
      managedFields: managedFields
        .filter(({ manager }) => manager !== 'kube-scheduler')
        .map(entryText)
        .sort(),
    },
  }
  return masked(canonicalJson(shown), prefixes)
}

function withSortedConditions(object: KubeObject): KubeObject {
  const { status } = object
  if (!isJsonObject(status) || !isJsonArray(status.conditions)) return object
  const conditions = status.conditions.toSorted((left, right) => typeOf(left).localeCompare(typeOf(right), 'en'))
  return { ...object, status: { ...status, conditions } }
}

function typeOf(condition: JsonValue): string {
  return isJsonObject(condition) ? String(condition.type) : ''
}

/** What of a child the role has asked for: nothing that controllers add. */
export function contentText({ status: _status, ...object }: KubeObject, prefixes: ReadonlySet<string>): string {
  const { name, namespace, labels, annotations } = object.metadata
  const owned =
    annotations && Object.entries(annotations).filter(([key]) => !key.startsWith('deployment.kubernetes.io/'))
  const metadata = { name, namespace, labels, ...(owned && { annotations: Object.fromEntries(owned) }) }
  return masked(
    canonicalJson({ ...object, metadata, ...(object.kind === 'Secret' && { data: maskedData(object) }) }),
    prefixes,
  )
}

function maskedData({ metadata: { name = '' }, data }: KubeObject): JsonObject {
  return Object.fromEntries(
    Object.entries((data ?? {}) as JsonObject).map(([key, value]) => [
      key,
      maskedValue(`${name} ${key}`, String(value)),
    ]),
  )
}

function maskedValue(key: string, value: string): string {
  if (key === 'orders-account password') return `${value.length} letters`
  if (!key.endsWith(' release.json')) return value
  return Buffer.from(value, 'base64')
    .toString('utf8')
    .replace(/"now":[\d.]+/, '"now":0')
}

function entryText({ time: _time, ...entry }: ManagedFieldsEntry): string {
  return JSON.stringify(entry)
}

const ANNOTATIONS = new RegExp(
  `"(${APPLIED_ANNOTATION}[-0-9a-f]*|${OPERATOR_ANNOTATION}|example.com/account-digest|controller.kubernetes.io/hash)":"[^"]*"`,
  'g',
)
/** Of a Job, keyed with what the installation makes up. */
const JOB_HASH = /(?<=\\":\\")[0-9a-f]{16}(?=\\")/g
/** Endpoints have it while the time of the last change of a pod is known. */
const TRIGGER_TIME = /"annotations":\{"endpoints\.kubernetes\.io\/last-change-trigger-time":"[^"]*"\},/g
/** The same in managedFields, alone or beside other annotations. */
const TRIGGER_TIME_FIELD =
  /(?:\\"f:annotations\\":\{\\"\.\\":\{\},)?\\"f:endpoints\.kubernetes\.io\/last-change-trigger-time\\":\{\}\},/g
const UID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g
const ADDRESS = /\b\d{1,3}(\.\d{1,3}){3}\b/g
const SUFFIX = '[bcdfghjklmnpqrstvwxz2456789]{5}'
/** In the name of a Pod. A ReplicaSet that is not gone yet gives the next one of its template another hash. */
const TEMPLATE_HASH = new RegExp(`(?<=-)[bcdfghjklmnpqrstvwxz2456789]{8,10}(?=-(?:<generated>|${SUFFIX}\\b))`, 'g')
/** The volume of a token in a Pod. */
const VOLUME = new RegExp(`\\bkube-api-access-${SUFFIX}\\b`, 'g')
/** The digest of a pod template that holds a generated value. */
const REVISION = /\borders-[0-9a-z]{5,10}\b/g

function masked(text: string, prefixes: ReadonlySet<string>): string {
  let result = text
    .replace(ANNOTATIONS, '"$1":"…"')
    .replace(TRIGGER_TIME, '')
    .replace(TRIGGER_TIME_FIELD, '')
    .replace(JOB_HASH, '<hash>')
    .replace(UID, '<uid>')
    .replace(TIME, '<time>')
    .replace(VOLUME, 'kube-api-access-<generated>')
    .replace(ADDRESS, '<address>')
    .replace(REVISION, (name) => (KNOWN.has(name) ? name : 'orders-<revision>'))
  for (const prefix of prefixes) {
    if (result.includes(prefix)) result = result.replace(patternOf(prefix), `${prefix}<generated>`)
  }
  return result.replace(TEMPLATE_HASH, '<template>')
}

const KNOWN: ReadonlySet<string> = new Set(['orders-account', 'orders-data'])

function patternOf(prefix: string): RegExp {
  const known = patterns.get(prefix)
  if (known) return known
  const pattern = new RegExp(`${prefix.replaceAll('.', '\\.')}${SUFFIX}\\b`, 'g')
  patterns.set(prefix, pattern)
  return pattern
}

const patterns = new Map<string, RegExp>()
