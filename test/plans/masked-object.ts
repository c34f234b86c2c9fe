import { canonicalJson, type JsonObject } from '../../src/base/json.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../src/kube/object.ts'
import { APPLIED_ANNOTATION, OPERATOR_ANNOTATION } from '../../src/reconcile/marks.ts'

/**
 * What differs in two lives without a fault, and nothing else: a mask hides defects.
 *
 * | Masked | Why |
 * | --- | --- |
 * | uid, resourceVersion, times | each life has its own |
 * | ends of generated names, addresses | the server chooses them |
 * | `rolebook.dev/applied`, `rolebook.dev/operator`, hashes of Jobs | keyed with what the installation makes up |
 * | generated values, and what a role computes from them | random |
 */
export function maskedText(object: KubeObject, prefixes: ReadonlySet<string>): string {
  const { metadata, ...rest } = object
  const { uid: _uid, resourceVersion: _version, creationTimestamp: _time, managedFields = [], ...named } = metadata
  const shown = {
    ...rest,
    ...(object.kind === 'Secret' && { data: maskedData(object) }),
    metadata: { ...named, managedFields: managedFields.map(entryText).sort() },
  }
  return masked(canonicalJson(shown), prefixes)
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

/** Values of its own length stand for those that were chosen by the role. */
function maskedData({ metadata, data }: KubeObject): JsonObject {
  const values = Object.entries((data ?? {}) as JsonObject)
  const isGenerated = metadata.name?.endsWith('-account') === true
  return Object.fromEntries(
    values.map(([key, value]) => [key, isGenerated && key === 'password' ? `${String(value).length} letters` : value]),
  )
}

function entryText({ time: _time, ...entry }: ManagedFieldsEntry): string {
  return JSON.stringify(entry)
}

const ANNOTATIONS = new RegExp(
  `"(${APPLIED_ANNOTATION}[-0-9a-f]*|${OPERATOR_ANNOTATION}|example.com/account-digest)":"[^"]*"`,
  'g',
)
/** Of a Job, keyed with what the installation makes up. */
const JOB_HASH = /(?<=\\":\\")[0-9a-f]{16}(?=\\")/g
const UID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g
const ADDRESS = /\b\d{1,3}(\.\d{1,3}){3}\b/g
const SUFFIX = '[bcdfghjklmnpqrstvwxz2456789]{5}'
/** The volume of a token in a Pod. */
const VOLUME = new RegExp(`\\bkube-api-access-${SUFFIX}\\b`, 'g')
/** The digest of a pod template that holds a generated value. */
const REVISION = /\borders-[0-9a-z]{5,10}\b/g

function masked(text: string, prefixes: ReadonlySet<string>): string {
  let result = text
    .replace(ANNOTATIONS, '"$1":"…"')
    .replace(JOB_HASH, '<hash>')
    .replace(UID, '<uid>')
    .replace(TIME, '<time>')
    .replace(VOLUME, 'kube-api-access-<generated>')
    .replace(ADDRESS, '<address>')
    .replace(REVISION, (name) => (KNOWN.has(name) ? name : 'orders-<revision>'))
  for (const prefix of prefixes) {
    if (result.includes(prefix)) result = result.replace(patternOf(prefix), `${prefix}<generated>`)
  }
  return result
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
