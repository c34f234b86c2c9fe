import { hashJson } from '../../../core/base/hash.ts'
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  jsonEquals,
  printPath,
} from '../../../core/base/json.ts'
import { isCondition } from '../../../core/kube/condition.ts'
import type {
  Capabilities,
  Chart,
  ChartRenderer,
  ChartSource,
  Rendering,
  RenderRequest,
} from '../../../core/kube/helm-chart.ts'
import { formatKey, type KubeObject, type ObjectKey } from '../../../core/kube/object.ts'
import type { ChartPort, EventPort, ObjectTarget, RunContext, StatusPort } from '../../role/run/run-context.ts'
import type { RunPorts } from '../../role/run/run-ports.ts'
import { toFailedOutcome } from '../../role/run/to-failed-outcome.ts'
import { redactEvent } from '../../role/secrecy/redact-outcome.ts'
import { redactingLogger } from '../../role/secrecy/redacting-logger.ts'
import { Secrecy } from '../../role/secrecy/secrecy.ts'
import { type RunOutcome, TaskFailure } from '../../role/task-outcome.ts'
import type { ObjectTools, RunObjects, RunScope } from '../apply/run-objects.ts'
import type { EngineOptions } from '../engine-options.ts'
import { OWNER_UID_LABEL, withoutNotes } from '../ownership/ownership.ts'
import type { ManagedObjects } from '../prune/managed-objects.ts'
import { type ObjectChange, removalOf } from '../status/engine-events.ts'
import type { ReconcileContext } from './reconcile-context.ts'
import { childRead } from './run-inputs.ts'

/** What the ports of a run are made of. */
export interface RunPortTools extends Pick<EngineOptions, 'charts' | 'clock' | 'logger' | 'metrics' | 'spans'> {
  readonly objects: ObjectTools
  readonly managedObjects: ManagedObjects
}

export function chartsFor(
  { charts, objects: tools, managedObjects }: RunPortTools,
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
export function portsOf(
  tools: RunPortTools,
  { entry, owner, turn, signal }: ReconcileContext,
  secrecy: Secrecy,
): PlainPorts {
  const names = { resource: formatKey(owner.key), kind: owner.gvk.kind, role: entry.role.name }
  const logger = redactingLogger(tools.logger.child(names), secrecy)
  const observer = observerOf(tools.metrics, entry.role.name, turn)
  const isShort = turn?.isLong === false
  const { clock, spans } = tools
  return { resource: withoutNotes(owner.resource), observer, spans, isShort, clock, secrecy, logger, signal }
}

export function observerOf(
  metrics: EngineOptions['metrics'],
  name: string,
  turn: ReconcileContext['turn'],
): RunPorts['observer'] {
  if (!(metrics || turn)) return undefined
  return {
    ran: (task, _kind, milliseconds) => metrics?.taskRan(name, task, milliseconds),
    evaluated(milliseconds) {
      turn?.spent(milliseconds)
      metrics?.evaluated(name, milliseconds)
    },
  }
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
  readonly objects: Pick<RunObjects, 'keep'>
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

  async keep(target: ObjectTarget, { task, place }: Pick<RunContext, 'task' | 'place'>): Promise<void> {
    this.#options.objects.keep({ task, place, gvk: target.gvk, key: await this.#keyOf(target) })
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

/** The limit for what tasks set. The whole resource must fit into what a server takes, and every watcher receives it. */
export const MOST_BYTES = 512 * 1024

/** Collects what the `status` tasks of one run set. */
export class RunStatus implements StatusPort {
  readonly #secrecy: Secrecy
  #fields: JsonObject = {}

  constructor(secrecy = new Secrecy()) {
    this.#secrecy = secrecy
  }

  get fields(): JsonObject {
    return this.#fields
  }

  set(fields: JsonObject): void {
    const leak = this.#leakIn(fields)
    if (leak) throw leak
    const merged = mergeObjects(this.#fields, fields, [])
    const bytes = Buffer.byteLength(JSON.stringify(merged))
    if (bytes > MOST_BYTES) {
      const remedy = 'show less, or put it into a ConfigMap'
      throw new TaskFailure(
        'Failed',
        `cannot set the status: it would take ${bytes} bytes of at most ${MOST_BYTES} (${remedy})`,
      )
    }
    this.#fields = merged
  }

  /** Judges the status at the end of a run, when all secrets are known. A value of a Secret makes the run fail. */
  judge(outcome: RunOutcome): RunOutcome {
    const leak = this.#leakIn(this.#fields)
    if (!leak) return outcome
    this.#fields = {}
    return {
      ...outcome,
      complete: false,
      stoppedBy: outcome.stoppedBy ?? { task: 'status', outcome: toFailedOutcome(leak) },
    }
  }

  #leakIn(fields: JsonObject): TaskFailure | undefined {
    const path = this.#secrecy.find(fields)
    if (!path) return undefined
    const remedy = 'leave it out, or give a digest: `$sha256(…)`'
    return new TaskFailure(
      'Failed',
      `cannot set \`${printPath(['status', ...path])}\`: it would show a value of a Secret (${remedy})`,
    )
  }
}

function mergeObjects(left: JsonObject, right: JsonObject, path: JsonPath): JsonObject {
  const merged: { [key: string]: JsonValue | undefined } = { ...left }
  for (const [key, value] of Object.entries(right)) merged[key] = merge(left[key], value, [...path, key])
  return merged
}

function merge(left: JsonValue | undefined, right: JsonValue | undefined, path: JsonPath): JsonValue | undefined {
  if (left === undefined || jsonEquals(left, right)) return right
  if (isJsonObject(left) && isJsonObject(right)) return mergeObjects(left, right, path)
  if (path.length === 1 && path[0] === 'conditions' && isJsonArray(left) && isJsonArray(right))
    return mergeConditions(left, right)
  throw new TaskFailure(
    'Failed',
    `cannot set \`status.${printPath(path)}\`: two \`status\` tasks give it different values (keep one)`,
  )
}

/** Merges conditions by type, without a look at the schema. Leaves out items that are not conditions. */
function mergeConditions(left: JsonArray, right: JsonArray): JsonArray {
  const byType = new Map(left.filter(isCondition).map((condition) => [condition.type, condition]))
  for (const condition of right.filter(isCondition)) {
    const { type } = condition
    const other = byType.get(type)
    if (other !== undefined && !jsonEquals(other, condition)) {
      throw new TaskFailure(
        'Failed',
        `cannot set condition "${type}": two \`status\` tasks set it differently (keep one)`,
      )
    }
    byType.set(type, condition)
  }
  return [...byType.values()]
}
