import { getPath, isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import type { SourceRange } from '../../core/yaml/diagnostic.ts'
import type { WrittenTask } from '../../engine/role/parse/task-places.ts'
import type { Role, Task } from '../../engine/role/role.ts'

/** The task at a place of a run, such as `/tasks.2 [0]/tasks.2.block.tasks.1`. */
export function taskAt(role: Role, place: string): Task | undefined {
  let list: readonly Task[] = [...role.tasks, ...(role.finalize ?? [])]
  let found: Task | undefined
  for (const step of place.split('/').slice(1)) {
    const wanted = step.replace(/ \[\d+\]$/, '')
    found = list.find((task) => task.place === wanted)
    if (!found) return undefined
    list = found.lists.flatMap(({ tasks }) => tasks)
  }
  return found
}

/** Tasks with those that they hold. */
export function allTasks(tasks: readonly Task[]): readonly Task[] {
  return tasks.flatMap((task) => [task, ...task.lists.flatMap((list) => allTasks(list.tasks))])
}

/** Where a field of the object that a task makes is written: the nearest thing around it, when an expression makes it. */
export function writtenPath({ draft }: WrittenTask, field: JsonPath): JsonPath {
  const path: (string | number)[] = [...draft.path, draft.kind.name]
  let here: JsonValue | undefined = draft.body
  for (const step of field) {
    const key = keyFor(here, step)
    if (key === undefined) break
    path.push(key)
    here = getPath(here, [key])
  }
  return path
}

/** The key or index in what is written that makes `step` of what is rendered. */
function keyFor(here: JsonValue | undefined, step: string | number): string | number | undefined {
  if (isJsonArray(here)) return typeof step === 'number' && isPlainList(here) && step < here.length ? step : undefined
  if (!isJsonObject(here)) return undefined
  if (Object.hasOwn(here, step)) return step
  if (step === 'data' && Object.hasOwn(here, 'stringData')) return 'stringData'
  const computed = Object.keys(here).filter((key) => key.includes('${'))
  return computed.length === 1 ? computed[0] : undefined
}

/** Whether the items of a list stand where they are written: one that is an expression may yield nothing. */
function isPlainList(items: readonly JsonValue[]): boolean {
  return items.every((item) => typeof item !== 'string' || !item.includes('${'))
}

/** Where a value that a message quotes stands within the value at `path`, as a key or as a value; else the value itself. */
export function rangeOf(task: WrittenTask, path: JsonPath, message: string): SourceRange {
  const { document } = task
  const value = getPath(document.value, path)
  const bad = /^(?:Invalid value|Unsupported value|Duplicate value|Not found): "((?:[^"\\]|\\.)*)"/.exec(message)?.[1]
  if (bad !== undefined && isKey(bad, path.at(-1), value)) return document.locate(path, 'key')
  if (bad !== undefined && isJsonObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (key === bad) return document.locate([...path, key], 'key')
      if (inner === bad) return document.locate([...path, key])
    }
  }
  const isWhole = isJsonObject(value) || isJsonArray(value)
  // What is missing in an object, or wrong with it as a whole, is shown at its key: the object may be long.
  return isWhole && typeof path.at(-1) === 'string' ? document.locate(path, 'key') : shortRange(document.locate(path))
}

/** Whether a text is the key of a value: as it is written, or as an expression makes it where the value is written and another. */
function isKey(text: string, key: string | number | undefined, value: JsonValue | undefined): boolean {
  if (text === key) return true
  const isComputed = typeof key === 'string' && key.includes('${')
  return isComputed && typeof value === 'string' && !value.includes('${') && value !== text
}

/** A range that ends with its first line. */
function shortRange({ source, start, end }: SourceRange): SourceRange {
  const line = source.text.indexOf('\n', start)
  return { source, start, end: line < 0 ? end : Math.min(end, line) }
}
