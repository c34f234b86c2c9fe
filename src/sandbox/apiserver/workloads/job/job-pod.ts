import type { JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { itemsAt, mapItems, numberAt, objectAt } from '../../kinds/common/fields.ts'
import { specOf } from '../common/objects.ts'
import { podFrom, withLabels } from '../common/pod-factory.ts'

const INDEX = 'batch.kubernetes.io/job-completion-index'

export function isIndexed(job: KubeObject): boolean {
  return specOf(job).completionMode === 'Indexed'
}

/** The pod of a Job, for one of its indexes where its completions are indexed. */
export function jobPod(job: KubeObject, index: number | undefined): KubeObject {
  const template = objectAt(specOf(job), 'template')
  if (index === undefined) return podFrom(job, template)
  const pod = podFrom(job, withLabels(template, { [INDEX]: String(index) }))
  const { name } = job.metadata
  const spec = { ...mapItems(specOf(pod), 'containers', withIndexVariable), hostname: `${name}-${index}` }
  const annotations = { ...pod.metadata.annotations, [INDEX]: String(index) }
  return { ...pod, metadata: { ...pod.metadata, generateName: `${name}-${index}-`, annotations }, spec }
}

/** The lowest indexes that no pod works on or has done, as many as are wanted. */
export function missingIndexes(job: KubeObject, pods: readonly KubeObject[], wanted: number): readonly number[] {
  const taken = new Set(pods.map(indexOf))
  const missing: number[] = []
  const end = numberAt(specOf(job), 'completions')
  for (let index = 0; index < end && missing.length < wanted; index++) if (!taken.has(index)) missing.push(index)
  return missing
}

/** `0-2,5`: indexes as ranges. */
export function printIndexes(pods: readonly KubeObject[]): string {
  const indexes = [...new Set(pods.map(indexOf))].sort((left, right) => left - right)
  const ranges: [number, number][] = []
  for (const index of indexes) {
    const last = ranges.at(-1)
    if (last && last[1] === index - 1) last[1] = index
    else ranges.push([index, index])
  }
  return ranges
    .map(([first, last]) => (first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`))
    .join(',')
}

function indexOf({ metadata }: KubeObject): number {
  return Number(metadata.annotations?.[INDEX])
}

function withIndexVariable(container: JsonObject): JsonObject {
  const fieldRef = { fieldPath: `metadata.labels['${INDEX}']` }
  return {
    ...container,
    env: [...itemsAt(container, 'env'), { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef } }],
  }
}
