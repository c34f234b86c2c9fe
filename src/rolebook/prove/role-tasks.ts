import type { Role, Task } from '../../engine/role/role.ts'

/** Every task of a role, those within others included. */
export function tasksOf({ tasks, finalize }: Pick<Role, 'tasks' | 'finalize'>): readonly Task[] {
  return [...tasks, ...(finalize ?? [])].flatMap(withInner)
}

function withInner(task: Task): readonly Task[] {
  return [task, ...task.lists.flatMap(({ tasks }) => tasks.flatMap(withInner))]
}

/** What Helm says of values that the schema of a chart does not let pass. */
const OF_VALUES_SCHEMA = "values don't meet the specifications of the schema"

/** Whether a condition says that the role itself refuses what it is given: by `assert`, by `fail`, or by the schema of a chart's values. */
export function isRefusal(message: string, role: Role): boolean {
  if (message.includes(OF_VALUES_SCHEMA)) return true
  const refusing = tasksOf(role).filter(({ kind }) => kind.refuses === true)
  return refusing.some(({ name }) => message.includes(`task "${name}`))
}

/** Names of tasks whose objects others may edit for good. */
export function lenientTasks(role: Role): ReadonlySet<string> {
  const lenient = tasksOf(role).filter(
    ({ modifiers: { drift, handOver } }) => drift === 'once' || handOver !== undefined,
  )
  return new Set(lenient.map(({ name }) => name))
}

/** Whether a role has values made up: each life has other ones. */
export function generates(role: Role): boolean {
  return tasksOf(role).some(({ modifiers: { generate } }) => generate.length > 0)
}
