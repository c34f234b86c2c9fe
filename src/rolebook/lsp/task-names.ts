import { isJsonArray, isJsonObject, type JsonPath } from '../../core/base/json.ts'
import type { SourceRange } from '../../core/yaml/diagnostic.ts'
import { holds } from './names.ts'
import type { TaskDocument } from './role-analysis.ts'

/** The name of a task, and the places where other tasks of its list name it. */
export interface NamedTask {
  readonly name: string
  readonly definition: SourceRange
  readonly uses: readonly SourceRange[]
}

/** The task whose name stands at an offset: at the task itself, or in an `after`. */
export function taskNameAt(path: string, offset: number, documents: readonly TaskDocument[]): NamedTask | undefined {
  return documents
    .filter(({ document }) => document.source.path === path)
    .flatMap(namedTasks)
    .find(({ definition, uses }) => [definition, ...uses].some((range) => holds(range, path, offset)))
}

function namedTasks({ document, tasks }: TaskDocument): readonly NamedTask[] {
  return tasks.flatMap(({ modifiers: { name }, path }) => {
    if (typeof name !== 'string') return []
    const list = path.slice(0, -1)
    const later = tasks.filter((task) => isIn(list, task.path) && Number(task.path.at(-1)) > Number(path.at(-1)))
    const uses = later.flatMap((task) => placesOf(name, task.modifiers.after, [...task.path, 'after']))
    return [
      {
        name,
        definition: document.locate([...path, 'name']),
        uses: uses.map((place) => document.locate(place)),
      },
    ]
  })
}

function isIn(list: JsonPath, path: JsonPath): boolean {
  return path.length === list.length + 1 && list.every((step, index) => path[index] === step)
}

function placesOf(name: string, after: unknown, path: JsonPath): readonly JsonPath[] {
  return (isJsonArray(after) ? after : []).flatMap((entry, index) => {
    if (entry === name) return [[...path, index]]
    return isJsonObject(entry) && entry.task === name ? [[...path, index, 'task']] : []
  })
}
