import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'

/** What a server or a controller sets in metadata, and no person. */
const METADATA: ReadonlySet<string> = new Set([
  ...['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'deletionTimestamp', 'selfLink'],
  ...['deletionGracePeriodSeconds', 'managedFields', 'ownerReferences', 'finalizers'],
])
const ANNOTATIONS =
  /^(kubectl\.kubernetes\.io\/last-applied-configuration|deployment\.kubernetes\.io\/|pv\.kubernetes\.io\/|volume\.(beta\.)?kubernetes\.io\/|autoscaling\.alpha\.kubernetes\.io\/|control-plane\.alpha\.)/

/** What the server fills in of a kind, by paths; `*` is any item of a list. */
const FILLED_IN: Readonly<Record<string, readonly string[]>> = {
  Service: [
    'spec.clusterIPs',
    'spec.ipFamilies',
    'spec.ipFamilyPolicy',
    'spec.healthCheckNodePort',
    'spec.ports.*.nodePort',
  ],
  PersistentVolumeClaim: ['spec.volumeName', 'spec.volumeMode'],
  ServiceAccount: ['secrets'],
  Job: [
    'spec.selector',
    ...['controller-uid', 'batch.kubernetes.io/controller-uid', 'job-name', 'batch.kubernetes.io/job-name'].map(
      (label) => `spec.template.metadata.labels.${label}`,
    ),
  ],
}

/** An object as a person would have written it: without what the server has set. */
export function cleanObject(live: KubeObject): KubeObject {
  const { status: _status, metadata, ...rest } = live
  const kept = Object.entries(metadata).filter(([key, value]) => !METADATA.has(key) && value !== undefined)
  const { annotations, ...others } = Object.fromEntries(kept) as JsonObject
  const own = isJsonObject(annotations) ? Object.entries(annotations).filter(([key]) => !ANNOTATIONS.test(key)) : []
  const cleaned = { ...rest, metadata: { ...others, ...(own.length > 0 && { annotations: Object.fromEntries(own) }) } }
  const filled = (FILLED_IN[live.kind] ?? []).map((path) => stepsOf(path))
  const { apiVersion, kind, metadata: named, ...body } = filled.reduce<JsonObject>(without, cleaned as JsonObject)
  return { apiVersion, kind, metadata: named, ...withoutAddress(live.kind, body) } as unknown as KubeObject
}

/** A label may have dots: it is the rest of the path. */
function stepsOf(path: string): readonly string[] {
  const [, before, label] = /^(.*\.labels)\.(.*)$/.exec(path) ?? []
  return before === undefined || label === undefined ? path.split('.') : [...before.split('.'), label]
}

function without(value: JsonObject, [step = '', ...rest]: readonly string[]): JsonObject {
  if (rest.length === 0) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== step))
  const inner = value[step]
  if (isJsonObject(inner)) return { ...value, [step]: without(inner, rest) }
  if (!isJsonArray(inner) || rest[0] !== '*') return value
  return { ...value, [step]: inner.map((item) => (isJsonObject(item) ? without(item, rest.slice(1)) : item)) }
}

/** `None` is a choice, an address is not. */
function withoutAddress(kind: string, body: JsonObject): JsonObject {
  const { spec } = body
  if (kind !== 'Service' || !isJsonObject(spec) || spec.clusterIP === 'None') return body
  return { ...body, spec: without(spec, ['clusterIP']) }
}

/** Why an object of a live namespace is none that a person made; `undefined` when it is one. */
export function madeByOthers({ kind, metadata, type }: KubeObject & { readonly type?: JsonValue }): string | undefined {
  const { ownerReferences, name } = metadata
  if (isJsonArray(ownerReferences) && ownerReferences.length > 0) return 'it belongs to another object'
  if (kind === 'ConfigMap' && name === 'kube-root-ca.crt') return 'every namespace has one'
  if (kind === 'ServiceAccount' && name === 'default') return 'every namespace has one'
  if (kind === 'Secret' && type === 'kubernetes.io/service-account-token') return 'the control plane fills it'
  return undefined
}
