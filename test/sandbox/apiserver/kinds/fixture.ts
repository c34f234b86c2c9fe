import { readFileSync } from 'node:fs'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'

/** What a real kube-apiserver answered to one request; `record.ts` fills in `expected`. */
export interface FixtureCase {
  readonly name: string
  /** Created first; the request is then a PUT of it, changed by `update`. */
  readonly given?: KubeObject
  /** What happens to `given` before the request. */
  readonly before?: Before
  readonly create?: KubeObject
  /** JSON merge patch from the live object to what is PUT. */
  readonly update?: JsonObject
  /** `status` sends the PUT there. */
  readonly subresource?: string
  readonly expected?: Expected
}

export interface Before {
  /** JSON merge patch that is PUT to `/status`. */
  readonly status?: JsonObject
  /** It is deleted; only the finalizers that `given` names keep it. */
  readonly isDeleted?: true
}

export type Expected =
  /** `cells` is the row of `kubectl get -o wide`, of created objects. */
  | { readonly object: JsonObject; readonly cells?: JsonValue; readonly warnings?: readonly string[] }
  | { readonly code: number; readonly reason: string; readonly message: string; readonly causes: JsonValue }

export interface Fixture {
  readonly cases: readonly FixtureCase[]
}

export function loadFixture(url: URL): Fixture {
  return JSON.parse(readFileSync(url, 'utf8')) as Fixture
}

const HIDDEN = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'namespace',
  'selfLink',
])

/** Takes out what differs from run to run: identity, time, allocated addresses and random names. */
export function maskObject(object: KubeObject): JsonObject {
  const metadata = Object.fromEntries(Object.entries(object.metadata).filter(([key]) => !HIDDEN.has(key)))
  return maskValue({ ...object, metadata } as JsonValue, '') as JsonObject
}

const RANDOM_NAME = /^(kube-api-access-)[a-z0-9]{5}$/
const UID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const ADDRESS = /^10\.(96|97|98|99|100|101|102|103|104|105|106|107|108|109|110|111)\.\d+\.\d+$/

function maskValue(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (isJsonArray(value)) return value.map((item) => maskValue(item, key) ?? null)
  if (isJsonObject(value)) {
    const entries = Object.entries(value).map(([name, inner]) => [name, maskValue(inner, name)])
    return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined))
  }
  if (/TransitionTime$/.test(key) && value) return '<time>'
  if (typeof value === 'string') return maskText(value)
  // Fixtures choose their own from 30970 on.
  if (typeof value === 'number' && /nodePort/i.test(key) && !(value >= 30970 && value < 31000)) return '<port>'
  return value
}

function maskText(text: string): string {
  if (UID.test(text)) return '<uid>'
  if (ADDRESS.test(text) && !text.endsWith('.0.77')) return '<address>'
  return text.replace(RANDOM_NAME, '$1<random>')
}

const CONTROLLED = new Set([
  'CronJob',
  'DaemonSet',
  'Deployment',
  'Job',
  'PodDisruptionBudget',
  'ReplicaSet',
  'Service',
  'StatefulSet',
])

/** An object after an update of its spec, without the status that a controller writes meanwhile. */
export function withoutControllerStatus(object: JsonObject): JsonObject {
  if (!CONTROLLED.has(String(object.kind))) return object
  const { status: _status, ...rest } = object
  return rest
}

/** The row of a table without what differs from run to run. */
export function maskCells(cells: JsonValue): JsonValue {
  const masks: readonly (readonly [RegExp, string])[] = [
    [/10\.(9[6-9]|10\d|11[01])\.\d+\.\d+/g, '<address>'],
    [/:3\d{4}\//g, ':<port>/'],
    [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>'],
    [/"((?:\d+[smhdy])+|<unknown>)"/g, '"<age>"'],
    [/\((?:\d+[smhdy])+ ago\)/g, '(<age> ago)'],
    [/"20\d\d-[^"]*Z"/g, '"<time>"'],
  ]
  const text = masks.reduce((masked, [pattern, mask]) => masked.replace(pattern, mask), JSON.stringify(cells))
  return JSON.parse(text) as JsonValue
}

/** RFC 7386, for the updates of fixtures. */
export function mergeInto(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch
  const merged: Record<string, JsonValue | undefined> = isJsonObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else if (value !== undefined) merged[key] = mergeInto(merged[key], value)
  }
  return merged
}
