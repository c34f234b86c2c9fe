import { isJsonArray, isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import { nearestName } from '../../../core/base/nearest-name.ts'
import type { Problem } from '../../../core/yaml/diagnostic.ts'
import type { TaskLink } from '../graph/task-graph-types.ts'
import type { TaskDraft } from '../parse/draft-tasks.ts'
import type { TextCompiler } from './text-compiler.ts'

/** The modifier `after` of a task of a list: the tasks before it that have one of the names. */
export function compileAfter(drafts: readonly TaskDraft[], index: number, texts: TextCompiler): readonly TaskLink[] {
  const { modifiers, path } = drafts[index] as TaskDraft
  const entries = isJsonArray(modifiers.after) ? modifiers.after : []
  const names = drafts.map((draft) => draft.modifiers.name)
  return entries.flatMap((entry, place): readonly TaskLink[] => {
    const { task, isOptional } = parseEntry(entry)
    const found = [...names.slice(0, index).keys()].filter((one) => names[one] === task)
    if (found.length === 0) texts.report([...path, 'after', place], problemWith(String(task), names, index))
    return found.map((one) => ({ index: one, isOptional }))
  })
}

function parseEntry(entry: JsonValue | undefined): {
  readonly task: JsonValue | undefined
  readonly isOptional: boolean
} {
  if (!isJsonObject(entry)) return { task: entry, isOptional: false }
  return { task: entry.task, isOptional: entry.optional === true }
}

function problemWith(task: string, names: readonly (JsonValue | undefined)[], index: number): Problem {
  const code = 'RB1112'
  if (names[index] === task) {
    return { code, message: `the task cannot come after itself, "${task}"`, hint: 'name a task that stands before it' }
  }
  if (names.includes(task)) {
    const hint = 'move it up: a task comes after tasks that stand before it'
    return { code, message: `the task "${task}" stands after this one`, hint }
  }
  const known = names.slice(0, index).filter((name) => typeof name === 'string')
  const near = nearestName(task, known)
  const hint =
    near === undefined
      ? 'give the task a `name`; it stands in the same list, before this one'
      : `did you mean "${near}"?`
  return { code, message: `there is no task "${task}" in this list`, hint }
}
