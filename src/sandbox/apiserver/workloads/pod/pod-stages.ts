import type { JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { itemsAt, numberAt, textAt } from '../../kinds/common/fields.ts'
import type { EventText } from '../common/event-correlator.ts'
import { isDeleting, specOf, statusOf } from '../common/objects.ts'
import { containersOf, isFinished, isReady, phaseOf } from '../common/pod-state.ts'
import type { Stages } from '../stages.ts'
import {
  completedStatus,
  failedPullStatus,
  isUpToDate,
  type Moment,
  readyStatus,
  restartedStatus,
  runningStatus,
  updatedStatus,
} from './pod-status.ts'

/** A step in a pod's life. */
export interface Stage {
  readonly name: string
  /** Milliseconds that a pod waits for it. */
  readonly delay: number
  readonly change: 'remove' | ((pod: KubeObject, moment: Moment) => JsonObject)
  readonly event?: (pod: KubeObject) => EventText
}

/** The stage that a bound pod waits for; `undefined` when it stays as it is. The first row that fits counts. */
export function nextStage(pod: KubeObject, stages: Stages): Stage | undefined {
  const row = ROWS.find(({ fits }) => fits(pod))
  return row?.stage(pod, stages)
}

interface Row {
  readonly fits: (pod: KubeObject) => boolean
  readonly stage: (pod: KubeObject, stages: Stages) => Stage | undefined
}

const ROWS: readonly Row[] = [
  { fits: isDeleting, stage: (pod, stages) => stop(pod, stages) },
  { fits: isFinished, stage: () => undefined },
  {
    fits: (pod) => missingImageOf(pod) !== undefined && waitingReasonOf(pod) === '',
    stage: (_pod, { podStarted }) => ({
      name: 'ErrImagePull',
      delay: podStarted,
      change: (each, moment) => failedPullStatus(each, moment, 'ErrImagePull'),
      event: (each) => ({
        type: 'Warning',
        reason: 'Failed',
        message: `Failed to pull image "${missingImageOf(each)}": not found`,
      }),
    }),
  },
  {
    fits: (pod) => missingImageOf(pod) !== undefined && waitingReasonOf(pod) === 'ErrImagePull',
    stage: (_pod, { imageBackOff }) => ({
      name: 'ImagePullBackOff',
      delay: imageBackOff,
      change: (each, moment) => failedPullStatus(each, moment, 'ImagePullBackOff'),
      event: (each) => ({ reason: 'BackOff', message: `Back-off pulling image "${missingImageOf(each)}"` }),
    }),
  },
  { fits: (pod) => missingImageOf(pod) !== undefined, stage: () => undefined },
  {
    fits: (pod) => phaseOf(pod) === 'Pending',
    stage: (pod, { podStarted }) => ({
      name: 'Running',
      delay: podStarted,
      change: (each, moment) => runningStatus(each, moment, !hasReadinessProbe(each)),
      event: () => ({ reason: 'Started', message: `Started container ${textAt(containersOf(pod)[0], 'name')}` }),
    }),
  },
  {
    fits: hasOtherImages,
    stage: (_pod, { podStarted }) => ({ name: 'Restarted', delay: podStarted, change: restartedStatus }),
  },
  {
    fits: (pod) => !isUpToDate(pod),
    stage: (_pod, { podStarted }) => ({ name: 'Updated', delay: podStarted, change: updatedStatus }),
  },
  {
    fits: (pod) => !isReady(pod),
    stage: (_pod, { podReady }) => ({ name: 'Ready', delay: podReady, change: readyStatus }),
  },
  {
    fits: (pod) => specOf(pod).restartPolicy !== 'Always' && (isOfJob(pod) || saysThatItEnds(pod)),
    stage: (_pod, { podCompleted }) => ({ name: 'Succeeded', delay: podCompleted, change: completedStatus }),
  },
]

/** A pod stops after a moment, or when its time is up. */
function stop(pod: KubeObject, { podStopped }: Stages): Stage | undefined {
  const grace = numberAt(pod.metadata, 'deletionGracePeriodSeconds') * 1000
  // A pod in deletion that has no time left waits for its finalizers only.
  if (grace === 0) return undefined
  return { name: 'Removed', delay: Math.min(podStopped, grace), change: 'remove' }
}

/** An image that cannot be pulled: its name says so. */
function missingImageOf(pod: KubeObject): string | undefined {
  const images = containersOf(pod).map((container) => textAt(container, 'image'))
  return images.find((image) => image.includes('notfound'))
}

function waitingReasonOf(pod: KubeObject): string {
  const missing = missingImageOf(pod)
  const status = itemsAt(statusOf(pod), 'containerStatuses').find(({ image }) => image === missing)
  const { waiting } = (status?.state ?? {}) as { waiting?: { reason?: string } }
  return waiting?.reason ?? ''
}

function hasReadinessProbe(pod: KubeObject): boolean {
  return containersOf(pod).some(({ readinessProbe }) => readinessProbe !== undefined)
}

/** The image of a running pod may be changed: its container starts anew. */
function hasOtherImages(pod: KubeObject): boolean {
  const running = new Map(itemsAt(statusOf(pod), 'containerStatuses').map(({ name, image }) => [name, image]))
  return containersOf(pod).some(({ name, image }) => running.has(name) && running.get(name) !== image)
}

/** On a pod that does not restart: its containers end, and well. */
export const COMPLETES_ANNOTATION = 'sandbox.rolebook.dev/completes'

/** Helm waits for the end of the pods that are its hooks and tests. */
function saysThatItEnds({ metadata: { annotations = {} } }: KubeObject): boolean {
  return annotations[COMPLETES_ANNOTATION] === 'true' || annotations['helm.sh/hook'] !== undefined
}

function isOfJob(pod: KubeObject): boolean {
  return pod.metadata.ownerReferences?.some(({ kind }) => kind === 'Job') === true
}
