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
import type { KubeObject } from '../../../core/kube/object.ts'
import type { Secrecy } from '../../role/secrecy.ts'
import type { TracedTaskSource } from '../../role/task-tracer.ts'
import { originAt, SENSITIVE, withoutSecrets, withoutTracked, withoutTrackedNames } from '../../role/without-secrets.ts'
import { MARKS_PREFIX } from '../ownership/marks.ts'
import type { TracedField } from './run-trace.ts'

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

/** The namespace and name of an object, if the role itself gives them. They are shown even if a Secret contains the same text. */
export function namesGivenByRole({ metadata }: KubeObject, task: TracedTaskSource | undefined): readonly string[] {
  const written = task?.written
  if (!written) return []
  const said = (['namespace', 'name'] as const).filter((field) => originAt(written, ['metadata', field]) === 'role')
  return said.flatMap((field) => metadata[field] ?? [])
}
