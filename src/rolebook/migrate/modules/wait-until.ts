import type { NewTask } from '../new-task.ts'
import { allOf, type TaskContext, translateCondition } from '../task-context.ts'
import type { Modifiers } from './module.ts'

/** `until` as a `wait`: a change of what it reads triggers the role, so nothing polls. */
export function waitUntil(
  until: NonNullable<Modifiers['until']>,
  { name, fields }: Modifiers,
  { names, path }: TaskContext,
): NewTask {
  const { condition, timeout } = until
  const conditions = translateCondition(condition as string, names, [...path, 'until'])
  names.note('`until` does not poll here: the change of what it reads runs the role again')
  const wait = {
    for: `\${${allOf(conditions)}}`,
    message: `not yet: ${[condition].flat().join(' and ')}`.replaceAll('${', () => '$${'),
    timeout,
  }
  const { when } = fields
  return { fields: { name: `Wait for: ${name ?? 'the task above'}`, ...(when === undefined ? {} : { when }), wait } }
}
