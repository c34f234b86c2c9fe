import { explain } from '../../../core/base/coded-error.ts'
import { hashJson } from '../../../core/base/hash.ts'
import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../../../core/base/json.ts'
import { isInvalid } from '../../../core/kube/api-error.ts'
import { conditionsOf as conditionsIn, findCondition, isCondition } from '../../../core/kube/condition.ts'
import { formatGroupKind, formatGvk, type Gvk } from '../../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import type { ResourceMapping } from '../../../core/kube/resource-mapper.ts'
import { toFailedOutcome } from '../../role/run/to-failed-outcome.ts'
import type { FailedOutcome, RunOutcome } from '../../role/task-outcome.ts'
import { attempt, isOtherObject } from '../apply/request-failure.ts'
import type { RoleReconcilerOptions } from '../engine-options.ts'
import { FIELD_MANAGER } from '../ownership/ownership.ts'
import type { WatchedResources } from '../reconciler-ports.ts'
import { failureOf, type ReconcileContext, type ResourceMemory } from '../run/reconcile-context.ts'
import type { FinishedRun } from '../run/run-role-once.ts'
import { conditionsOfFinalize, conditionsOfRun, type EngineConditions, type JudgedObject } from './engine-conditions.ts'
import type { EngineEvents } from './engine-events.ts'
import { missingStatusFields, recalledConditions, statusFitter, statusPatch } from './status-patch.ts'

export interface StatusReportTools
  extends Pick<RoleReconcilerOptions, 'client' | 'mapper' | 'openApi' | 'caches' | 'ledger' | 'clock' | 'logger'> {}

export interface ReportedStatus {
  readonly gvk: Gvk
  /** The newest known version, own writes included. */
  readonly resource: KubeObject
  readonly memory: ResourceMemory
  /** The hash of the watch entry and its role. */
  readonly entryHash: string
  /** What the `status` tasks set. */
  readonly fields: JsonObject
  readonly conditions: EngineConditions | undefined
  readonly observedGeneration: number | undefined
  readonly complete: boolean
  readonly signal: AbortSignal
}

/**
 * Writes the status of a resource: at most once a run, and only when something differs.
 *
 * It sends a merge patch and not an apply: the schema may call the list of conditions atomic, and then an apply would have to own the
 * conditions of others to keep them. The patch carries the uid of the resource, and the version if it contains conditions.
 */
export class StatusReport {
  readonly #tools: StatusReportTools
  /** Which fields the schema of a kind has, by version, watch entry (a new role reads it again) and whether a status is served. */
  readonly #rooms = new Map<string, Room>()
  readonly #logged = new Set<string>()
  #discoveredAt = Number.NEGATIVE_INFINITY

  constructor(tools: StatusReportTools) {
    this.#tools = tools
  }

  /**
   * Writes a status. Returns whether a request was needed.
   *
   * @throws the refusal when the status is forbidden, which is logged once for each kind
   */
  async write(report: ReportedStatus): Promise<boolean> {
    const { memory, complete } = report
    const set = typesOf(report.fields.conditions)
    await this.#recall(report, set)
    const wrote = await this.#write(report).catch((error) => this.#warnRefusal(report, error))
    if (complete) memory.taskConditions = new Set(set)
    return wrote
  }

