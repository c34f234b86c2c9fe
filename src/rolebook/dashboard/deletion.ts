import { formatObject, type KubeObject } from '../../core/kube/object.ts'
import { FINALIZER } from '../../engine/reconcile/ownership/ownership.ts'
import type { RunTrace } from '../../engine/reconcile/trace/run-trace.ts'
import type { Deletion, DeletionBlocker } from '../ui/model.ts'

export interface DeletionFacts {
  readonly resource: KubeObject
  readonly objects: readonly KubeObject[]
  readonly lastRun: RunTrace | undefined
}

/** What keeps a resource that is being deleted; `undefined` if it is not. */
export function deletionOf({ resource, objects, lastRun }: DeletionFacts): Deletion | undefined {
  const { deletionTimestamp: since, finalizers = [] } = resource.metadata
  if (since === undefined) return undefined
  const foreign = finalizers.filter((finalizer) => finalizer !== FINALIZER)
  const blockers = [
    ...tasksIn(lastRun),
    ...objects.flatMap(blockerOf),
    ...(finalizers.includes(FINALIZER) ? [OPERATOR] : []),
    ...foreign.map(blockerOfFinalizer),
  ]
  return { since, blockers }
}

const OPERATOR: DeletionBlocker = {
  kind: 'operator',
  name: FINALIZER,
  message: `The operator removes what it made, and then its finalizer ${FINALIZER}`,
}

function blockerOfFinalizer(name: string): DeletionBlocker {
  return {
    kind: 'finalizer',
    name,
    message: `The finalizer ${name} keeps the resource: the controller that set it has to remove it`,
  }
}

/** An object that is on its way and does not go. */
function blockerOf(object: KubeObject): readonly DeletionBlocker[] {
  const { deletionTimestamp, finalizers = [] } = object.metadata
  if (deletionTimestamp === undefined) return []
  const name = formatObject(object)
  const kept =
    finalizers.length === 0
      ? 'the API server has not removed it yet'
      : `the finalizer ${finalizers.join(', ')} keeps it: the controller that set it has to remove it`
  return [{ kind: 'object', name, message: `${name} is being deleted and still exists: ${kept}` }]
}

function tasksIn(run: RunTrace | undefined): readonly DeletionBlocker[] {
  const stopped = run?.list === 'finalize' ? run.tasks : []
  return stopped
    .filter(({ outcome }) => outcome === 'waiting' || outcome === 'failed')
    .map(({ name, outcome, why = [] }) => {
      const verb = outcome === 'failed' ? 'fails' : 'waits'
      return { kind: 'task', name, message: `The finalize task "${name}" ${verb}: ${why.join('; ')}` }
    })
}
