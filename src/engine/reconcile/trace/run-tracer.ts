import type { Clock } from '../../../core/base/clock.ts'
import { explain } from '../../../core/base/coded-error.ts'
import {
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  jsonEquals,
  printPath,
} from '../../../core/base/json.ts'
import { type JsonChange, jsonChanges } from '../../../core/base/json-changes.ts'
import { REDACTED } from '../../../core/base/redactor.ts'
import type { GroupKind } from '../../../core/kube/group-version-kind.ts'
import { formatKey, formatObject, type KubeObject, type ObjectKey } from '../../../core/kube/object.ts'
import type { TaskTracer, TracedPlace, TracedTaskSource } from '../../role/run/task-tracer.ts'
import type { Secrecy } from '../../role/secrecy/secrecy.ts'
import {
  originAt,
  SENSITIVE,
  withoutSecrets,
  withoutTracked,
  withoutTrackedNames,
} from '../../role/secrecy/without-secrets.ts'
import type { TaskOutcome } from '../../role/task-outcome.ts'
import { type WrittenPlace, withPlace } from '../../role/written-place.ts'
import type { RequestCounter } from '../../runtime/counting-client.ts'
import type { HeldFields } from '../apply/managed-fields.ts'
import { FIELD_MANAGER, MARKS_PREFIX } from '../ownership/ownership.ts'
import type {
  RunListener,
  RunReport,
  RunTrace,
  TracedField,
  TracedHolder,
  TracedObject,
  TracedTask,
  Trigger,
} from './run-trace.ts'

/** Tasks and items of loops; objects of a task; fields of an object, and managers that hold some; conditions of a task. */
const MOST = { tasks: 100, objects: 20, fields: 10, managers: 5, reasons: 5 }
/** Characters of a text, and of a value. */
const LONGEST = { text: 300, value: 80 }

/** A write of an object as it was answered. */
export interface Written {
  /** Absent: the object was created. */
  readonly before: KubeObject | undefined
  readonly after: KubeObject
  /** Fields that another manager had taken. Defaults to none. */
  readonly lost?: readonly JsonPath[] | undefined
  /** Of an object that was there and not ours, or whose fields were taken over. */
  readonly adoption?: Adoption | undefined
  /** Fields that we have dropped and others hold. Defaults to none. */
  readonly kept?: readonly HeldFields[] | undefined
}

export interface Adoption {
  /** Whether the object was not ours before. */
  readonly isNew: boolean
  /** Managers whose fields were taken over. */
  readonly taken: readonly string[]
  /** Fields that we hold now, and others as well. */
  readonly shared: readonly HeldFields[]
}

/** Called with each write of a task, and where the task stands in the role. The objects may contain secrets. */
export type WriteListener = (written: Written, task: TracedTaskSource | undefined, place: string) => void

/** What the traces of all tasks of a run share. */
interface TraceTools {
  readonly clock: Clock
  readonly secrecy: Secrecy
  readonly onWritten: WriteListener | undefined
  /** Whether one more task is listed. */
  hasRoom(): boolean
}

/** Why a task came to what it did, and where the role has the mistake. */
interface Reason {
  readonly text: string
  readonly place?: WrittenPlace | undefined
}

/** Traces what one task of a run does, or one item of its loop. It is printed at the end of the run, when all secrets are known. */
export class TaskTrace implements TaskTracer {
  readonly source: TracedTaskSource
  readonly at: TracedPlace
  readonly inner: TaskTrace[] = []
  readonly began: number
  isOpen = true
  outcome: TaskOutcome['kind'] = 'unchanged'
  readonly #tools: TraceTools
  readonly #depth: number
  readonly #why: Reason[] = []
  readonly #objects: (() => TracedObject)[] = []
  #milliseconds = 0

  constructor(source: TracedTaskSource, at: TracedPlace, { tools, depth }: { tools: TraceTools; depth: number }) {
    this.source = source
    this.at = at
    this.#tools = tools
    this.#depth = depth
    this.began = tools.clock.monotonic()
  }