  /** Keeps the types of conditions that tasks set in the ledger, for the first complete run after a restart. */
  async #recall({ gvk, resource, memory, complete, signal }: ReportedStatus, set: readonly string[]): Promise<void> {
    const { client, ledger } = this.#tools
    if (set.length > 0) await ledger.record(gvk, { conditions: set }, signal)
    if (memory.taskConditions) memory.taskConditions = new Set([...memory.taskConditions, ...set])
    else if (complete)
      memory.taskConditions = new Set(await recalledConditions({ client, ledger, gvk, resource, set, signal }))
  }

  async #write(given: ReportedStatus): Promise<boolean> {
    const report = this.isUnsure(given.resource) ? { ...given, resource: await this.#readLive(given) } : given
    const { gvk, resource, memory } = report
    const mapping = await this.#mappingFor(gvk)
    const isServed = hasStatus(mapping)
    const room = await this.#roomFor(report, isServed)
    const status = this.#patchOf(report, room)
    if (!status || (memory.refusedStatus !== undefined && memory.refusedStatus === hashJson(status))) return false
    if (!isServed) {
      this.#warnOnce(gvk, 'has no status subresource: no status is written')
      return false
    }
    const body = { metadata: preconditions(resource, status), status }
    const key = keyOf(resource)
    const options = { fieldManager: FIELD_MANAGER, subresource: 'status', signal: report.signal } as const
    this.#tools.caches.sent(resource)
    const answer = await attempt({ verb: 'patch', mapping, key, subresource: 'status' }, () =>
      this.#tools.client.patch(gvk, key, { type: 'merge', body }, options),
    )
    this.#tools.caches.wrote(answer)
    memory.changedStatus = Object.keys(status)
    this.#learn({ ...report, resource: answer }, status, room)
    return true
  }

  /** Whether a write of the status was sent whose answer is lost: the server may have done it. */
  isUnsure(resource: KubeObject): boolean {
    return this.#tools.caches.isUnanswered(resource)
  }

  /** Reads the resource live after a write without an answer, which the watch may not have delivered yet. */
  async #readLive({ gvk, resource, signal }: ReportedStatus): Promise<KubeObject> {
    const [mapping, key] = [await this.#mappingFor(gvk), keyOf(resource)]
    const live = await attempt({ verb: 'get', mapping, key }, () => this.#tools.client.get(gvk, key, { signal }))
    if (live === undefined || live.metadata.uid !== resource.metadata.uid) return resource
    // The status of the next run is compared with what the cache holds.
    this.#tools.caches.wrote(live)
    return live
  }

  /** The mapping of the kind. While it has no status, discovery is read again from time to time, since no event shows a new subresource. */
  async #mappingFor(gvk: Gvk): Promise<ResourceMapping> {
    const { mapper, clock } = this.#tools
    const mapping = await mapper.mappingFor(gvk)
    const now = clock.monotonic()
    if (hasStatus(mapping) || now - this.#discoveredAt < DISCOVERY_BELIEVED) return mapping
    this.#discoveredAt = now
    mapper.refresh()
    return mapper.mappingFor(gvk)
  }

  #patchOf(report: ReportedStatus, room: Room): JsonObject | undefined {
    const { gvk, resource, fields, conditions, observedGeneration, complete, memory } = report
    const { unknown } = room
    const now = new Date(this.#tools.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z')
    return statusPatch(resource, {
      fields: without(fields, unknown),
      conditions: unknown.has('conditions') ? undefined : conditions,
      observedGeneration: unknown.has('observedGeneration') ? undefined : observedGeneration,
      complete,
      taskConditions: memory.taskConditions,
      fit: (status) => this.#fit(gvk, status, room),
      now,
    })
  }

  #fit(gvk: Gvk, status: JsonObject, room: Room): JsonObject {
    if (!room.fit) return status
    const fitted = room.fit(status)
    const news = fitted.lost.filter((path) => !room.lost.has(path))
    for (const path of news) room.lost.add(path)
    this.#warnLost(gvk, news)
    return fitted.status
  }

  /** Fields that the server left out of its answer are not in the schema. They are not sent again. */
  #learn(answered: ReportedStatus, sent: JsonObject, room: Room): void {
    const kept = isJsonObject(answered.resource.status) ? answered.resource.status : {}
    const lost = Object.keys(sent).filter((field) => hasContent(sent[field]) && kept[field] === undefined)
    this.#leaveOut(answered.gvk, lost, room)
    const rest = isTaken(sent, kept) ? undefined : this.#patchOf(answered, room)
    answered.memory.refusedStatus = rest && hashJson(rest)
  }

  /** Reads the schema before the first write, so that a schema without conditions costs no write, even after a restart. */
  async #roomFor({ gvk, entryHash }: ReportedStatus, isServed: boolean): Promise<Room> {
    const kind = formatGvk(gvk)
    const key = `${kind} ${entryHash} ${isServed}`
    const now = this.#tools.clock.monotonic()
    const known = this.#rooms.get(key)
    if (known && now - known.at < (known.lost.size + known.unknown.size > 0 ? LACK_BELIEVED : ROOM_BELIEVED))
      return known
    const room: Room = { at: now, unknown: new Set(), lost: new Set() }
    if (this.#rooms.size >= MAX_ROOMS) this.#rooms.clear()
    this.#rooms.set(key, room)
    if (!isServed) return room
    try {
      const document = await this.#tools.openApi.document(gvk)
      if (!document) return room
      room.fit = statusFitter(document, gvk)
      this.#leaveOut(gvk, missingStatusFields(document, gvk), room)
    } catch (error) {
      this.#tools.logger.debug('cannot read the schema of a kind', { kind, error: explain(error) })
    }
    return room
  }

  #leaveOut(gvk: Gvk, fields: readonly string[], room: Room): void {
    for (const field of fields) room.unknown.add(field)
    this.#warnLost(
      gvk,
      fields.map((field) => `status.${field}`),
    )
  }

  #warnLost(gvk: Gvk, paths: readonly string[]): void {
    if (paths.length === 0) return
    const names = paths.map((path) => `\`${path}\``).join(', ')
    this.#warnOnce(gvk, `has no ${names} in its schema: the status is written without`)
  }

  #warnRefusal({ gvk, memory }: ReportedStatus, error: unknown): never {
    const outcome = failureOf(error, memory)
    if (outcome.reason === 'Forbidden') {
      this.#warnOnce(gvk, `shows no status: ${outcome.error.message}`, 'status forbidden')
    }
    throw error
  }

  #warnOnce(gvk: Gvk, what: string, about = what): void {
    const message = `${formatGroupKind(gvk)} ${what}`
    const topic = `${formatGroupKind(gvk)} ${about}`
    if (this.#logged.has(topic)) return
    this.#logged.add(topic)
    this.#tools.logger.warn(message, { kind: formatGroupKind(gvk) })
  }
}

