import { type JsonPath, printPath } from '../../../core/base/json.ts'
import { allOf } from '../cel/translation.ts'
import type { NewTask } from '../new-task.ts'
import type { KroNames } from './kro-names.ts'
import type { KroResource } from './kro-resource.ts'
import type { ResourceTasks } from './resource-tasks.ts'
import { escaped } from './template-value.ts'

/** Ids of resources that one needs, by its id. */
export type Dependencies = ReadonlyMap<string, ReadonlySet<string>>

/**
 * An order in which each id comes after those that it needs; of several that could come next, one that holds up nothing, then the
 * first. Those in a circle come last.
 */
export function orderedIds(needs: Dependencies, holdsUp: (id: string) => boolean): readonly string[] {
  const left = new Map(needs)
  const order: string[] = []
  while (left.size > 0) {
    const isFree = ([id, ids]: readonly [string, ReadonlySet<string>]): boolean =>
      [...ids].every((other) => other === id || !left.has(other))
    const free = [...left].filter(isFree).map(([id]) => id)
    const next = free.find((id) => !holdsUp(id)) ?? free[0]
    if (next === undefined) return [...order, ...left.keys()]
    order.push(next)
    left.delete(next)
  }
  return order
}

export interface ArrangeOptions {
  readonly needs: Dependencies
  readonly names: KroNames
  /** Ids that others, or the status, read. */
  readonly read: ReadonlySet<string>
}

/** The tasks of all resources in an order in which each finds what it needs. */
export function arrangeTasks(
  resources: ReadonlyMap<string, ResourceTasks>,
  options: ArrangeOptions,
): readonly NewTask[] {
  const { needs } = options
  const isNeeded = (id: string): boolean => [...needs].some(([other, ids]) => other !== id && ids.has(id))
  const waits = (id: string): boolean => {
    const found = resources.get(id)
    if (!found || found.isLost) return true
    return (
      found.needs.length > 0 || found.leftOut.length > 0 || (isNeeded(id) && found.task.fields.readyWhen !== undefined)
    )
  }
  return orderedIds(needs, waits).flatMap((id) => {
    const found = resources.get(id)
    return found ? tasksOf(found, { ...options, isNeeded: isNeeded(id), when: whenOf(id, resources, needs) }) : []
  })
}

/** One that is left out takes with it what needs it. */
function whenOf(id: string, resources: ReadonlyMap<string, ResourceTasks>, needs: Dependencies): readonly string[] {
  const seen = new Set<string>()
  const conditions = new Set<string>()
  const visit = (one: string): void => {
    if (seen.has(one)) return
    seen.add(one)
    for (const other of needs.get(one) ?? []) visit(other)
    for (const condition of resources.get(one)?.when ?? []) conditions.add(condition)
  }
  visit(id)
  return [...conditions]
}

interface TaskOptions extends ArrangeOptions {
  readonly isNeeded: boolean
  readonly when: readonly string[]
}

function tasksOf(found: ResourceTasks, { names, read, isNeeded, when }: TaskOptions): readonly NewTask[] {
  const { resource, task, leftOut, needs, isLost } = found
  if (isLost) return [task]
  const { id } = resource
  const { name, ...fields } = task.fields
  const condition = when.length === 0 ? {} : { when: `\${${allOf(when)}}` }
  const register = read.has(id) ? { register: names.variableOf(id) } : {}
  const waitReady = isNeeded && fields.readyWhen !== undefined ? { waitReady: true } : {}
  const { loop, loopVar } = fields
  const looped =
    loop !== undefined && needs.some((need) => need.includes(`$${String(loopVar)}`)) ? { loop, loopVar } : {}
  const decided = leftOut.map(
    ({ error, path }): NewTask => ({
      comments: [`Decide: ${error.message}${error.hint === undefined ? '' : ` (${error.hint})`}.`],
      fields: {
        name: `Decide: ${id}: ${printPath(withinResource(path, resource))}`.slice(0, 180),
        ...condition,
        fail: { message: `${id} is not whole: ${escaped(error.message)}` },
      },
    }),
  )
  const waiting: NewTask = {
    fields: {
      name: `What ${id} needs`,
      ...condition,
      ...looped,
      wait: { for: `\${${allOf(needs)}}`, message: `${id} needs ${needs.map(inWords).join(', ')}` },
    },
  }
  const whole = { fields: { name, ...condition, ...fields, ...register, ...waitReady } }
  return [...decided, ...(needs.length > 0 ? [waiting] : []), whole]
}

/** Of a field of the template, where it stands in the object. */
function withinResource(path: JsonPath, { path: outer }: KroResource): JsonPath {
  const inner = path.slice(outer.length)
  return inner[0] === 'template' ? inner.slice(1) : inner
}

/** `$exists($db.status.endpoint)` as `status.endpoint of db`. */
function inWords(need: string): string {
  const [, name, path] = /^\$exists\(\$(\w+)\.(.*)\)$/.exec(need) ?? []
  return path === undefined ? 'what it reads' : `${path} of ${name}`
}
