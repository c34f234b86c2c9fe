import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../../src/core/base/json.ts'
import { compareText } from '../../../src/core/schema/go-json.ts'
import type { Step } from './exchange.ts'

/** An answer without what differs from run to run: names of the run, uids, versions, times, tokens, addresses. */
export function mask(value: JsonValue, namespace: string): JsonValue {
  if (typeof value === 'string') return maskText(value, namespace)
  if (isJsonArray(value)) {
    return value.map((item) => mask(item, namespace)).filter((item) => !isForeignGroup(item))
  }
  return isJsonObject(value) ? maskObject(value, namespace) : value
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g

/** As the operations of OpenAPI documents name a group: `contract-test` in `readDcontractTestExampleComV1Cup`. */
function namedAs(namespace: string): readonly [string, string] {
  const camel = camels.get(namespace) ?? namespace.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase())
  camels.set(namespace, camel)
  return [namespace, camel]
}

const camels = new Map<string, string>()

/** All that is masked has a digit or a brace in it, but for names. */
const SUSPICIOUS = /[\d{]|kube-api-access-/

function maskText(text: string, namespace: string): string {
  const named = namedAs(namespace)
  if (!SUSPICIOUS.test(text) && !named.some((name) => text.includes(name))) return text
  return text
    .replaceAll(named[0], '<ns>')
    .replaceAll(named[1], '<ns>')
    .replace(UID, '<uid>')
    .replace(TIME, '<time>')
    .replace(/Invalid value: "\{.*\}": /gs, 'Invalid value: "<object>": ')
    .replace(/(resource version: )\d+/gi, '$1<rv>')
    .replace(/("resourceVersion":")\d+/g, '$1<rv>')
    .replace(/(current: |\()\d+\b/g, '$1<rv>')
    .replace(/\bselfType\d+/g, 'selfType')
    .replace(/127\.0\.0\.1:\d+/g, '<server>')
    .replace(/(ResourceVersion in object meta: )\d+/g, '$1<rv>')
    .replace(/\b(kube-api-access-)[a-z0-9]{5}\b/g, '$1<random>')
}

function maskObject(object: JsonObject, namespace: string): JsonObject {
  const masked: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue
    const inner = isJsonArray(value) ? maskItems(key, value) : value
    masked[maskText(key, namespace)] = maskField(key, inner, object) ?? mask(inner, namespace)
  }
  return masked
}

/** Ages differ from run to run, and the order of managers depends on the seconds in which they wrote. */
function maskItems(key: string, items: JsonArray): JsonArray {
  if (key === 'cells') return items.map(maskAge)
  return key === 'managedFields'
    ? [...items].sort((left, right) => compareText(managerOf(left), managerOf(right)))
    : items
}

function managerOf(entry: JsonValue): string {
  return isJsonObject(entry) ? [entry.operation, entry.manager, entry.apiVersion, entry.subresource].join(' ') : ''
}

const FIXED: Readonly<Record<string, string>> = {
  resourceVersion: '<rv>',
  continue: '<continue>',
  storageVersionHash: '<hash>',
  hash: '<hash>',
  token: '<token>',
  'ca.crt': '<ca>',
  caBundle: '<ca>',
}

function maskField(key: string, value: JsonValue, parent: JsonObject): string | undefined {
  if (typeof value === 'string' && value.startsWith(NAMED_VERSION)) return value
  if (key === 'name' && typeof parent.generateName === 'string' && typeof value === 'string') {
    return value.replace(/[a-z0-9]{5}$/, '<random>')
  }
  const fixed = Object.hasOwn(FIXED, key) ? FIXED[key] : undefined
  return fixed !== undefined && typeof value === 'string' && (value !== '' || key === 'ca.crt') && value !== '0'
    ? fixed
    : undefined
}

/** The age of what was made just now ticks while a script runs. */
function maskAge(cell: JsonValue): JsonValue {
  return typeof cell === 'string' && /^(\d{1,2}s|1m\d*s?)$/.test(cell) ? '<age>' : cell
}

const NAMED_VERSION = '<rv of '

/**
 * In the frames of a watch, a version that a step was answered with is shown as the name of that step. The clock of the
 * server decides when bookmarks come between changes, so bookmarks are shown only at the end. After initial events they
 * are left out, because the real server may repeat these.
 */
export function showFrames(body: JsonValue, versions: ReadonlyMap<string, string>): JsonValue {
  if (!isJsonArray(body)) return body
  const ends = body.filter((frame) => isBookmark(frame) && JSON.stringify(frame).includes('initial-events-end'))
  const timed = body.filter((frame) => isBookmark(frame) && !ends.includes(frame))
  const others = body.filter((frame) => !timed.includes(frame))
  const shown = others.map((frame) => (isBookmark(frame) ? frame : named(frame, versions)))
  return ends.length > 0 ? shown : [...shown, ...timed]
}

/** The version of a bookmark is that of whatever was written last on the whole server. */
function isBookmark(frame: JsonValue): boolean {
  return isJsonObject(frame) && frame.type === 'BOOKMARK'
}

function named(value: JsonValue, versions: ReadonlyMap<string, string>): JsonValue {
  if (isJsonArray(value)) return value.map((item) => named(item, versions))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, field]): [string, JsonValue | undefined] => {
    const name = key === 'resourceVersion' && typeof field === 'string' ? versions.get(field) : undefined
    return [key, name === undefined ? field && named(field, versions) : `${NAMED_VERSION}${name}>`]
  })
  return Object.fromEntries(entries)
}

/** A name that the server made is random in texts, too. */
export function maskGeneratedName({ body: sent }: Step, body: JsonValue): JsonValue {
  const metadata = isJsonObject(sent) && isJsonObject(sent.metadata) ? sent.metadata : {}
  const prefix = metadata.generateName
  if (typeof prefix !== 'string' || prefix === '') return body
  const generated = new RegExp(`(${prefix.replace(/[^\w-]/g, '\\$&')})[a-z0-9]{5}\\b`, 'g')
  return JSON.parse(JSON.stringify(body).replace(generated, '$1<random>'))
}

/** The frames of a watch, or a refusal's causes and the words of its message, in an order of ours. */
export function sortUnordered(body: JsonValue): JsonValue {
  if (isJsonArray(body))
    return body
      .map((frame) => JSON.stringify(frame))
      .sort()
      .map((frame) => JSON.parse(frame))
  if (!isJsonObject(body)) return body
  if (isJsonObject(body.status) && isJsonArray(body.status.conditions)) {
    const conditions = [...body.status.conditions].sort((a, b) => compareText(JSON.stringify(a), JSON.stringify(b)))
    return { ...body, status: { ...body.status, conditions } }
  }
  if (!isJsonObject(body.details) || !isJsonArray(body.details.causes)) return body
  const causes = [...body.details.causes].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  const message = String(body.message)
    .split(/[\s,[\]]+/)
    .sort()
    .join(' ')
  return { ...body, message, details: { ...body.details, causes } }
}

/** Groups of CRDs that other scripts left on a server; those of a script have the namespace of its run in the name. */
function isForeignGroup(item: JsonValue): boolean {
  if (!isJsonObject(item)) return false
  const metadata = isJsonObject(item.metadata) ? item.metadata : {}
  const name = item.versions === undefined ? undefined : (item.name ?? metadata.name)
  return typeof name === 'string' && name.includes('.') && !name.endsWith('.k8s.io') && !name.includes('<ns>')
}