/** Milliseconds for which a schema is believed. It is shorter if a field is missing, which may be added. */
const ROOM_BELIEVED = 10 * 60_000
const LACK_BELIEVED = 30_000
/** Milliseconds for which discovery is believed that a kind has no status. Discovery is expensive, and some kinds never have one. */
const DISCOVERY_BELIEVED = 60_000
const MAX_ROOMS = 1000

/** What is known of the schema of a kind, and since when. */
interface Room {
  readonly at: number
  /** Fields that are never sent. */
  readonly unknown: Set<string>
  /** Paths that were left out of a status. */
  readonly lost: Set<string>
  fit?: ReturnType<typeof statusFitter>
}

function hasStatus({ subresources }: ResourceMapping): boolean {
  return subresources.includes('status')
}

/** Whether a status has all that a merge patch says. */
function isTaken(patch: JsonObject, status: JsonObject): boolean {
  return Object.entries(patch).every(([name, value]) => {
    const taken = status[name]
    if (value === null) return taken === undefined
    return isJsonObject(value) && isJsonObject(taken) ? isTaken(value, taken) : jsonEquals(value, taken)
  })
}

/** Whether a value has content. A server may leave out empty values. */
function hasContent(value: JsonValue | undefined): boolean {
  if (value === null || value === undefined) return false
  return typeof value !== 'object' || Object.values(value).some(hasContent)
}

function typesOf(conditions: JsonValue | undefined): readonly string[] {
  return Array.isArray(conditions) ? conditions.filter(isCondition).map(({ type }) => type) : []
}

/** The preconditions of a status patch. The list of conditions is sent as a whole, so a condition that was added meanwhile must not be lost. */
function preconditions(resource: KubeObject, status: JsonObject): JsonObject {
  const { uid, resourceVersion } = resource.metadata
  return status.conditions === undefined ? { uid } : { uid, resourceVersion }
}

function without(fields: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)))
}

export interface StatusContent extends Pick<Parameters<StatusReport['write']>[0], 'fields' | 'complete'> {
  readonly conditions: EngineConditions
  /** Whether the status is about the present generation of the resource. */
  readonly isRun: boolean
}

/** Writes the status of a resource, and its conditions unless the watch entry leaves them to the role (`manageStatus: false`). */
export class StatusWriter {
  readonly #resources: Pick<WatchedResources, 'latest'>
  readonly #report: StatusReport
  readonly #events: EngineEvents

  constructor(resources: Pick<WatchedResources, 'latest'>, report: StatusReport, events: EngineEvents) {
    this.#resources = resources
    this.#report = report
    this.#events = events
  }

