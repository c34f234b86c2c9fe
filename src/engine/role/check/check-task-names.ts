import type { TaskDraft } from '../parse/draft-tasks.ts'
import type { TypedTexts } from './typed-texts.ts'

/** Warns of tasks of one list that have the same name: messages could mean either. */
export function warnOfSameNames(tasks: readonly TaskDraft[], texts: TypedTexts): void {
  const first = new Map<string, TaskDraft>()
  for (const task of tasks) {
    const { name } = task.modifiers
    if (typeof name !== 'string') continue
    const other = first.get(name)
    if (other === undefined) first.set(name, task)
    else {
      const { source, start } = texts.document.locate([...other.path, 'name'])
      texts.report([...task.path, 'name'], {
        severity: 'warning',
        code: 'RB1158',
        message: `two tasks are called "${name}": the first is in line ${source.position(start).line}`,
        hint: 'give each a name of its own: conditions, events and `rolebook explain` name tasks',
      })
    }
  }
}
