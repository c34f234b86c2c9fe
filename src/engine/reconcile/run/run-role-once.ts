import { once } from '../../../core/base/once.ts'
import { hasFinalizer } from '../../../core/kube/finalizer.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { inOrderOfPlaces } from '../../role/run/run-context.ts'
import { runRole } from '../../role/run/run-role.ts'
import { toFailedOutcome } from '../../role/run/to-failed-outcome.ts'
import { redactOutcome, redactRun } from '../../role/secrecy/redact-outcome.ts'
import type { Secrecy } from '../../role/secrecy/secrecy.ts'
import type { RunOutcome } from '../../role/task-outcome.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import { byId, RunObjects, type RunScope, type WrittenObject } from '../apply/run-objects.ts'
import type { EngineOptions } from '../engine-options.ts'
import { FINALIZER, type ResourceFinalizer } from '../ownership/ownership.ts'
import { ownKindsOf, type PatchedObjects, patchKindsOf } from '../prune/managed-objects.ts'
import type { Subscriptions, WatchedResources } from '../reconciler-ports.ts'
import { changesOf, type EngineEvents, type ObjectChange, removalOf } from '../status/engine-events.ts'
import { RunTracer } from '../trace/run-tracer.ts'
import { chartsFor, portsOf, RunEvents, type RunPortTools, RunStatus } from './new-ports.ts'
import type { ReconcileContext } from './reconcile-context.ts'
import { RunInputs } from './run-inputs.ts'

export interface RoleRunTools extends RunPortTools, Pick<EngineOptions, 'onWritten'> {
  readonly patchedObjects: PatchedObjects
  readonly finalizer: ResourceFinalizer
  readonly events: EventRecorder
  readonly engineEvents: EngineEvents
  readonly resources: Pick<WatchedResources, 'latest'>
  readonly subscriptions: Subscriptions
  /** Gives the secrecy of the present run to code that knows nothing of runs. */
  readonly secrecy: NonNullable<EngineOptions['secrecy']>
}

/** The result of a run. */
export interface FinishedRun {
  readonly outcome: RunOutcome
  readonly objects: RunObjects
  readonly status: RunStatus
  readonly inputs: RunInputs
  readonly tracer: RunTracer
  /** Milliseconds until the timeout of a waiting task. */
  readonly deadline: number | undefined
  /** Whether a task changed something. */
  readonly changed: boolean
  /** How many objects were removed because the role no longer makes them. */
  readonly removed: number
}

/** What a run collects. */
interface RunKnowledge {
  readonly inputs: RunInputs
  readonly secrecy: Secrecy
  readonly changes: ObjectChange[]
  readonly events: RunEvents
  readonly tracer: RunTracer
}

/**
 * Runs the role of a resource once. After a complete run it removes what the role no longer makes. For a terminating resource it removes
 * nothing: `Deletion` does that.
 */
export async function runRoleOnce(tools: RoleRunTools, context: ReconcileContext): Promise<FinishedRun> {
  const secrecy = context.memory.newSecrecy()
  const changes: ObjectChange[] = []
  const tracer = new RunTracer(tools.clock, secrecy, tools.onWritten)
  context.underWay.tracer = tracer
  const events = new RunEvents()
  const knowledge = { inputs: new RunInputs(context.fingerprint), secrecy, tracer, changes, events }
  let finished: FinishedRun
  try {
    finished = await tools.secrecy.during(
      () => secrecy,
      () => runWith(knowledge, tools, context),
    )
    events.publish(secrecy, (event) => tools.events.record(context.owner, event, context.signal))
  } catch (error) {
    // The error is reported later, and must be redacted with what this run has read.
    context.memory.secrets = secrecy.toKeep(false)
    throw error
  } finally {
    tools.engineEvents.recordChanges(inOrderOfPlaces(changes), { ...context, secrecy })
  }
  return finished
}

