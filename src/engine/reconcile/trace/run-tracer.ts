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
import type { Secrecy } from '../../role/secrecy.ts'
import type { TaskOutcome } from '../../role/task-outcome.ts'
import type { TaskTracer, TracedTaskSource } from '../../role/task-tracer.ts'
import { originAt, SENSITIVE, withoutSecrets, withoutTracked, withoutTrackedNames } from '../../role/without-secrets.ts'
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

/** Called with each write of a task. The objects may contain secrets. */
export type WriteListener = (written: Written, task: TracedTaskSource | undefined) => void

/** A task in the trace. It is printed at the end of the run, when all secrets are known. */
interface Entry {
  readonly source: TracedTaskSource
  readonly place: Pick<TracedTask, 'depth' | 'item'>
  readonly began: number
  readonly why: string[]
  readonly objects: (() => TracedObject)[]
  outcome: TaskOutcome['kind']
  milliseconds: number
}

/** Traces what one run does. The trace is redacted with all secrets that the run knew at its end. */
export class RunTracer implements TaskTracer {
  readonly #clock: Clock
  readonly #secrecy: Secrecy
  readonly #onWritten: WriteListener | undefined
  readonly #entries: Entry[] = []
  readonly #open: Entry[] = []
  readonly #removed: string[] = []
  #more = 0

  constructor(clock: Clock, secrecy: Secrecy, onWritten?: WriteListener) {
    this.#clock = clock
    this.#secrecy = secrecy
    this.#onWritten = onWritten
  }

  begin(source: TracedTaskSource, item?: number): void {
    const depth = this.#open.length
    const place = { ...(depth > 0 && { depth }), ...(item !== undefined && { item }) }
    const began = this.#clock.monotonic()
    const entry: Entry = { source, place, began, why: [], objects: [], outcome: 'unchanged', milliseconds: 0 }
    this.#open.push(entry)
    if (this.#entries.length < MOST.tasks) this.#entries.push(entry)
    else this.#more++
  }

  end(outcome: TaskOutcome): void {
    const entry = this.#open.at(-1) as Entry
    entry.outcome = outcome.kind
    entry.milliseconds = Math.round((this.#clock.monotonic() - entry.began) * 10) / 10
    const words = wordsOf(outcome)
    if (words !== undefined) this.#note(words)
    this.#open.pop()
  }

  /** The running task, with the index of its item. */
  get current(): string | undefined {
    const task = this.#open.at(-1)
    return task && `${task.source.name}${task.place.item === undefined ? '' : ` [${task.place.item}]`}`
  }

  /** Marks the running task as failed: the run was given up. */
  giveUp(error: Error): void {
    const task = this.#open.at(-1)
    if (task) task.outcome = 'failed'
    this.#note(`Failed: ${error.message}`)
  }

  answered(place: string, source: string, answer: boolean): void {
    if (!answer) this.#note(`${place}: \${${source.trim()}} is false`)
  }

  /** Notes an object that a task has read. */
  read({ kind }: GroupKind, key: ObjectKey, isThere: boolean): void {
    this.#traceObject(() => ({ object: `${kind} ${formatKey(key)}`, did: isThere ? 'read' : 'missing' }))
  }

  listed({ kind }: GroupKind, count: number): void {
    this.#traceObject(() => ({ object: kind, did: 'listed', count }))
  }

  unchanged(object: KubeObject): void {
    this.#traceObject(() => ({ object: formatObject(object), did: 'unchanged' }))
  }

  wrote(written: Written): void {
    const task = this.#open.at(-1)?.source
    this.#onWritten?.(written, task)
    this.#traceObject(() => this.#print(written, task))
  }

  removed(object: KubeObject): void {
    if (this.#removed.length < MOST.objects) this.#removed.push(formatObject(object))
  }

  /** The part of the trace that is about tasks. To be read once the run has ended. */
  get summary(): Pick<RunTrace, 'tasks' | 'more' | 'removed'> {
    return this.redact({
      tasks: this.#entries.map(printEntry),
      ...(this.#more > 0 && { more: this.#more }),
      ...(this.#removed.length > 0 && { removed: this.#removed }),
    })
  }

  /** Redacts and shortens all texts of a value. */
  redact<Value>(value: Value): Value {
    if (typeof value === 'string') return cut(this.#secrecy.redact(value), LONGEST.text) as Value
    if (Array.isArray(value)) return value.map((item) => this.redact(item)) as Value
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.redact(inner)])) as Value
  }

  #print(written: Written, task: TracedTaskSource | undefined): TracedObject {
    const { before, after, lost = [], adoption, kept = [] } = written
    const object = formatObject(after)
    if (!before) return { object, did: 'created' }
    const changes = changesBetween(before, after)
    const options = { object: after, secrecy: this.#secrecy, task, longest: LONGEST.value }
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

  #note(reason: string): void {
    const why = this.#open.at(-1)?.why
    if (why && why.length < MOST.reasons && !why.includes(reason)) why.push(reason)
  }

  #traceObject(object: () => TracedObject): void {
    const objects = this.#open.at(-1)?.objects
    if (objects && objects.length < MOST.objects) objects.push(object)
  }
}

/** What became of an object that was there, in a word. */
export function changeKindOf({ lost = [], adoption }: Written): 'adopted' | 'changed' | 'corrected' {
  if (adoption?.isNew) return 'adopted'
  return lost.length > 0 ? 'corrected' : 'changed'
}

function printEntry({ source, place, outcome, milliseconds, why, objects }: Entry): TracedTask {
  return {
    name: source.name,
    ...place,
    outcome,
    ...(milliseconds > 0 && { milliseconds }),
    ...(why.length > 0 && { why }),
    ...(objects.length > 0 && { objects: objects.map((print) => print()) }),
  }
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
