import type { Clock } from '../../../core/base/clock.ts'
import { hashJson } from '../../../core/base/hash.ts'
import type { JsonValue } from '../../../core/base/json.ts'
import { once } from '../../../core/base/once.ts'
import { hasFinalizer } from '../../../core/kube/finalizer.ts'
import type {
  Capabilities,
  Chart,
  ChartRenderer,
  ChartSource,
  Rendering,
  RenderRequest,
} from '../../../core/kube/helm-chart.ts'
import { formatKey, type KubeObject, type ObjectKey } from '../../../core/kube/object.ts'
import { objectId } from '../../../core/kube/object-id.ts'
import { redactEvent, redactOutcome, redactRun } from '../../role/redact-outcome.ts'
import { redactingLogger } from '../../role/redacting-logger.ts'
import type { Role } from '../../role/role.ts'
import type { ChartPort, EventPort, ObjectTarget } from '../../role/run-context.ts'
import type { RunObserver } from '../../role/run-observer.ts'
import { type RunPorts, runRole } from '../../role/run-role.ts'
import type { RunSecrecy } from '../../role/run-secrecy.ts'
import { Secrecy } from '../../role/secrecy.ts'
import type { RunOutcome } from '../../role/task-outcome.ts'
import { toFailedOutcome } from '../../role/to-failed-outcome.ts'
import type { RequestCounter } from '../../runtime/counting-client.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import type { Turn } from '../../runtime/long-turns.ts'
import type { Request } from '../../runtime/reconciler.ts'
import { type ObjectTools, RunObjects, type RunScope, type WrittenObject } from '../apply/object-port.ts'
import type { EngineOptions } from '../engine-options.ts'
import {
  FINALIZER,
  type NamespaceRules,
  OWNER_UID_LABEL,
  type Owner,
  type ResourceFinalizer,
  withoutNotes,
} from '../ownership/ownership.ts'
import { type ManagedObjects, ownKindsOf, patchKindsOf } from '../prune/managed-objects.ts'
import type { PatchedObjects } from '../prune/patched-objects.ts'
import type { Subscriptions, WatchEntry, WatchedResources } from '../reconciler-ports.ts'
import { changesOf, type EngineEvents, type ObjectChange, removalOf } from '../status/engine-events.ts'
import { RunStatus } from '../status/status-report.ts'
import type { RunReport, RunTrace, Trigger } from '../trace/run-trace.ts'
import { RunTracer } from '../trace/run-tracer.ts'
import type { Cause } from './own-loop.ts'
import type { ResourceMemory } from './resource-memory.ts'
import { childRead, RunInputs } from './run-inputs.ts'

/** What one call of the reconciler works with: the resource as it was when the call began, its entry, and what is remembered of it. */
export interface ReconcileContext {
  readonly request: Request
  readonly entry: WatchEntry
  /** Whether the entry selects the resource still; `withoutRole`: a changed project has left it without an entry. */
  readonly selection: 'selected' | 'unselected' | 'withoutRole'
  readonly owner: Owner
  readonly rules: NamespaceRules
  /** Where objects of the resource may be removed. */
  readonly removalRules: NamespaceRules
  readonly memory: ResourceMemory
  /** What led here since the last run. Its answer is to be asked late: news of a write of ours may come before its answer. */
  readonly cause: () => Promise<() => Cause>
  /** What triggered it. */
  readonly triggers: readonly Trigger[]
  /** When the call began: milliseconds since 1970, and on the monotonic clock. */
  readonly began: { readonly at: number; readonly monotonic: number }
  /** A hash of the content of the resource and of the role. While it is the same, only a changed input is a reason for another run. */
  readonly fingerprint: string
  /** Which tasks of the role must run. */
  readonly list: 'tasks' | 'finalize'
  /** Absent: the run may compute as long as it needs. */
  readonly turn?: Turn | undefined
  readonly signal: AbortSignal
  /** The trace of its tasks, once they run. */
  readonly underWay: { tracer?: RunTracer }
}

