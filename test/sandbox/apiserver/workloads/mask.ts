import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'

const HIDDEN = new Set([
  // Depends on whether a pod came and another went at the same moment.
  'endpoints.kubernetes.io/last-change-trigger-time',
  'uid',
  'resourceVersion',
  'managedFields',
  'creationTimestamp',
  'namespace',
  // kwok, which stands in for the kubelet there, leaves it out.
  'started',
  'selfLink',
  'imageID',
])
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/

/**
 * Objects at rest without what differs from run to run: identity, times, addresses. Names with random or hashed parts
 * become `<name-1>`, `<name-2>`… in the order of their objects.
 */
export function maskAtRest(kinds: Readonly<Record<string, readonly KubeObject[]>>): JsonObject {
  const names = new Map<string, string>()
  const sorted = Object.entries(kinds).map(([kind, objects]) => [kind, [...objects].sort(byIdentity)] as const)
  for (const [kind, objects] of sorted) {
    objects.forEach((object, index) => {
      const { name = '', labels = {} } = object.metadata
      const hash = labels['pod-template-hash'] ?? labels['controller-revision-hash']
      if (kind === 'ReplicaSet' && hash !== undefined) names.set(hash, `<hash-${index + 1}>`)
      if (kind === 'ControllerRevision') {
        names.set(name, `<revision-${index + 1}>`)
        names.set(name.slice(name.lastIndexOf('-') + 1), `<hash-${index + 1}>`)
      }
      if (object.metadata.generateName !== undefined) names.set(name, `<${kind.toLowerCase()}-${index + 1}>`)
    })
  }
  const masked = sorted.map(([kind, objects]) => [
    kind,
    objects.map((object) => mask(withoutEnd(withoutCount(object)) as JsonValue, names)),
  ])
  return Object.fromEntries(masked)
}

/** kwok leaves the conditions of a pod that has ended as they were; the kubelet does not. */
function withoutEnd(object: KubeObject): KubeObject {
  const { status } = object as unknown as { status?: { phase?: string } }
  return status?.phase === 'Succeeded' ? { ...object, status: { ...status, conditions: [] } } : object
}

/** How often a slice was written depends on which pods became ready at the same moment. */
function withoutCount(object: KubeObject): KubeObject {
  if (object.kind !== 'EndpointSlice') return object
  const { generation: _generation, ...metadata } = object.metadata
  return { ...object, metadata }
}

/** By what does not differ from run to run: revision, then age, then name. */
function byIdentity(left: KubeObject, right: KubeObject): number {
  const key = (object: KubeObject): string => {
    const revision = object.metadata.annotations?.['deployment.kubernetes.io/revision'] ?? String(object.revision ?? '')
    return [revision.padStart(5), object.metadata.generateName ? '' : object.metadata.name].join('/')
  }
  return key(left) < key(right) ? -1 : 1
}

function mask(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (isJsonArray(value)) {
    const items = value.map((item) => mask(item, names))
    // Endpoints of pods come in the order of random names and addresses.
    return items.every((item) => isJsonObject(item) && ('addresses' in item || 'ip' in item))
      ? items.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1))
      : items
  }
  if (isJsonObject(value)) {
    const entries = Object.entries(value).filter(([key]) => !HIDDEN.has(key))
    return Object.fromEntries(
      entries
        .filter(
          ([key, inner]) => key !== 'annotations' || Object.keys(inner as object).some((name) => !HIDDEN.has(name)),
        )
        .sort()
        .map(([key, inner]) => [key, mask(inner ?? null, names)]),
    )
  }
  return typeof value === 'string' ? maskText(value, names) : value
}

const UID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const ADDRESS = /10\.2\d\d\.\d+\.\d+/g
const AGE = /^\d+[smh](\d+[smh])?$/

function maskText(text: string, names: ReadonlyMap<string, string>): string {
  if (TIME.test(text)) return '<time>'
  if (AGE.test(text)) return '<age>'
  let masked = text
    .replace(UID, '<uid>')
    .replace(ADDRESS, '<address>')
    .replace(/^(kube-api-access-)[a-z0-9]{5}$/, '$1<random>')
    .replace(/^(pods ")[^"]+(" is forbidden: )/, '$1<random>$2')
    .replace(/^(node-1|sandbox)$/, '<node>')
  const longestFirst = [...names].sort(([left], [right]) => right.length - left.length)
  for (const [name, replacement] of longestFirst) masked = masked.replaceAll(name, replacement)
  return masked
}
