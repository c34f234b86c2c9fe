import { evictOldest } from '../../core/base/evict-oldest.ts'
import { sha256 } from '../../core/base/hash.ts'
import type { JsonObject } from '../../core/base/json.ts'
import type { LogFields, Logger } from '../../core/base/logger.ts'
import { isForbidden, isNotFound } from '../../core/kube/api-error.ts'
import type { Reader } from '../../core/kube/client.ts'
import { formatGroupKind, type Gvk } from '../../core/kube/group-version-kind.ts'
import { formatKey, type KubeObject, type ObjectKey } from '../../core/kube/object.ts'
import { contentHash } from '../reconcile/run/run-inputs.ts'
import { RunSecrecy } from '../reconcile/run/run-secrecy.ts'
import type { RunListener, RunReport, RunTrace, TracedObject, TracedTask } from '../reconcile/trace/run-trace.ts'
import { namesGivenByRole, type WriteListener } from '../reconcile/trace/run-tracer.ts'
import type { Secrecy } from '../role/secrecy.ts'
import {
  type AdminAnswer,
  type AdminRequest,
  type AdminRoute,
  jsonAnswer,
  statusAnswer,
} from '../runtime/admin-route.ts'
import { type Request, requestKey } from '../runtime/reconciler.ts'

export interface RunHistoryOptions {
  /** Runs kept of one resource. Defaults to 20. */
  readonly perResource?: number | undefined
  /** Bytes that all of them may take. Defaults to 8 MiB. */
  readonly bytes?: number | undefined
}

/** What is remembered of the runs of one resource. */
export interface ResourceHistory {
  /** The latest first. */
  readonly runs: readonly RunTrace[]
  /** Runs since the last of these that found nothing changed. */
  readonly skipped: number
  /** Milliseconds since 1970 of the last one that was skipped. */
  readonly skippedAt?: number | undefined
}

interface Resource {
  /** The latest last. */
  readonly runs: Run[]
  skipped: number
  skippedAt: number | undefined
}

interface Run {
  readonly key: string
  /** JSON text, which takes a fraction of the memory of the objects that it stands for. */
  readonly text: string
}

/** Bytes that a text costs besides its characters: its head, the objects around it, entries in tables, the name of its resource. */
const OVERHEAD = 500

/**
 * The last runs of each resource, in memory. If they take too much, the oldest are dropped, and the last run of a resource only if there is
 * nothing else to drop. A run that was skipped is counted and costs nothing.
 */
export class RunHistory {
  readonly #perResource: number
  readonly #limit: number
  readonly #resources = new Map<string, Resource>()
  /** The runs in the order in which they are dropped: first those that are not the last of their resource, then those that are. */
  readonly #former = new Set<Run>()
  readonly #last = new Set<Run>()
  #bytes = 0

  constructor({ perResource = 20, bytes = 8 * 1024 * 1024 }: RunHistoryOptions = {}) {
    this.#perResource = perResource
    this.#limit = bytes
  }

  /** How many bytes it takes, approximately. */
  get bytes(): number {
    return this.#bytes
  }

  record({ request, outcome, at, trace }: RunReport): void {
    const key = requestKey(request)
    if (outcome === 'gone') this.#forget(key)
    else if (outcome === 'skipped') this.#skip(key, at)
    else if (trace) this.#add(key, JSON.stringify(trace))
  }

  of(request: Request): ResourceHistory | undefined {
    const resource = this.#resources.get(requestKey(request))
    if (!resource) return undefined
    const { runs, skipped, skippedAt } = resource
    return { runs: runs.map(({ text }) => JSON.parse(text) as RunTrace).reverse(), skipped, skippedAt }
  }

  #add(key: string, text: string): void {
    const run: Run = { key, text }
    const resource = this.#resources.get(key) ?? { runs: [], skipped: 0, skippedAt: undefined }
    this.#resources.set(key, resource)
    const before = resource.runs.at(-1)
    if (before && this.#last.delete(before)) this.#former.add(before)
    resource.runs.push(run)
    resource.skipped = 0
    resource.skippedAt = undefined
    this.#last.add(run)
    this.#bytes += costOf(run)
    if (resource.runs.length > this.#perResource) this.#remove(resource.runs[0] as Run)
    for (const run of this.#oldest()) {
      if (this.#bytes <= this.#limit) break
      this.#remove(run)
    }
  }

  *#oldest(): Iterable<Run> {
    yield* this.#former
    yield* this.#last
  }

  #skip(key: string, at: number): void {
    const resource = this.#resources.get(key)
    if (!resource) return
    resource.skipped++
    resource.skippedAt = at
  }