async function runWith(knowledge: RunKnowledge, tools: RoleRunTools, context: ReconcileContext): Promise<FinishedRun> {
  const { entry, memory, list, signal } = context
  const { inputs, secrecy, events, tracer } = knowledge
  const run = newRunScope(tools, context, knowledge)
  const objects = new RunObjects(tools.objects, run)
  const status = new RunStatus(secrecy)
  const waits = memory.waits.forRun(waitingFor(context), tools.clock)
  const charts = chartsFor(tools, context, { run, objects, changes: knowledge.changes })
  const ports = { ...portsOf(tools, context, secrecy), objects, status, events, waits, tracer, charts }
  const ended = (await prepare(context, run)) ?? (await runRole(entry.role, ports, list))
  const outcome = redactRun(status.judge(ended), secrecy)
  memory.secrets = secrecy.toKeep(false)
  tools.subscriptions.keep(context.request, inputs.subscriptions)
  memory.recordMade(byId(objects.ensured).keys())
  if (memory.patched) memory.patched = new Map([...memory.patched, ...byId(objects.patched)])
  const changed = outcome.tasks.some(({ kind }) => kind === 'changed')
  const finished = { outcome, objects, status, inputs, tracer, deadline: waits.deadline, changed, removed: 0 }
  if (outcome.complete) memory.waits.clear()
  if (!outcome.complete || list === 'finalize') return finished
  try {
    const removed = await removeUnwanted(tools, context, { ...finished, changes: knowledge.changes })
    // An object to be removed may have a name that was made of a former secret.
    if (removed === 0) memory.secrets = secrecy.toKeep(true)
    return { ...finished, removed }
  } catch (error) {
    signal.throwIfAborted()
    const failure = redactOutcome(toFailedOutcome(error), secrecy)
    const stoppedBy = { task: 'remove what the role no longer makes', outcome: failure }
    return { ...finished, outcome: { ...outcome, complete: false, stoppedBy } }
  }
}

/** Identifies what tasks wait for: with another generation or role, waiting times start anew. Not all kinds have a generation. */
function waitingFor({ owner: { resource }, entry, list, fingerprint }: ReconcileContext): string {
  return `${list} ${resource.metadata.generation ?? fingerprint} ${entry.hash}`
}

/** Puts the finalizer on a resource that needs cleanup. A failure stops the run before its first task. */
async function prepare({ entry, list, signal }: ReconcileContext, run: RunScope): Promise<RunOutcome | undefined> {
  const isNeeded = entry.role.finalize !== undefined || entry.deletion.propagation === 'foreground'
  if (!isNeeded || list === 'finalize') return undefined
  try {
    await run.needFinalizer()
    return undefined
  } catch (error) {
    signal.throwIfAborted()
    return { complete: false, stoppedBy: { task: 'finalizer', outcome: toFailedOutcome(error) }, tasks: [] }
  }
}

function newRunScope(
  tools: RoleRunTools,
  context: ReconcileContext,
  { inputs, secrecy, changes }: RunKnowledge,
): RunScope {
  const { owner, rules, entry, request, list, signal } = context
  const kinds = { own: ownKindsOf(entry.role), patch: patchKindsOf(entry.role) }
  const isFinal = list === 'finalize'
  return {
    owner,
    rules,
    inputs,
    secrecy,
    signal,
    isFinal,
    wrote: (written, place) => changes.push(...changesOf(written).map((change) => ({ ...change, place }))),
    subscribe: (subscription) => tools.subscriptions.add(request, subscription),
    recordKinds: () => tools.objects.ledger.record(owner.gvk, kinds, signal),
    needFinalizer: once(async () => {
      // A terminating resource has it already, and the server would refuse a new one.
      if (isFinal) return
      await tools.finalizer.add(owner, signal)
      recordFinalizer(tools, context, inputs)
    }),
  }
}

/** Records the finalizer as an input, so that the role runs again if another client removes it. */
function recordFinalizer({ resources }: RoleRunTools, { request, owner }: ReconcileContext, inputs: RunInputs): void {
  const current = async (): Promise<readonly KubeObject[]> => {
    const resource = resources.latest(request, owner.uid)
    return resource && !hasFinalizer(resource, FINALIZER) ? [resource] : []
  }
  const subscription = { kind: 'object', type: owner.gvk, key: owner.key } as const
  inputs.record({ id: FINALIZER, subscription, current }, [])
}

async function removeUnwanted(
  tools: RoleRunTools,
  { owner, removalRules: rules, entry, memory, signal }: ReconcileContext,
  {
    objects,
    inputs,
    tracer,
    changes,
  }: Pick<FinishedRun, 'objects' | 'inputs' | 'tracer'> & Pick<RunKnowledge, 'changes'>,
): Promise<number> {
  const removed = (object: KubeObject): void => {
    tracer.removed(object)
    changes.push(removalOf(object))
  }
  const options = { owner, rules, signal, made: memory.made, isConfirmed: () => inputs.areTrue(), removed }
  const ensured = new Set(byId(objects.ensured).keys())
  const count = await tools.managedObjects.prune(ensured, entry.role, options)
  memory.made = [...ensured]
  const patched = byId(objects.patched)
  if (memory.patched === undefined) await tools.patchedObjects.releaseUnwanted(patched, entry.role, options)
  else await tools.patchedObjects.releaseFormer(missingFrom(patched, memory.patched), options)
  memory.patched = patched
  return count
}

function missingFrom(
  present: ReadonlyMap<string, WrittenObject>,
  former: ReadonlyMap<string, WrittenObject>,
): readonly WrittenObject[] {
  return [...former].filter(([id]) => !present.has(id)).map(([, object]) => object)
}
