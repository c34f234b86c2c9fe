import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import { conditionsOf, findCondition } from '../../core/kube/condition.ts'
import { formatObject, type KubeObject } from '../../core/kube/object.ts'
import { readinessOf } from '../../core/kube/readiness.ts'
import type { RunTrace } from '../../engine/reconcile/trace/run-trace.ts'
import type { Rollout, RolloutCause } from '../ui/model.ts'

const WORKLOADS = new Set(['Deployment', 'StatefulSet', 'DaemonSet'])

export function isWorkload({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion.startsWith('apps/') && WORKLOADS.has(kind)
}

/** How far a workload is with its template. `runs`: the latest first, to find the write that began it. */
export function rolloutOf(workload: KubeObject, runs: readonly RunTrace[]): Rollout {
  const readiness = readinessOf(workload)
  const causedBy = causeIn(runs, formatObject(workload))
  const progressing = findCondition(conditionsOf(workload), 'Progressing')
  const said = readiness.kind === 'ready' ? '' : [readiness.message, progressing?.message].filter(Boolean).join(': ')
  return {
    object: formatObject(workload),
    state: readiness.kind === 'ready' ? 'complete' : readiness.kind === 'failed' ? 'halted' : 'progressing',
    ...countsOf(workload),
    images: imagesOf(workload),
    message: said,
    ...(causedBy && { causedBy }),
  }
}

/** The rollout in one sentence. */
export function describeRollout({ object, wanted, ready, images, message }: Rollout): string {
  const counts = `${ready} of ${wanted} new pods are ready`
  return `${object}: ${message} (${[counts, ...images.map((image) => `image ${image}`)].join(', ')})`
}

function countsOf({ kind, spec, status }: KubeObject): Pick<Rollout, 'wanted' | 'updated' | 'ready'> {
  const count = (holder: JsonValue | undefined, field: string): number | undefined => {
    const value = isJsonObject(holder) ? holder[field] : undefined
    return typeof value === 'number' ? value : undefined
  }
  const isDaemonSet = kind === 'DaemonSet'
  const fields = isDaemonSet
    ? ['currentNumberScheduled', 'updatedNumberScheduled', 'numberReady']
    : ['replicas', 'updatedReplicas', 'readyReplicas']
  const [all = 0, updated = 0, ready = 0] = fields.map((field) => count(status, field) ?? 0)
  const wanted = isDaemonSet ? count(status, 'desiredNumberScheduled') : count(spec, 'replicas')
  // The status counts ready pods of both templates: the old ones go last, so they are taken for ready.
  return { wanted: wanted ?? 1, updated, ready: Math.max(0, ready - Math.max(0, all - updated)) }
}

function imagesOf({ spec }: KubeObject): readonly string[] {
  const template = objectIn(spec, 'template')
  const containers = objectIn(template, 'spec').containers
  if (!isJsonArray(containers)) return []
  return containers.flatMap((one) => (isJsonObject(one) && typeof one.image === 'string' ? [one.image] : []))
}

function objectIn(holder: JsonValue | undefined, field: string): JsonObject {
  const value = isJsonObject(holder) ? holder[field] : undefined
  return isJsonObject(value) ? value : {}
}

function causeIn(runs: readonly RunTrace[], object: string): RolloutCause | undefined {
  for (const { at, tasks } of runs) {
    const written = tasks.flatMap(({ objects = [] }) => objects).filter((one) => one.object === object)
    const fields = written.flatMap((one) => one.fields ?? [])
    if (fields.length > 0) return { at, fields }
  }
  return undefined
}
