import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../src/core/base/json.ts'
import { mask } from '../sandbox/contract/mask.ts'
import type { ClientServer } from './client-server.ts'

/** What lies in a namespace, by `<plural>/<name>`, without what differs from run to run and from kubelet to kubelet. */
export type FinalObjects = Readonly<Record<string, JsonValue>>

/** `paths` are those of collections, `/apis/apps/v1/deployments`, without the namespace. */
export async function finalObjects(
  server: ClientServer,
  namespace: string,
  paths: readonly string[],
): Promise<FinalObjects> {
  const lists = await Promise.all(paths.map((path) => readList(server, namespace, path)))
  return maskObjects(lists.flat(), namespace)
}

async function readList(server: ClientServer, namespace: string, path: string): Promise<JsonObject[]> {
  const at = path.lastIndexOf('/')
  const { body } = await server.send('GET', `${path.slice(0, at)}/namespaces/${namespace}${path.slice(at)}`)
  return (body.items as JsonObject[]).map((item) => ({ ...typeOf(body), ...item }))
}

/** Items of a list of a built-in kind carry no type of their own. */
function typeOf({ apiVersion, kind }: JsonObject): JsonObject {
  return { apiVersion: apiVersion ?? '', kind: String(kind).replace(/List$/, '') }
}

export function maskObjects(objects: readonly JsonObject[], namespace: string): FinalObjects {
  const texts = randomTexts(objects)
  const entries = objects.map((object): [string, JsonValue] => {
    const masked = mask(arrange(withoutPace(object)), namespace)
    const shown = JSON.parse(
      texts.reduce((text, [random, fixed]) => text.replaceAll(random, fixed), JSON.stringify(masked)),
    )
    return [`${shown.kind}/${shown.metadata.name}`, sortManagers(shown)]
  })
  return Object.fromEntries(distinct(entries.sort(byText)))
}

/** Names that the server made, hashes of templates and addresses, longest first, and what stands for each. */
function randomTexts(objects: readonly JsonObject[]): [string, string][] {
  const texts = new Map<string, string>()
  for (const { metadata } of objects as { metadata: Record<string, Record<string, string>> }[]) {
    const hash = metadata.labels?.['pod-template-hash'] ?? metadata.labels?.['controller.kubernetes.io/hash']
    if (hash !== undefined) texts.set(hash, '<hash>')
    if (typeof metadata.generateName !== 'string') continue
    const prefix = String(metadata.generateName).replace(hash ?? '<none>', '<hash>')
    texts.set(String(metadata.name), `${prefix}<random>`)
  }
  return [...texts].sort(([left], [right]) => right.length - left.length)
}

/** Fields in an order of ours, and lists whose order is that of a clock or of a Go map. */
export function arrange(value: JsonValue, key = ''): JsonValue {
  if (key === 'nodeName') return '<node>'
  if (typeof value === 'string')
    return value.replace(/\b10(\.\d{1,3}){3}\b/g, '<ip>').replace(/(kube-api-access-)[a-z0-9]{5}/, '$1<random>')
  if (isJsonArray(value)) {
    const items = value.map((item) => arrange(item))
    return key === 'conditions' ? items.sort((a, b) => compare(typeText(a), typeText(b))) : items
  }
  if (!isJsonObject(value)) return value
  const fields = Object.entries(value).map(([name, field]): [string, JsonValue] => [name, arrange(field ?? null, name)])
  return Object.fromEntries(fields.sort(([left], [right]) => compare(left, right)))
}

function typeText(condition: JsonValue): string {
  return isJsonObject(condition) ? String(condition.type) : ''
}

/** Which kubelet a Pod runs on, and in how many steps a controller got where it is, is no matter of the API server. */
function withoutPace(object: JsonObject): JsonObject {
  if (object.kind === 'Pod') return withoutNode(object)
  if (object.kind === 'EndpointSlice') return withoutTriggers(object)
  if (object.kind !== 'ReplicaSet') return object
  const { generation: _, ...metadata } = object.metadata as JsonObject
  const { observedGeneration: _o, ...status } = object.status as JsonObject
  return { ...object, metadata, status }
}

/** Changes that come within half a second are written at once; whether their time is noted depends on it. */
function withoutTriggers(slice: JsonObject): JsonObject {
  const { generation: _, annotations: _a, managedFields: _m, ...metadata } = slice.metadata as JsonObject
  return { ...slice, metadata }
}

/** kwok writes another status than the simulated kubelet. */
function withoutNode(pod: JsonObject): JsonObject {
  const { phase } = pod.status as JsonObject
  const { managedFields, ...metadata } = pod.metadata as JsonObject & { managedFields: readonly JsonObject[] }
  const { nodeName: _, ...spec } = pod.spec as JsonObject
  const managed = managedFields.filter(({ subresource }) => subresource !== 'status')
  return { ...pod, metadata: { ...metadata, managedFields: managed }, spec, status: { phase: phase ?? '' } }
}

interface Managed {
  readonly metadata: { readonly managedFields?: readonly JsonObject[] }
}

function sortManagers<T extends Managed>(object: T): T {
  const { managedFields } = object.metadata
  if (managedFields === undefined) return object
  const sorted = [...managedFields].sort((left, right) => compare(JSON.stringify(left), JSON.stringify(right)))
  return { ...object, metadata: { ...object.metadata, managedFields: sorted } }
}

/** Two Pods of one ReplicaSet have one masked name. */
function distinct(entries: readonly [string, JsonValue][]): [string, JsonValue][] {
  const seen = new Map<string, number>()
  return entries.map(([name, object]) => {
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return [count === 1 ? name : `${name} (${count})`, object]
  })
}

function byText(left: [string, JsonValue], right: [string, JsonValue]): number {
  return compare(left[0], right[0]) || compare(JSON.stringify(left[1]), JSON.stringify(right[1]))
}

function compare(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}