  write(
    { request, entry, owner, memory, signal }: ReconcileContext,
    { conditions, fields, complete, isRun }: StatusContent,
  ): Promise<boolean> {
    const resource = this.#resources.latest(request, owner.uid) ?? owner.resource
    this.#events.recordConditions(conditions, memory.reportedReady, { owner: { ...owner, resource }, signal })
    memory.reportedReady = conditions.Ready
    const isManaged = entry.manageStatus
    return this.#report.write({
      gvk: entry.gvk,
      resource,
      memory,
      entryHash: entry.hash,
      fields,
      conditions: isManaged ? conditions : undefined,
      observedGeneration: isManaged && isRun ? owner.resource.metadata.generation : undefined,
      complete,
      signal,
    })
  }

  /** Whether clients see `Ready=True` of the engine. */
  saysReady({ request, entry, owner }: ReconcileContext): boolean {
    const resource = this.#resources.latest(request, owner.uid) ?? owner.resource
    if (!entry.manageStatus || this.#report.isUnsure(resource)) return false
    return findCondition(conditionsIn(resource), 'Ready')?.status === 'True'
  }

  /** Writes conditions in place of others that are not true any more. A status without `Ready` stays as it is. */
  async replaceConditions(context: ReconcileContext, conditions: EngineConditions): Promise<boolean> {
    const saysReady = findCondition(conditionsIn(context.owner.resource), 'Ready') !== undefined
    return saysReady && this.writeConditions(context, conditions)
  }

  /** Writes conditions while no role runs. A status that is forbidden is ignored. */
  async writeConditions(context: ReconcileContext, conditions: EngineConditions): Promise<boolean> {
    const { memory } = context
    try {
      const wrote = await this.write(context, { conditions, fields: {}, complete: false, isRun: false })
      memory.statusRefusals = 0
      return wrote
    } catch (error) {
      if (toFailedOutcome(error).reason !== 'Forbidden') throw error
      memory.statusRefusals++
      return false
    }
  }
}

type RunToReport = Pick<FinishedRun, 'outcome' | 'objects' | 'status'>

/**
 * Says in the status what came of a run, unless that is to be withheld for a moment. A status that the server refuses is a
 * failure of the run, and tried again: not every refusal is meant for ever.
 */
export async function writeRunStatus(
  status: StatusWriter,
  context: ReconcileContext,
  run: RunToReport,
): Promise<ReportedOutcome> {
  const { memory } = context
  memory.withheld = withheldFor(status, context, run)
  if (memory.withheld > 0) return { outcome: run.outcome, wroteStatus: false }
  try {
    const wroteStatus = await write(status, context, run)
    memory.statusRefusals = 0
    return { outcome: run.outcome, wroteStatus }
  } catch (error) {
    const failure = failureOf(error, memory)
    const isForbidden = failure.reason === 'Forbidden'
    if (!isForbidden && (!isInvalid(error) || isOtherObject(error))) throw error
    const outcome = countRefusal(context, run.outcome, failure)
    return { outcome, wroteStatus: !isForbidden && (await reportRefusal(status, context, failure)) }
  }
}

interface ReportedOutcome {
  readonly outcome: RunOutcome
  readonly wroteStatus: boolean
}

function countRefusal({ memory }: ReconcileContext, outcome: RunOutcome, failure: FailedOutcome): RunOutcome {
  memory.statusRefusals++
  if (outcome.stoppedBy) return { ...outcome, complete: false }
  memory.attempts.terminal = memory.statusRefusals
  return { ...outcome, complete: false, stoppedBy: { task: 'status', outcome: failure } }
}

/** In place of the status that is refused. What tasks set in it may be the reason. */
async function reportRefusal(
  status: StatusWriter,
  context: ReconcileContext,
  failure: FailedOutcome,
): Promise<boolean> {
  const outcome: RunOutcome = { complete: false, stoppedBy: { task: 'status', outcome: failure }, tasks: [] }
  const conditions = conditionsOf(context, outcome, [])
  return status.write(context, { conditions, fields: {}, complete: false, isRun: false })
}

/**
 * Milliseconds for which the status is withheld. It is withheld while the resource is Ready and the only problem is that controllers have not
 * observed its children yet; a task may wait for such a child. Not even `observedGeneration` is written, so clients see that the status is
 * about the former spec.
 */
function withheldFor(status: StatusWriter, context: ReconcileContext, { outcome, objects }: RunToReport): number {
  const { list, memory, began } = context
  if (list !== 'tasks' || outcome.stoppedBy?.outcome.kind === 'failed') return 0
  const { judged } = objects
  const left = memory.unobserved.left(judged, began.monotonic)
  const isUnready = judged.some(({ readiness: { kind } }) => kind === 'notReady' || kind === 'failed')
  return isUnready || !status.saysReady(context) ? 0 : left
}

async function write(
  report: StatusWriter,
  context: ReconcileContext,
  { outcome, objects, status }: RunToReport,
): Promise<boolean> {
  if (context.memory.hidesFailure) return false
  const conditions = conditionsOf(context, outcome, objects.judged)
  const { complete } = outcome
  return report.write(context, { conditions, fields: status.fields, complete, isRun: context.list === 'tasks' })
}

/** The conditions after a run of `tasks` or of `finalize` tasks. */
export function conditionsOf(
  { list }: ReconcileContext,
  outcome: RunOutcome,
  judged: readonly JudgedObject[],
): EngineConditions {
  return list === 'finalize' ? conditionsOfFinalize(outcome) : conditionsOfRun(outcome, judged)
}
