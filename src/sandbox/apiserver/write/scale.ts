import { getPath, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { apiVersionOf } from '../../../core/kube/group-version-kind.ts'
import { type LabelSelector, printLabelSelector } from '../../../core/kube/label-selector.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { internalError, invalid } from '../api-status.ts'
import type { ScalePaths } from '../kinds/kind-rules.ts'
import type { ServedResource } from '../served-resource.ts'
import { withMeta } from './object-meta.ts'
import { checkUid } from './preconditions.ts'
import { toParentEntries, toScaleEntries } from './scale-managed-fields.ts'
import { type ObjectChange, updateObject } from './update-object.ts'
import type { ServerState, WriteRequest, WriteResult } from './write-request.ts'

/** `autoscaling/v1 Scale` of an object: what `/scale` shows. */
function scaleOf({ rules, custom }: ServedResource, object: KubeObject): KubeObject {
  const { scale: paths = NO_PATHS } = rules
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const selector = printSelector(at(object, paths.selector), custom)
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: numberFields({ replicas: at(object, paths.specReplicas) }),
    status: { replicas: numberAt(object, paths.statusReplicas), ...(selector !== '' && { selector }) },
  }
}

/**
 * The Scale of an object that is asked for.
 *
 * @throws ApiError 500 when a custom resource has no replicas
 */
export function readScale(resource: ServedResource, object: KubeObject): KubeObject {
  const { specReplicas } = { ...NO_PATHS, ...resource.rules.scale }
  if (resource.custom && at(object, specReplicas) === undefined) {
    throw internalError(`the spec replicas field ".${specReplicas.join('.')}" does not exist`)
  }
  return scaleOf(resource, object)
}

/**
 * Changes the replicas of an object through its Scale. `change` gets the present Scale and returns the new one, its
 * `managedFields` done.
 *
 * @throws ApiError
 */
export function updateScale(state: ServerState, request: WriteRequest, change: ObjectChange): WriteResult {
  const { resource } = request
  const { scale: paths = NO_PATHS } = resource.rules
  const view = { apiVersion: apiVersionOf(resource.gvk), paths: replicasPaths(state, resource) }
  const result = updateObject(state, request, (live) => {
    const { managedFields } = live.metadata
    const old = withMeta(scaleOf(resource, live), { managedFields: toScaleEntries(managedFields, view) })
    const scale = admittedScale(state, request, change(old), old)
    checkReplicas(request, scale)
    if (!resource.custom) checkUid(request, scale.metadata.uid, live)
    const entries = toParentEntries(managedFields, scale.metadata.managedFields, view)
    const resourceVersion = scale.metadata.resourceVersion || live.metadata.resourceVersion
    const scaled = setPath(live, paths.specReplicas, replicasOf(scale)) as KubeObject
    return withMeta(scaled, { managedFields: entries, resourceVersion })
  })
  return { object: scaleOf(resource, result.object), created: false }
}

function admittedScale(state: ServerState, request: WriteRequest, scale: KubeObject, old: KubeObject): KubeObject {
  const { admission } = state
  if (!admission) return scale
  const object = admission.mutate(state, request, { operation: 'UPDATE', object: scale, old })
  admission.validate(state, request, { operation: 'UPDATE', object, old })
  return object
}

/** Where the replicas are, by version. */
function replicasPaths(
  state: ServerState,
  { gvk, schemas }: ServedResource,
): ReadonlyMap<string, JsonPath | undefined> {
  const apiVersions = schemas ? schemas.keys() : [apiVersionOf(gvk)]
  return new Map(
    [...apiVersions].map((apiVersion) => {
      const version = state.registry.ofKind({ ...gvk, version: apiVersion.replace(/.*\//, '') })
      return [apiVersion, version?.rules.scale?.specReplicas]
    }),
  )
}

const NO_PATHS: ScalePaths = { specReplicas: [], statusReplicas: [], selector: [] }

function checkReplicas({ resource, name }: WriteRequest, scale: KubeObject): void {
  const replicas = replicasOf(scale)
  if (replicas < 0 && !resource.custom) {
    const message = `Invalid value: ${replicas}: must be greater than or equal to 0`
    const cause = { reason: 'FieldValueInvalid', message, field: 'spec.replicas' }
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [cause])
  }
}

function replicasOf({ spec }: KubeObject): number {
  const { replicas = 0 } = { ...(spec as { readonly replicas?: number } | undefined) }
  return replicas
}

function at(object: KubeObject, path: JsonPath): JsonValue | undefined {
  return path.length === 0 ? undefined : getPath(object as JsonValue, path)
}

function numberAt(object: KubeObject, path: JsonPath): number {
  const value = at(object, path)
  return typeof value === 'number' ? value : 0
}

/** Zero is left out, as Go does. */
function numberFields(fields: Readonly<Record<string, JsonValue | undefined>>): Record<string, JsonValue> {
  const numbers = Object.entries(fields).filter(([, value]) => typeof value === 'number' && value !== 0)
  return Object.fromEntries(numbers) as Record<string, JsonValue>
}

/** Custom resources hold the text of a selector, built-in kinds a selector or a map of labels. */
function printSelector(selector: JsonValue | undefined, custom: boolean): string {
  if (selector === undefined || selector === null) return ''
  if (custom) return String(selector)
  const isPlain = !('matchLabels' in Object(selector)) && !('matchExpressions' in Object(selector))
  return printLabelSelector((isPlain ? { matchLabels: selector } : selector) as LabelSelector)
}

function setPath(value: JsonValue | undefined, path: JsonPath, leaf: JsonValue): JsonValue {
  const [step, ...rest] = path
  if (step === undefined) return leaf
  const object = (value ?? {}) as Record<string, JsonValue>
  return { ...object, [step]: setPath(object[step], rest, leaf) }
}