export interface RoleRunTools extends Pick<EngineOptions, 'charts' | 'clock' | 'logger' | 'metrics' | 'onWritten'> {
  readonly objects: ObjectTools
  readonly managedObjects: ManagedObjects
  readonly patchedObjects: PatchedObjects
  readonly finalizer: ResourceFinalizer
  readonly events: EventRecorder
  readonly engineEvents: EngineEvents
  readonly resources: Pick<WatchedResources, 'latest'>
  readonly subscriptions: Subscriptions
  /** Gives the secrecy of the present run to code that knows nothing of runs. */
  readonly secrecy: RunSecrecy
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
  const secrecy = new Secrecy(context.memory.secrets)
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
    tools.engineEvents.recordChanges(changes, { ...context, secrecy })
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

function chartsFor(
  { charts, objects: tools, managedObjects }: RoleRunTools,
  { owner, rules, signal }: ReconcileContext,
  { run, objects, changes }: { run: RunScope; objects: RunObjects; changes: ObjectChange[] },
): RunCharts | undefined {
  const remove = async (object: KubeObject): Promise<void> => {
    if (await managedObjects.remove(object, { owner, rules, signal })) changes.push(removalOf(object))
  }
  return charts && new RunCharts({ renderer: charts, tools, run, objects, remove })
}

type PlainPorts = Omit<RunPorts, 'objects' | 'status' | 'events' | 'waits' | 'tracer' | 'charts'>

/** The ports of a run that depend only on the resource. Its logger redacts secrets. */
function portsOf(tools: RoleRunTools, { entry, owner, turn, signal }: ReconcileContext, secrecy: Secrecy): PlainPorts {
  const names = { resource: formatKey(owner.key), kind: owner.gvk.kind, role: entry.role.name }
  const logger = redactingLogger(tools.logger.child(names), secrecy)
  const observer = observerOf(tools.metrics, entry.role, turn)
  const isShort = turn?.isLong === false
  return { resource: withoutNotes(owner.resource), observer, isShort, clock: tools.clock, secrecy, logger, signal }
}

function observerOf(
  metrics: EngineOptions['metrics'],
  { name }: Role,
  turn: Turn | undefined,
): RunObserver | undefined {
  if (!(metrics || turn)) return undefined
  return {
    ran: (task, _kind, milliseconds) => metrics?.taskRan(name, task, milliseconds),
    evaluated(milliseconds) {
      turn?.spent(milliseconds)
      metrics?.evaluated(name, milliseconds)
    },
  }
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
  { inputs, secrecy, tracer, changes }: RunKnowledge,
): RunScope {
  const { owner, rules, entry, request, list, signal } = context
  const kinds = { own: ownKindsOf(entry.role), patch: patchKindsOf(entry.role) }
  const isFinal = list === 'finalize'
  return {
    owner,
    rules,
    inputs,
    secrecy,
    tracer,
    signal,
    isFinal,
    wrote(written) {
      tracer.wrote(written)
      changes.push(...changesOf(written))
    },
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

/** Objects by their ids. */
export function byId(objects: readonly WrittenObject[]): ReadonlyMap<string, WrittenObject> {
  return new Map(objects.map((object) => [objectId(object.gvk, object.key), object]))
}

function missingFrom(
  present: ReadonlyMap<string, WrittenObject>,
  former: ReadonlyMap<string, WrittenObject>,
): readonly WrittenObject[] {
  return [...former].filter(([id]) => !present.has(id)).map(([, object]) => object)
}

type Event = Parameters<EventPort['record']>[0]

/** How many events of one run are kept. More would not be written anyway. */
const MOST = 100

/** Keeps the events of one run until it ends, because only then all secrets are known that must be redacted. */
export class RunEvents implements EventPort {
  readonly #events = new Map<string, Event>()

  record(event: Event): void {
    const { type, reason, message } = event
    if (this.#events.size < MOST) this.#events.set([type, reason, message].join('\0'), event)
  }

  /** Writes the events once the run has ended. A run that was given up writes none: the next one reaches the same tasks. */
  publish(secrecy: Secrecy, write: (event: Event) => void): void {
    for (const event of this.#events.values()) write(redactEvent(event, secrecy))
  }
}

export interface RunChartsOptions {
  readonly renderer: ChartRenderer
  readonly tools: Pick<ObjectTools, 'mapper' | 'caches'>
  readonly run: Pick<RunScope, 'owner' | 'rules' | 'inputs' | 'subscribe' | 'isFinal'>
  readonly objects: Pick<RunObjects, 'ensured'>
  readonly remove: (object: KubeObject) => Promise<void>
}

/** The capabilities of a server that cannot be asked. */
const NOTHING_KNOWN: Capabilities = { kubeVersion: 'v1.30.0', apiVersions: [] }

/** The chart port of one run: the capabilities of the server, and the objects of hooks, which are created once and not enforced. */
export class RunCharts implements ChartPort {
  readonly #options: RunChartsOptions

  constructor(options: RunChartsOptions) {
    this.#options = options
  }

  get isFinal(): boolean {
    return this.#options.run.isFinal
  }

  loadChart(source: ChartSource): Promise<Chart> {
    return this.#options.renderer.loadChart(source)
  }

  render(request: RenderRequest): Promise<Rendering> {
    return this.#options.renderer.render(request)
  }

  async served(): Promise<Capabilities> {
    const { run, tools } = this.#options
    const ask = async (): Promise<Capabilities> => (await tools.mapper.served?.()) ?? NOTHING_KNOWN
    const served = await ask()
    const { gvk, key } = run.owner
    const subscription = { kind: 'object', type: gvk, key } as const
    run.inputs.record({ id: 'served', subscription, current: async () => [standIn(await ask())] }, [standIn(served)])
    return served
  }

  async child(target: ObjectTarget): Promise<KubeObject | undefined> {
    const { run, tools } = this.#options
    const read = childRead(tools.caches, target.gvk, await this.#keyOf(target))
    run.subscribe(read.subscription)
    const seen = await read.current()
    run.inputs.record(read, seen)
    return seen.find(({ metadata }) => metadata.labels?.[OWNER_UID_LABEL] === run.owner.uid)
  }

  async keep(target: ObjectTarget, task: string): Promise<void> {
    this.#options.objects.ensured.push({ task, gvk: target.gvk, key: await this.#keyOf(target) })
  }

  remove(object: KubeObject): Promise<void> {
    return this.#options.remove(object)
  }

  async #keyOf({ gvk, name, namespace }: ObjectTarget): Promise<ObjectKey> {
    const { run, tools } = this.#options
    return run.rules.resolve(await tools.mapper.mappingFor(gvk), { name, namespace }, 'write')
  }
}

/** An object that stands for the capabilities, so that runs can compare its version. */
function standIn(served: Capabilities): KubeObject {
  const resourceVersion = hashJson(served as unknown as JsonValue)
  return { apiVersion: 'v1', kind: 'Served', metadata: { name: 'served', uid: 'served', resourceVersion } }
}

export interface TraceTools {
  readonly clock: Clock
  readonly requests: Pick<RequestCounter, 'of'>
  /** Of a run of tasks. Absent: none ran. */
  readonly tracer?: RunTracer | undefined
}

/** The trace of a call of the reconciler that has ended. */
export function traceOf(
  context: ReconcileContext,
  report: Omit<RunReport, 'at'>,
  { clock, requests, ...tools }: TraceTools,
): RunTrace {
  const { owner, entry, began, list, memory, signal } = context
  const tracer = tools.tracer ?? new RunTracer(clock, new Secrecy(memory.secrets))
  const { generation } = owner.resource.metadata
  const { outcome, ready, wroteStatus } = report
  return {
    at: new Date(began.at).toISOString(),
    milliseconds: Math.round((clock.monotonic() - began.monotonic) * 10) / 10,
    uid: owner.uid,
    ...(generation !== undefined && { generation }),
    role: entry.role.name,
    woken: tracer.redact(context.triggers),
    outcome,
    ...(ready && { ready: tracer.redact(`${ready.reason}: ${String(ready.message)}`) }),
    ...(list === 'finalize' && { list }),
    ...tracer.summary,
    ...(wroteStatus && { status: tracer.redact(memory.changedStatus) }),
    requests: requests.of(signal),
  }
}

/** The triggers of a run that is about to begin. If there are none, a timer has triggered it. */
export function triggersOf(
  noted: readonly Trigger[],
  { attempts, withheld }: Pick<ResourceMemory, 'attempts' | 'withheld'>,
): readonly Trigger[] {
  if (noted.length > 0) return noted
  if (attempts.retriable + attempts.terminal > 0) return [{ kind: 'retry' }]
  return [{ kind: attempts.waiting > 0 || withheld > 0 ? 'wait' : 'period' }]
}
