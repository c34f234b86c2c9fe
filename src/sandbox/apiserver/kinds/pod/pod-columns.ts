import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { ageOf, columnsOf } from '../common/columns.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../common/fields.ts'

/** `kubectl get pods`. */
export const podColumns = columnsOf(
  { group: '', version: 'v1', kind: 'Pod' },
  {
    Ready: (object) => {
      const { ready, total } = summarize(object)
      return `${ready}/${total}`
    },
    Status: (object) => statusOf(object),
    Restarts: (object, now) => restartsOf(object, now),
    IP: (object) => addressOf(objectAt(object, 'status')) || '<none>',
    Node: (object) => textAt(objectAt(object, 'spec'), 'nodeName') || '<none>',
    'Nominated Node': (object) => textAt(objectAt(object, 'status'), 'nominatedNodeName') || '<none>',
    'Readiness Gates': readinessGatesOf,
  },
)

function addressOf(status: JsonObject): string {
  return textAt(itemsAt(status, 'podIPs')[0], 'ip') || textAt(status, 'podIP')
}

/** Pods that have ended are marked in their rows. */
export function podRowConditions(object: KubeObject): readonly JsonObject[] {
  const reason = textAt(objectAt(object, 'status'), 'phase')
  const message = ENDS[reason]
  return message === undefined ? [] : [{ type: 'Completed', status: 'True', reason, message }]
}

const ENDS: Readonly<Record<string, string>> = {
  Succeeded: 'The pod has completed successfully.',
  Failed: 'The pod failed.',
}

interface Summary {
  readonly ready: number
  readonly total: number
  readonly reason: string
}

function statusOf(object: KubeObject): string {
  const status = objectAt(object, 'status')
  const phase = textAt(status, 'phase')
  if (object.metadata.deletionTimestamp === undefined) return summarize(object).reason
  if (textAt(status, 'reason') === 'NodeLost') return 'Unknown'
  return phase === 'Succeeded' || phase === 'Failed' ? summarize(object).reason : 'Terminating'
}

/** One word for the states of all containers: the most informative one wins. */
function summarize(object: KubeObject): Summary {
  const spec = objectAt(object, 'spec')
  const status = objectAt(object, 'status')
  const total = itemsAt(spec, 'containers').length + itemsAt(spec, 'initContainers').filter(isSidecar).length
  const gated = itemsAt(status, 'conditions').some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  )
  const reason = gated ? 'SchedulingGated' : textAt(status, 'reason') || textAt(status, 'phase')
  const initial = summarizeInit(object)
  if (initial.reason !== '') return { ready: initial.ready, total, reason: initial.reason }
  const main = summarizeMain(status, reason)
  return { ready: initial.ready + main.ready, total, reason: main.reason }
}

function isSidecar(container: JsonObject): boolean {
  return container.restartPolicy === 'Always'
}

/** Sidecars that are ready, and why the pod still initialises, if it does. */
function summarizeInit(object: KubeObject): { ready: number; reason: string } {
  const containers = itemsAt(objectAt(object, 'spec'), 'initContainers')
  const statuses = itemsAt(objectAt(object, 'status'), 'initContainerStatuses')
  let ready = 0
  for (const [index, status] of statuses.entries()) {
    const container = containers.find(({ name }) => name === status.name)
    const { terminated, waiting } = objectAt(status, 'state')
    if (isJsonObject(terminated) && numberAt(terminated, 'exitCode') === 0) continue
    if (container && isSidecar(container) && status.started === true) {
      ready += status.ready === true ? 1 : 0
      continue
    }
    if (isJsonObject(terminated)) return { ready, reason: `Init:${endOf(terminated)}` }
    const reason = isJsonObject(waiting) ? textAt(waiting, 'reason') : ''
    if (reason !== '' && reason !== 'PodInitializing') return { ready, reason: `Init:${reason}` }
    return { ready, reason: `Init:${index}/${containers.length}` }
  }
  return { ready, reason: '' }
}

function summarizeMain(status: JsonObject, start: string): { ready: number; reason: string } {
  let reason = start
  let failure = ''
  let ready = 0
  for (const each of itemsAt(status, 'containerStatuses').toReversed()) {
    const { terminated, waiting, running } = objectAt(each, 'state')
    if (isJsonObject(waiting) && textAt(waiting, 'reason') !== '') reason = textAt(waiting, 'reason')
    else if (isJsonObject(terminated)) {
      reason = endOf(terminated)
      if (numberAt(terminated, 'exitCode') !== 0) failure = reason
    } else if (each.ready === true && isJsonObject(running)) ready++
  }
  return { ready, reason: reason === 'Completed' ? afterCompletion(status, { failure, runs: ready > 0 }) : reason }
}

function afterCompletion(status: JsonObject, { failure, runs }: { failure: string; runs: boolean }): string {
  const isReady = itemsAt(status, 'conditions').some((each) => each.type === 'Ready' && each.status === 'True')
  if (runs && isReady) return 'Running'
  if (failure !== '') return failure
  return runs ? 'NotReady' : 'Completed'
}

function endOf(terminated: JsonObject): string {
  const signal = numberAt(terminated, 'signal')
  if (textAt(terminated, 'reason') !== '') return textAt(terminated, 'reason')
  return signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode')}` : `Signal:${signal}`
}

/** Of the containers that count: the initial ones while a pod initialises, sidecars and the others afterwards. */
function restartsOf(object: KubeObject, now: number): string {
  const status = objectAt(object, 'status')
  const sidecars = new Set(
    itemsAt(objectAt(object, 'spec'), 'initContainers')
      .filter(isSidecar)
      .map(({ name }) => name),
  )
  const initial = itemsAt(status, 'initContainerStatuses')
  const isInitialising = summarizeInit(object).reason !== ''
  const counted = isInitialising
    ? initial
    : [...initial.filter(({ name }) => sidecars.has(name)), ...itemsAt(status, 'containerStatuses')]
  const count = counted.reduce((sum, each) => sum + numberAt(each, 'restartCount'), 0)
  const ends = counted.map((each) => textAt(objectAt(objectAt(each, 'lastState'), 'terminated'), 'finishedAt'))
  const last = ends.sort().at(-1) ?? ''
  return count === 0 || last === '' ? String(count) : `${count} (${ageOf(last, now)} ago)`
}

function readinessGatesOf(object: KubeObject): string {
  const gates = itemsAt(objectAt(object, 'spec'), 'readinessGates')
  if (gates.length === 0) return '<none>'
  const conditions = itemsAt(objectAt(object, 'status'), 'conditions')
  const passed = gates.filter((gate) =>
    conditions.some((each) => each.type === gate.conditionType && each.status === 'True'),
  )
  return `${passed.length}/${gates.length}`
}