  #forget(key: string): void {
    for (const run of [...(this.#resources.get(key)?.runs ?? [])]) this.#remove(run)
  }

  #remove(run: Run): void {
    const { runs } = this.#resources.get(run.key) as Resource
    runs.splice(runs.indexOf(run), 1)
    if (runs.length === 0) this.#resources.delete(run.key)
    this.#former.delete(run)
    this.#last.delete(run)
    this.#bytes -= costOf(run)
  }
}

function costOf({ text }: Run): number {
  // A text takes two bytes for each character as soon as one of them needs it.
  return OVERHEAD + text.length * (NOT_LATIN.test(text) ? 2 : 1)
}

const NOT_LATIN = /[^\0-\xff]/

/** How many resources have their last failure remembered. */
const MAX_FAILING = 10_000

/** The message for each kind of change that is logged. */
const MESSAGES: Partial<Record<TracedObject['did'], string>> = {
  created: 'object created',
  changed: 'object changed',
  corrected: 'drift corrected',
}

/**
 * Logs a line for each object that a run has changed or removed, and for each task that failed. Details are in fields. A failure that stays
 * the same is logged once; its repetitions, waits and runs as a whole are logged at level debug. `changeLevel` is the level for changes.
 */
export function runLog(logger: Logger, changeLevel: 'info' | 'debug' = 'info'): RunListener {
  const failing = new Map<string, string>()
  return (report) => {
    const { request, trace, outcome } = report
    if (outcome === 'gone') failing.delete(requestKey(request))
    if (!trace) return
    const fields = { kind: formatGroupKind(request), resource: formatKey(request), role: trace.role }
    const resource = logger.child(fields)
    for (const task of trace.tasks) logChanges(task, (message, fields) => resource[changeLevel](message, fields))
    for (const object of trace.removed ?? []) resource[changeLevel]('object removed', { object })
    logFailures(resource, { request, outcome, trace }, failing)
    resource.debug(`run ${outcome}`, runFields(trace))
  }
}

function logChanges({ name: task, objects = [] }: TracedTask, log: Logger['info']): void {
  for (const { object, did, fields, lost, by } of objects) {
    const text = MESSAGES[did]
    if (text === undefined) continue
    const names = fields?.map(({ field }) => field)
    log(text, { task, object, ...(names && { fields: names }), ...(lost && { lost }), ...(by !== undefined && { by }) })
  }
}

interface TracedRun extends Pick<RunReport, 'request' | 'outcome'> {
  readonly trace: RunTrace
}

function logFailures(logger: Logger, { request, outcome, trace }: TracedRun, failing: Map<string, string>): void {
  const key = requestKey(request)
  const lines = trace.tasks.flatMap(({ name: task, why, ...rest }): readonly LogFields[] =>
    rest.outcome === 'failed' && why !== undefined ? [{ task, why: why.join('; ') }] : [],
  )
  // Variables, the status and removals are no tasks, but may fail as well.
  if (lines.length === 0 && outcome === 'failed') lines.push({ why: trace.ready })
  const text = JSON.stringify(lines)
  const isNews = failing.get(key) !== text
  failing.delete(key)
  if (lines.length === 0) return
  evictOldest({ capacity: MAX_FAILING, known: failing }, (oldest) => failing.delete(oldest))
  failing.set(key, text)
  for (const line of lines) logger[isNews ? 'error' : 'debug']('task failed', line)
}

function runFields({ milliseconds, woken, ready, requests }: RunTrace): LogFields {
  const why = woken.map(({ kind, object }) => (object === undefined ? kind : `${kind} ${object}`))
  return { milliseconds, woken: why, ready, requests: { ...requests } }
}

const EXPLAIN_PATH = '/explain/'

/** The header that proves that the caller has read the resource. */
export const PROOF_HEADER = 'x-rolebook-seen'

/** The reason in the answer of a process that does not lead. */
export const NOT_LEADING = 'NotLeading'

export interface ExplainRouteOptions {
  readonly history: Pick<RunHistory, 'of'>
  readonly client: Pick<Reader, 'get'>
  /** Whether this process is the leader. */
  leads(): boolean
}

/** How many requests may ask the API server at the same time. Others are refused, since everybody may send them. */
const MOST_AT_ONCE = 8

/**
 * Serves what the last runs for a resource did and why, at `/explain/<group>/<version>/<kind>/<namespace>/<name>`, where `-` stands for an
 * empty part.
 *
 * Only a caller that may read the resource gets an answer. The caller reads the resource from the API server and proves that with a hash of
 * its content. A token could not prove it: the API server removes `Authorization` from the requests that it proxies, and the credentials of
 * a person must not reach the operator.
 */
export function explainRoute(options: ExplainRouteOptions): AdminRoute {
  let busy = 0
  return {
    path: EXPLAIN_PATH,
    access: 'public',
    async handle(request) {
      if (busy >= MOST_AT_ONCE) return statusAnswer(503, 'cannot answer: too many requests at once (try again)')
      busy++
      try {
        return await answer(request, options)
      } finally {
        busy--
      }
    },
  }
}

/** The path for a resource. */
export function explainPath({ group, version, kind }: Gvk, { namespace, name }: ObjectKey): string {
  const parts = [group, version, kind, namespace, name].map((part) => (part === '' ? '-' : encodeURIComponent(part)))
  return EXPLAIN_PATH + parts.join('/')
}

/** The proof that a caller has read the resource: a hash of its uid and its content. */
export function proofOf(resource: KubeObject): string {
  return sha256(`${resource.metadata.uid} ${contentHash(resource, 'all')}`)
}

/** The same answer whether or not the resource exists, so that a refusal reveals nothing. */
const REFUSAL = statusAnswer(403, 'cannot explain: the caller has not read the resource as it is now')

async function answer(request: AdminRequest, options: ExplainRouteOptions): Promise<AdminAnswer> {
  const asked = parsePath(request.path)
  if (!asked) return statusAnswer(404, 'there is nothing at this path')
  if (!options.leads()) return notLeading()
  const proof = request.header(PROOF_HEADER) ?? ''
  if (!/^[0-9a-f]{64}$/.test(proof)) return REFUSAL
  const resource = await readLive(options.client, asked, request.signal)
  if (!resource || proofOf(resource) !== proof) return REFUSAL
  const { gvk, key } = asked
  const history = options.history.of({ group: gvk.group, kind: gvk.kind, ...key }) ?? { runs: [], skipped: 0 }
  return jsonAnswer(200, history as unknown as JsonObject)
}

interface Asked {
  readonly gvk: Gvk
  readonly key: ObjectKey
}

function parsePath(path: string): Asked | undefined {
  const parts = path.slice(EXPLAIN_PATH.length).split('/').map(decoded)
  const [group, version, kind, namespace, name] = parts
  if (parts.length !== 5 || !version || !kind || !name || group === undefined || namespace === undefined)
    return undefined
  return { gvk: { group, version, kind }, key: { namespace, name } }
}

function decoded(part: string): string | undefined {
  try {
    return part === '-' ? '' : decodeURIComponent(part)
  } catch {
    return undefined
  }
}

async function readLive(
  client: Pick<Reader, 'get'>,
  { gvk, key }: Asked,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  try {
    return await client.get(gvk, key, { signal })
  } catch (error) {
    // Callers may ask for anything: kinds that are not served, or that the operator may not read.
    if (isNotFound(error) || isForbidden(error)) return undefined
    throw error
  }
}

function notLeading(): AdminAnswer {
  const message = 'another process of this installation is the leader'
  const head = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' }
  return jsonAnswer(404, { ...head, message, reason: NOT_LEADING, code: 404 })
}

/** Remembers the secrets of all runs, even those that the reconciler has forgotten: what was written may be shown later. */
export class AllSecrets extends RunSecrecy {
  readonly texts = new Set<string>()
  /** Names of objects that roles give themselves. They are shown even if a Secret contains the same text. */
  readonly roleNames = new Set<string>()
  /** To be called with what tasks write. */
  readonly onWritten: WriteListener = ({ after }, task) => {
    for (const name of namesGivenByRole(after, task)) this.roleNames.add(name)
  }

  override async during<T>(secrecy: () => Secrecy, work: () => Promise<T>): Promise<T> {
    try {
      return await super.during(secrecy, work)
    } finally {
      for (const text of secrecy().toKeep(false)) this.texts.add(text)
    }
  }
}
