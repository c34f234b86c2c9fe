import {
  getPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
} from '../../../core/base/json.ts'
import type { SchemaProblem } from '../../../core/yaml/check-schema.ts'
import type { ParsedYaml } from '../../../core/yaml/parsed-yaml.ts'
import type { TaskKind } from '../task-kind.ts'
import type { TaskRegistry } from '../task-registry.ts'
import { MODIFIER_SCHEMAS } from './modifier-schemas.ts'

/** A task whose shape is right, before anything in it is compiled. */
export interface TaskDraft {
  readonly path: JsonPath
  readonly kind: TaskKind
  readonly body: JsonValue
  /** As written. */
  readonly modifiers: JsonObject
  /** The tasks within it, by the field of the body that holds them. */
  readonly lists: ReadonlyMap<string, readonly TaskDraft[]>
  /** The files of tasks that it runs, by the field of the body that names them. Those that cannot be used were reported. */
  readonly files: ReadonlyMap<string, TaskFile>
}

/** A file that holds a list of tasks. */
export interface TaskFile {
  readonly document: ParsedYaml
  readonly tasks: readonly TaskDraft[]
}

/** The document that tasks stand in. */
export interface DraftPlace {
  readonly registry: TaskRegistry
  readonly problems: readonly SchemaProblem[]
  /** Reads the file of tasks that a field of a body names. `undefined` after a problem. */
  file(path: JsonPath, name: JsonValue | undefined): TaskFile | undefined
}

/** Tasks whose body is right, with those of their modifiers that are. `path` is where the list stands. */
export function draftTasks(list: JsonValue | undefined, path: JsonPath, place: DraftPlace): readonly TaskDraft[] {
  return (isJsonArray(list) ? list : []).flatMap((task, index) => {
    if (!isJsonObject(task)) return []
    const start = [...path, index]
    const problems = place.problems.filter((problem) => startsWith(problem.path, start))
    return draftTask(task, start, { ...place, problems })
  })
}

function draftTask(task: JsonObject, path: JsonPath, place: DraftPlace): readonly TaskDraft[] {
  const { registry, problems } = place
  const kind = registry.kinds.find(({ name }) => task[name] !== undefined)
  if (!kind) return []
  const lists = (kind.lists ?? []).map((field) => [...path, kind.name, field])
  // A task within it that is wrong takes nothing away from the others.
  const own = problems.filter((problem) => !lists.some((list) => isWithin(problem.path, list)))
  // Keys that something is wrong with; `undefined` is the task as a whole.
  const broken = new Set(own.map((problem) => problem.path[path.length]))
  if (broken.has(kind.name) || broken.has(undefined)) return []
  const modifiers = Object.entries(task).filter(([key]) => Object.hasOwn(MODIFIER_SCHEMAS, key) && !broken.has(key))
  const body = task[kind.name] as JsonValue
  const nested = lists.map(
    (start) => [String(start.at(-1)), draftTasks(getPath(body, start.slice(-1)), start, place)] as const,
  )
  const files = (kind.files ?? []).flatMap((field) => {
    const file = place.file([...path, kind.name, field], getPath(body, [field]))
    return file === undefined ? [] : [[field, file] as const]
  })
  const within = { lists: new Map(nested), files: new Map(files) }
  return [{ path, kind, body, modifiers: Object.fromEntries(modifiers), ...within }]
}

/** Tasks of a document with all that stand within them: not those of other files. */
export function withNested(tasks: readonly TaskDraft[]): readonly TaskDraft[] {
  return tasks.flatMap((task) => [task, ...withNested([...task.lists.values()].flat())])
}

function startsWith(path: JsonPath, start: JsonPath): boolean {
  return start.every((step, index) => path[index] === step)
}

function isWithin(path: JsonPath, list: JsonPath): boolean {
  return path.length > list.length && startsWith(path, list)
}