  begin(source: TracedTaskSource, at: TracedPlace): TaskTrace {
    const trace = new TaskTrace(source, at, { tools: this.#tools, depth: this.#depth + 1 })
    if (this.#tools.hasRoom()) this.inner.push(trace)
    return trace
  }

  end(outcome: TaskOutcome): void {
    this.isOpen = false
    this.outcome = outcome.kind
    this.#milliseconds = Math.round((this.#tools.clock.monotonic() - this.began) * 10) / 10
    const words = wordsOf(outcome)
    if (words !== undefined) this.note(words, 'place' in outcome ? outcome.place : undefined)
  }

  /** The name of the task, with the index of its item. */
  get title(): string {
    return `${this.source.name}${this.at.item === undefined ? '' : ` [${this.at.item}]`}`
  }

  /** @param place where the role has the mistake */
  note(text: string, place?: WrittenPlace): void {
    if (this.#why.length < MOST.reasons && !this.#why.some((one) => one.text === text)) this.#why.push({ text, place })
  }

  /** Redacted before it is cut: a secret is found as a whole only. */
  #printReason({ text, place }: Reason): string {
    return withPlace(this.#tools.secrecy.redact(text), place, LONGEST.text)
  }

  answered(place: string, source: string, answer: boolean): void {
    if (!answer) this.note(`${place}: \${${source.trim()}} is false`)
  }

  /** Notes an object that the task has read. */
  read({ kind }: GroupKind, key: ObjectKey, isThere: boolean): void {
    this.#traceObject(() => ({ object: `${kind} ${formatKey(key)}`, did: isThere ? 'read' : 'missing' }))
  }

  listed({ kind }: GroupKind, count: number): void {
    this.#traceObject(() => ({ object: kind, did: 'listed', count }))
  }

  unchanged(object: KubeObject): void {
    this.#traceObject(() => ({ object: formatObject(object), did: 'unchanged' }))
  }

  /** @param place where the task stands in the role */
  wrote(written: Written, place = ''): void {
    this.#tools.onWritten?.(written, this.source, place)
    this.#traceObject(() => printWritten(written, { secrecy: this.#tools.secrecy, task: this.source }))
  }

  print(): TracedTask {
    const { item } = this.at
    return {
      name: this.source.name,
      ...(this.#depth > 0 && { depth: this.#depth }),
      ...(item !== undefined && { item }),
      outcome: this.outcome,
      ...(this.#milliseconds > 0 && { milliseconds: this.#milliseconds }),
      ...(this.#why.length > 0 && { why: this.#why.map((reason) => this.#printReason(reason)) }),
      ...(this.#objects.length > 0 && { objects: this.#objects.map((print) => print()) }),
    }
  }

  #traceObject(object: () => TracedObject): void {
    if (this.#objects.length < MOST.objects) this.#objects.push(object)
  }
}

/** Traces what one run does. The trace is redacted with all secrets that the run knew at its end. */
export class RunTracer implements TaskTracer {
  readonly #tools: TraceTools
  readonly #tasks: TaskTrace[] = []
  readonly #removed: string[] = []
  #count = 0

  constructor(clock: Clock, secrecy: Secrecy, onWritten?: WriteListener) {
    this.#tools = { clock, secrecy, onWritten, hasRoom: () => ++this.#count <= MOST.tasks }
  }

  begin(source: TracedTaskSource, at: TracedPlace): TaskTrace {
    const trace = new TaskTrace(source, at, { tools: this.#tools, depth: 0 })
    if (this.#tools.hasRoom()) this.#tasks.push(trace)
    return trace
  }

  /** What a run as a whole comes to is in its report. */
  end(): void {}

  /** Conditions belong to tasks. */
  answered(): void {}

  /** Of the tasks that run, the one that has run for longest, with the index of its item. */
  get current(): string | undefined {
    const [first, ...more] = this.#running
    return first && more.reduce((oldest, trace) => (trace.began < oldest.began ? trace : oldest), first).title
  }

  /** Marks the running tasks as failed: the run was given up. */
  giveUp(error: Error): void {
    for (const trace of this.#running) {
      trace.outcome = 'failed'
      trace.note(`Failed: ${error.message}`)
    }
  }

  /** Those that run and hold no others that do. */
  get #running(): readonly TaskTrace[] {
    return inListOrder(this.#tasks).filter(({ isOpen, inner }) => isOpen && !inner.some((one) => one.isOpen))
  }

  removed(object: KubeObject): void {
    if (this.#removed.length < MOST.objects) this.#removed.push(formatObject(object))
  }

  /** The part of the trace that is about tasks, in the order of the role. To be read once the run has ended. */
  get summary(): Pick<RunTrace, 'tasks' | 'more' | 'removed'> {
    const more = this.#count - MOST.tasks
    return this.redact({
      tasks: inListOrder(this.#tasks).map((trace) => trace.print()),
      ...(more > 0 && { more }),
      ...(this.#removed.length > 0 && { removed: this.#removed }),
    })
  }

  /** Redacts and shortens all texts of a value. */
  redact<Value>(value: Value): Value {
    if (typeof value === 'string') return cut(this.#tools.secrecy.redact(value), LONGEST.text) as Value
    if (Array.isArray(value)) return value.map((item) => this.redact(item)) as Value
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.redact(inner)])) as Value
  }
}

/** Tasks with those within them, in the order of their lists. */
function inListOrder(tasks: readonly TaskTrace[]): readonly TaskTrace[] {
  const placeOf = ({ at: { index, item = 0 } }: TaskTrace): readonly [number, number] => [index, item]
  const sorted = tasks.toSorted((left, right) => {
    const [[index, item], [otherIndex, otherItem]] = [placeOf(left), placeOf(right)]
    return index - otherIndex || item - otherItem
  })
  return sorted.flatMap((task) => [task, ...inListOrder(task.inner)])
}

function printWritten(written: Written, shown: ShowOptions): TracedObject {
  const { before, after, lost = [], adoption, kept = [] } = written
  const object = formatObject(after)
  if (!before) return { object, did: 'created' }
  const changes = changesBetween(before, after)
  const options = { object: after, ...shown, longest: LONGEST.value }
  const fields = changes.slice(0, MOST.fields).map((change) => printChange(change, options))
  const more = changes.length - fields.length
  const placesOf = (paths: readonly JsonPath[]): readonly string[] =>
    paths.slice(0, MOST.fields).map((path) => printPath(openPath(path, options)))
  const holders = (held: readonly HeldFields[]): readonly TracedHolder[] =>
    held.slice(0, MOST.managers).map(({ manager, paths }) => ({ by: manager, fields: placesOf(paths) }))
  const { taken = [], shared = [] } = adoption ?? {}
  return {
    object,
    did: changeKindOf(written),
    ...(fields.length > 0 && { fields }),
    ...(more > 0 && { more }),
    ...(lost.length > 0 && { lost: placesOf(lost), by: rivalOf(before) }),
    ...(taken.length > 0 && { taken }),
    ...(shared.length > 0 && { shared: holders(shared) }),
    ...(kept.length > 0 && { kept: holders(kept) }),
  }
}

/** What became of an object that was there, in a word. */
export function changeKindOf({ lost = [], adoption }: Written): 'adopted' | 'changed' | 'corrected' {
  if (adoption?.isNew) return 'adopted'
  return lost.length > 0 ? 'corrected' : 'changed'
}

/** The message of a task that waits or failed. A task that contains tasks has none, since the inner task has it. */
function wordsOf(outcome: TaskOutcome): string | undefined {
  if ('task' in outcome && outcome.task !== undefined) return undefined
  if (outcome.kind === 'waiting') return outcome.reason
  return outcome.kind === 'failed' ? `${outcome.reason}: ${explain(outcome.error)}` : undefined
}

/** The last other manager that wrote the object. Caches know no more of other managers. */
function rivalOf({ metadata }: KubeObject): string | undefined {
  const { managedFields = [] } = metadata
  const others = managedFields.filter(
    ({ manager, subresource }) => !manager?.startsWith(FIELD_MANAGER) && subresource === undefined,
  )
  return others.toSorted((left, right) => ((left.time ?? '') < (right.time ?? '') ? 1 : -1))[0]?.manager
}

const MOST_CHANGES = 200

/** The fields that a write has changed, sorted, without the bookkeeping of the server and our marks. */
export function changesBetween(before: KubeObject, after: KubeObject): readonly JsonChange[] {
  const changes = jsonChanges(contentOf(before), contentOf(after), MOST_CHANGES)
  return changes.toSorted((left, right) => (left.field < right.field ? -1 : 1))
}

export interface PrintOptions {
  readonly object: KubeObject
  readonly secrecy: Secrecy
  /** The task that wrote the object. */
  readonly task?: TracedTaskSource | undefined
  /** How many characters of a value are shown. */
  readonly longest: number
}

/**
 * A change as people may see it. An old value is shown only if the new one is no secret: it may be the former value of a Secret, which the
 * engine does not know any more.
 */
export function printChange(change: JsonChange, { object, secrecy, task, longest }: PrintOptions): TracedField {
  const { path, from, to } = change
  const open = openPath(path, { object, task })
  const field = jsonEquals(open, path) ? change.field : printPath(open)
  const expression = task && expressionAt(task, path)
  const source = expression === undefined ? {} : { expression: cut(secrecy.redact(expression), longest) }
  const shown = { field: cut(secrecy.redact(field), longest), ...source }
  const [old, now] = [from, to].map((value) => (value === undefined ? undefined : JSON.stringify(value)))
  const texts = [old, now].map((text) => text && secrecy.redact(text))
  const isHidden =
    isSecretValue(object, path) || isSensitive(task, path) || texts.some((text) => text?.includes(REDACTED))
  const value = (text: string | undefined): string | undefined => text && (isHidden ? SENSITIVE : cut(text, longest))
  return { ...shown, ...(old && { from: value(old) }), ...(now && { to: value(now) }) }
}

export function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 3)}...`
}

function isSecretValue({ apiVersion, kind }: KubeObject, [field]: JsonPath): boolean {
  return kind === 'Secret' && apiVersion === 'v1' && (field === undefined || field === 'data' || field === 'stringData')
}

function isSensitive(task: TracedTaskSource | undefined, path: JsonPath): boolean {
  if (!task) return false
  return task.isSensitive || (task.written !== undefined && originAt(task.written, path) === 'secret')
}

/** A path in an object that a task wrote, with names redacted that may be made of a Secret. */
export function openPath(path: JsonPath, { object, task }: Pick<PrintOptions, 'object' | 'task'>): JsonPath {
  if (!task?.written) return path
  return withoutTrackedNames(path, task.written, object as JsonObject)
}

/** The expression at or above a path, or the only one below it. */
function expressionAt({ written }: TracedTaskSource, path: JsonPath): string | undefined {
  if (!written) return undefined
  const { expressions } = written
  const fits = (left: JsonPath, right: JsonPath): boolean => left.every((step, index) => step === right[index])
  const around = expressions.filter((one) => fits(one.path, path))
  const found = around.length > 0 ? around : expressions.filter((one) => fits(path, one.path))
  return found.length === 1 ? found[0]?.expression.source.trim() : undefined
}

const BOOK_KEEPING = ['managedFields', 'resourceVersion', 'uid', 'generation', 'creationTimestamp', 'selfLink']

/** An object without its status, the bookkeeping of the server and our marks. */
export function contentOf({ apiVersion, kind, metadata, status: _status, ...object }: KubeObject): JsonObject {
  const kept: { [field: string]: JsonValue | undefined } = { ...(metadata as JsonObject) }
  for (const field of BOOK_KEEPING) delete kept[field]
  for (const field of ['labels', 'annotations']) kept[field] = withoutMarks(kept[field])
  return { apiVersion, kind, metadata: kept, ...object }
}

function withoutMarks(map: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(map)) return undefined
  const kept = Object.entries(map).filter(([key]) => !key.startsWith(MARKS_PREFIX))
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

export interface ShowOptions {
  readonly secrecy: Secrecy
  /** The task that wrote the object. */
  readonly task?: TracedTaskSource | undefined
}

/**
 * An object as people may see it: without values of Secrets and without values that the task may have made of them. Of an object of a
 * sensitive task only type and metadata are shown.
 */
export function shownObject(object: KubeObject, { secrecy, task }: ShowOptions): KubeObject {
  const { written, isSensitive } = task ?? {}
  const followed = written ? (withoutTracked(object as JsonObject, written) as KubeObject) : object
  const { apiVersion, kind, metadata, ...content } = followed
  return withoutSecrets({ apiVersion, kind, metadata, ...(isSensitive ? hidden(content) : content) }, secrecy)
}

function hidden(content: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(content).map(([key, value]) => [key, isJsonObject(value) ? hidden(value) : SENSITIVE]),
  )
}

/** A call of the reconciler, as far as its trace is about it. */
export interface TracedCall {
  readonly owner: { readonly uid: string; readonly resource: KubeObject }
  readonly entry: { readonly role: { readonly name: string } }
  /** When it began: milliseconds since 1970, and on the monotonic clock. */
  readonly began: { readonly at: number; readonly monotonic: number }
  readonly list: 'tasks' | 'finalize'
  readonly triggers: readonly Trigger[]
  readonly memory: { readonly changedStatus: readonly string[]; newSecrecy(): Secrecy }
  readonly signal: AbortSignal
}

export interface RunReportsTools {
  readonly clock: Clock
  readonly requests: Pick<RequestCounter, 'of'>
  readonly onRun?: RunListener | undefined
}

type Report = Omit<RunReport, 'at' | 'trace'>

/** Reports how the calls of the reconciler end. */
export class RunReports {
  readonly #tools: RunReportsTools

  constructor(tools: RunReportsTools) {
    this.#tools = tools
  }

  /** Reports a call that did nothing worth a trace. */
  emit(report: Report): void {
    this.#tools.onRun?.({ ...report, at: this.#tools.clock.now() })
  }

  /** Reports a call with its trace. `tracer` traced its tasks. Defaults to none: none ran. */
  emitTraced(call: TracedCall, report: Report, tracer = this.newTracer(call)): void {
    const { clock, onRun } = this.#tools
    onRun?.({ ...report, at: clock.now(), trace: this.#traceOf(call, report, tracer) })
  }

  newTracer({ memory }: Pick<TracedCall, 'memory'>): RunTracer {
    return new RunTracer(this.#tools.clock, memory.newSecrecy())
  }

  #traceOf(call: TracedCall, { outcome, ready, wroteStatus }: Report, tracer: RunTracer): RunTrace {
    const { owner, entry, began, list, triggers, memory, signal } = call
    const { clock, requests } = this.#tools
    const { generation } = owner.resource.metadata
    return {
      at: new Date(began.at).toISOString(),
      milliseconds: Math.round((clock.monotonic() - began.monotonic) * 10) / 10,
      uid: owner.uid,
      ...(generation !== undefined && { generation }),
      role: entry.role.name,
      woken: tracer.redact(triggers),
      outcome,
      ...(ready && { ready: tracer.redact(`${ready.reason}: ${String(ready.message)}`) }),
      ...(list === 'finalize' && { list }),
      ...tracer.summary,
      ...(wroteStatus && { status: tracer.redact(memory.changedStatus) }),
      requests: requests.of(signal),
    }
  }
}
