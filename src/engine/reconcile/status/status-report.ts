import type { Clock } from '../../../core/base/clock.ts'
import { explain } from '../../../core/base/coded-error.ts'
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
import type { Logger } from '../../../core/base/logger.ts'
import type { KubeClient } from '../../../core/kube/client.ts'
import { isCondition } from '../../../core/kube/condition.ts'
import { formatGroupKind, formatGvk, type Gvk } from '../../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import type { OpenApiSource } from '../../../core/kube/openapi-source.ts'
import type { ResourceMapper, ResourceMapping } from '../../../core/kube/resource-mapper.ts'
import type { StatusPort } from '../../role/run-context.ts'
import { Secrecy } from '../../role/secrecy.ts'
import { type RunOutcome, TaskFailure } from '../../role/task-outcome.ts'
import { toFailedOutcome } from '../../role/to-failed-outcome.ts'
import { attempt } from '../apply/request-failure.ts'
import type { Ledger } from '../ownership/ledger.ts'
import { FIELD_MANAGER } from '../ownership/ownership.ts'
import type { ObjectCaches } from '../reconciler-ports.ts'
import { failureOf, type ResourceMemory } from '../run/resource-memory.ts'
import type { EngineConditions } from './engine-conditions.ts'
import { missingStatusFields, recalledConditions, statusFitter, statusPatch } from './status-patch.ts'

export interface StatusReportTools {
  readonly client: KubeClient
  readonly mapper: ResourceMapper
  readonly caches: ObjectCaches
  readonly ledger: Ledger
  readonly openApi: OpenApiSource
  readonly clock: Clock
  readonly logger: Logger
}

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
    const report = given.memory.isStatusUnsure ? { ...given, resource: await this.#readLive(given) } : given
    const { gvk, resource, memory } = report
    const mapping = await this.#mappingFor(gvk)
    const isServed = hasStatus(mapping)
    const room = await this.#roomFor(report, isServed)
    const status = this.#patchOf(report, room)
    memory.isStatusUnsure = false
    if (!status || memory.refusedStatus === hashJson(status)) return false
    if (!isServed) {
      this.#warnOnce(gvk, 'has no status subresource: no status is written')
      return false
    }
    const body = { metadata: preconditions(resource, status), status }
    const key = keyOf(resource)
    const options = { fieldManager: FIELD_MANAGER, subresource: 'status', signal: report.signal } as const
    memory.isStatusUnsure = true
    const answer = await attempt({ verb: 'patch', mapping, key, subresource: 'status' }, () =>
      this.#tools.client.patch(gvk, key, { type: 'merge', body }, options),
    )
    memory.isStatusUnsure = false
    this.#tools.caches.wrote(answer)
    memory.changedStatus = Object.keys(status)
    this.#learn({ ...report, resource: answer }, status, room)
    return true
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
    const rest = this.#patchOf(answered, room)
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

/** Merges conditions by type, whatever the schema says. What is not a condition is left out. */
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
