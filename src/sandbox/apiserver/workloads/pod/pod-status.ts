import { type JsonObject, jsonEquals } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../../kinds/common/fields.ts'
import { specOf, statusOf, timestamp } from '../common/objects.ts'
import { containersOf } from '../common/pod-state.ts'
import { NODE_ADDRESS } from '../nodes.ts'

/** When a stage is entered, and with which address. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly podIP: string
}

/** All containers run; they are ready at once, or will be. */
export function runningStatus(pod: KubeObject, moment: Moment, ready: boolean): JsonObject {
  const time = timestamp(moment.now)
  return {
    ...startedStatus(pod, moment),
    phase: 'Running',
    conditions: conditionsOf(pod, time, { Initialized: true, Ready: ready, ContainersReady: ready }),
    containerStatuses: withResources(
      pod,
      containersOf(pod).map((container) => containerStatus(container, { time, ready })),
    ),
  }
}

export function readyStatus(pod: KubeObject, { now }: Moment): JsonObject {
  const containerStatuses = itemsAt(statusOf(pod), 'containerStatuses').map((status) => ({ ...status, ready: true }))
  const conditions = conditionsOf(pod, timestamp(now), { Ready: true, ContainersReady: true })
  return { ...statusOf(pod), conditions, containerStatuses }
}

/** Containers whose image was changed have started again. */
export function restartedStatus(pod: KubeObject, { now }: Moment): JsonObject {
  const images = new Map(containersOf(pod).map(({ name, image }) => [name, image]))
  const containerStatuses = itemsAt(statusOf(pod), 'containerStatuses').map((status) => {
    const image = images.get(status.name)
    if (image === status.image) return status
    const restartCount = numberAt(status, 'restartCount') + 1
    return { ...status, image, restartCount, state: { running: { startedAt: timestamp(now) } } }
  })
  return { ...statusOf(pod), containerStatuses }
}

/** What a running pod was given since: other resources, and containers that look into it. */
export function updatedStatus(pod: KubeObject, { now }: Moment): JsonObject {
  const containerStatuses = withResources(pod, itemsAt(statusOf(pod), 'containerStatuses'))
  const known = itemsAt(statusOf(pod), 'ephemeralContainerStatuses')
  const added = itemsAt(specOf(pod), 'ephemeralContainers').filter((each) => !hasStatus(known, each))
  const ephemeral = [...known, ...added.map((each) => containerStatus(each, { time: timestamp(now), ready: false }))]
  return { ...statusOf(pod), containerStatuses, ...(ephemeral.length > 0 && { ephemeralContainerStatuses: ephemeral }) }
}

/** Whether the status shows all of that. */
export function isUpToDate(pod: KubeObject): boolean {
  const statuses = itemsAt(statusOf(pod), 'containerStatuses')
  const known = itemsAt(statusOf(pod), 'ephemeralContainerStatuses')
  const isListed = itemsAt(specOf(pod), 'ephemeralContainers').every((each) => hasStatus(known, each))
  return isListed && jsonEquals(withResources(pod, statuses), statuses)
}

/** Only a pod that reports the resources of its containers can be resized. A pod that requests nothing can never be. */
function withResources(pod: KubeObject, statuses: readonly JsonObject[]): readonly JsonObject[] {
  const resources = new Map(containersOf(pod).map((each) => [each.name, objectAt(each, 'resources')]))
  if ([...resources.values()].every((each) => Object.keys(each).length === 0)) return statuses
  return statuses.map((status) => ({ ...status, resources: resources.get(status.name) }))
}

function hasStatus(statuses: readonly JsonObject[], { name }: JsonObject): boolean {
  return statuses.some((status) => status.name === name)
}

export function failedPullStatus(pod: KubeObject, moment: Moment, reason: string): JsonObject {
  const time = timestamp(moment.now)
  return {
    ...startedStatus(pod, moment),
    phase: 'Pending',
    conditions: conditionsOf(pod, time, { Initialized: true, Ready: false, ContainersReady: false }),
    containerStatuses: containersOf(pod).map((container) => {
      const image = textAt(container, 'image')
      if (!image.includes('notfound')) return containerStatus(container, { time, ready: true })
      const message = reason === 'ErrImagePull' ? `failed to pull ${image}` : `Back-off pulling image "${image}"`
      return { ...containerStatus(container, { time, ready: false }), state: { waiting: { reason, message } } }
    }),
  }
}

/** All containers ended well. */
export function completedStatus(pod: KubeObject, { now }: Moment): JsonObject {
  const time = timestamp(now)
  const containerStatuses = itemsAt(statusOf(pod), 'containerStatuses').map((status) => {
    const { running } = status.state as { running: { startedAt: string } }
    const terminated = { exitCode: 0, reason: 'Completed', startedAt: running.startedAt, finishedAt: time }
    return { ...status, ready: false, state: { terminated } }
  })
  const conditions = conditionsOf(pod, time, { Ready: false, ContainersReady: false }).map((condition) =>
    condition.status === 'False' ? { ...condition, reason: 'PodCompleted' } : condition,
  )
  return { ...statusOf(pod), phase: 'Succeeded', conditions, containerStatuses }
}

function startedStatus(pod: KubeObject, { now, podIP }: Moment): JsonObject {
  const onHost = specOf(pod).hostNetwork === true
  const address = onHost ? NODE_ADDRESS : podIP
  const initContainerStatuses = itemsAt(specOf(pod), 'initContainers').map((container) => initStatus(container, now))
  return {
    startTime: timestamp(now),
    ...statusOf(pod),
    ...(initContainerStatuses.length > 0 && { initContainerStatuses }),
    hostIP: NODE_ADDRESS,
    hostIPs: [{ ip: NODE_ADDRESS }],
    podIP: address,
    podIPs: [{ ip: address }],
  }
}

/** Sidecars run; the others have done their work. */
function initStatus(container: JsonObject, now: number): JsonObject {
  const time = timestamp(now)
  const running = containerStatus(container, { time, ready: true })
  if (container.restartPolicy === 'Always') return { ...running, started: true }
  const terminated = { exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time }
  return { ...running, state: { terminated } }
}

function containerStatus(container: JsonObject, { time, ready }: { time: string; ready: boolean }): JsonObject {
  return {
    name: container.name,
    image: container.image,
    imageID: '',
    lastState: {},
    ready,
    restartCount: 0,
    started: true,
    state: { running: { startedAt: time } },
  }
}

/** The conditions of a pod with some changed; times move with the status. */
function conditionsOf(
  pod: KubeObject,
  time: string,
  changes: Readonly<Record<string, boolean>>,
): readonly JsonObject[] {
  const old = itemsAt(statusOf(pod), 'conditions')
  const changed = Object.entries(changes).map(([type, holds]) => {
    const status = holds ? 'True' : 'False'
    const before = old.find((condition) => condition.type === type)
    if (before?.status === status) return before
    const condition = { type, status, lastProbeTime: null, lastTransitionTime: time }
    if (holds || !type.includes('Ready')) return condition
    const names = containersOf(pod).map((container) => textAt(container, 'name'))
    const message = `containers with unready status: [${names.join(' ')}]`
    return { ...condition, reason: 'ContainersNotReady', message }
  })
  return [...changed, ...old.filter(({ type }) => changes[String(type)] === undefined)]
}
