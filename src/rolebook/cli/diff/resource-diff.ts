import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../../../core/base/json.ts'
import { type JsonChange, jsonChanges } from '../../../core/base/json-changes.ts'
import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import { formatKey, type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { ENGINE_CONDITION_TYPES } from '../../../engine/reconcile/status/engine-conditions.ts'
import type { TracedField } from '../../../engine/reconcile/trace/run-trace.ts'
import {
  changesBetween,
  contentOf,
  printChange,
  type ShowOptions,
  shownObject,
} from '../../../engine/reconcile/trace/run-tracer.ts'
import type { Secrecy } from '../../../engine/role/secrecy/secrecy.ts'
import type { Request } from '../../../engine/runtime/reconciler.ts'
import type { WhatIfObject, WhatIfResource, WhatIfResult } from '../what-if/what-if.ts'

/** What a role would do for one resource, as people may see it. */
export interface ResourceDiff {
  readonly resource: Request
  readonly role: string | undefined
  readonly objects: readonly ObjectDiff[]
  /** What stops the role: reason and message, as the `Ready` condition would say it. */
  readonly held?: string | undefined
  readonly failed: boolean
}

interface ObjectName {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string | undefined
  readonly name: string
}

export interface ObjectDiff extends ObjectName {
  readonly action: 'create' | 'change' | 'remove'
  /** Of an object that would be changed. None: only what the engine keeps in it. */
  readonly fields?: readonly TracedField[] | undefined
  /** What would be created. */
  readonly manifest?: JsonValue | undefined
}

export interface DiffOptions {
  /** Characters of a value. */
  readonly longest: number
}

export function diffOf({ resources, secrecy }: WhatIfResult, options: DiffOptions): readonly ResourceDiff[] {
  return resources.map((resource) => diffOfResource(resource, secrecy, options))
}

function diffOfResource(
  { request, report, objects }: WhatIfResource,
  secrecy: Secrecy,
  options: DiffOptions,
): ResourceDiff {
  const { ready, outcome, trace } = report ?? {}
  const isHeld = ready !== undefined && (outcome === 'waiting' || outcome === 'failed')
  const found = objects.flatMap((object) => diffOfObject(object, { ...options, secrecy, request }) ?? [])
  const itself = found.filter((object) => isItself(request, object))
  return {
    resource: request,
    role: trace?.role,
    objects: [...found.filter((object) => !itself.includes(object)), ...itself],
    ...(isHeld && { held: secrecy.redact(`${ready.reason}: ${String(ready.message)}`) }),
    failed: outcome === 'failed',
  }
}

interface ObjectOptions extends DiffOptions {
  readonly secrecy: Secrecy
  /** The resource that the object is made for. */
  readonly request: Request
}

function diffOfObject({ base, now, task }: WhatIfObject, options: ObjectOptions): ObjectDiff | undefined {
  const shown = { ...options, task }
  if (!now) return base && { ...headOf(base, shown), action: 'remove' }
  if (!base) return { ...headOf(now, shown), action: 'create', manifest: manifestOf(now, shown) }
  const changes = [...changesBetween(base, now), ...statusChanges(base, now)]
  const fields = changes.map((change) => printChange(change, { ...shown, object: now }))
  if (fields.length === 0 && !hasOtherMarks(base, now)) return undefined
  return { ...headOf(now, shown), action: 'change', fields }
}

function headOf({ apiVersion, kind, metadata }: KubeObject, options: ObjectOptions & ShowOptions) {
  const object = { apiVersion, kind, metadata: { namespace: metadata.namespace, name: metadata.name } }
  // What people call the resource, they may see.
  const isMeant = isItself(options.request, { apiVersion, kind, ...keyOf(object) })
  const { namespace, name } = keyOf(isMeant ? object : shownObject(object, options))
  return { apiVersion, kind, ...(namespace !== '' && { namespace }), name }
}

/** What tasks say: times, and how far the engine has come, would be other ones in a moment anyway. */
function statusChanges(base: KubeObject, now: KubeObject): readonly JsonChange[] {
  const changes = jsonChanges({ status: saidIn(base) }, { status: saidIn(now) })
  return changes.filter(({ field }) => !/\.last(Transition|Update)Time$/.test(field))
}

function saidIn({ status }: KubeObject): JsonObject {
  if (!isJsonObject(status)) return {}
  const { conditions, observedGeneration: _generation, ...said } = status
  if (!isJsonArray(conditions)) return said
  const engine: readonly unknown[] = ENGINE_CONDITION_TYPES
  const own = conditions.filter((one) => !(isJsonObject(one) && engine.includes(one.type)))
  return own.length === 0 ? said : { ...said, conditions: own }
}

/** Labels and annotations of the engine: a write that changes nothing else is one all the same. */
function hasOtherMarks(base: KubeObject, now: KubeObject): boolean {
  const marksOf = ({ metadata: { labels, annotations } }: KubeObject): JsonObject => ({ ...labels, ...annotations })
  return !jsonEquals(marksOf(base), marksOf(now))
}

function manifestOf(now: KubeObject, options: ShowOptions): JsonValue {
  const { apiVersion, kind, metadata, ...content } = shownObject(contentOf(now) as KubeObject, options)
  const { ownerReferences: _owners, labels, annotations, ...head } = metadata
  const maps = { ...(labels && { labels }), ...(annotations && { annotations }) }
  return { apiVersion, kind, metadata: { ...head, ...maps } as JsonObject, ...content }
}

/** `Deployment default/web`. */
export function nameOf({ kind, namespace = '', name }: Pick<ObjectDiff, 'kind' | 'namespace' | 'name'>): string {
  return `${kind} ${formatKey({ namespace, name })}`
}

/** Whether an object is the resource itself. */
export function isItself(resource: Request, { apiVersion, kind, namespace = '', name }: ObjectName): boolean {
  const { group } = gvkOf({ apiVersion, kind })
  return group === resource.group && nameOf({ kind, namespace, name }) === nameOf(resource)
}
