import type { Project } from '../../engine/operator/project.ts'
import type { ProjectOptions } from '../config/load-project.ts'

type WatchedRole = Project['watches'][number]
type Task = WatchedRole['role']['tasks'][number]

/** What tests have seen of one task. */
interface TaskCoverage {
  readonly name: string
  readonly hasCondition: boolean
  runs: number
  whenTrue: number
  whenFalse: number
}

type Branches = NonNullable<ProjectOptions['branches']>
type Branch = Parameters<NonNullable<ReturnType<Branches>>>[0]

interface BranchCoverage extends Branch {
  /** How often each of its ways was taken. */
  readonly taken: [number, number]
}

/** Counts the tasks of each role that run, and the results of their conditions and branches. Tasks within a `block` count as its own. */
export class Coverage {
  readonly #roles = new Map<string, readonly TaskCoverage[]>()
  readonly #branches = new Map<string, Map<string, BranchCoverage>>()

  /** Takes part in the loading of the project. */
  readonly branches: Branches = (role) => {
    const known = this.#branches.get(role) ?? new Map<string, BranchCoverage>()
    this.#branches.set(role, known)
    return (branch) => {
      const id = `${branch.position} ${branch.operator} ${branch.source}`
      const coverage = known.get(id) ?? { ...branch, taken: [0, 0] }
      known.set(id, coverage)
      return (way) => {
        coverage.taken[way] += 1
      }
    }
  }

  /** The project with roles that count. */
  observe(project: Project): Project {
    return { ...project, watches: project.watches.map((entry) => this.#observeRole(entry)) }
  }

  /** A few lines for each role, in order. */
  print(): string {
    const roles = [...this.#roles].sort(([left], [right]) => (left < right ? -1 : 1))
    return `${roles
      .flatMap(([name, tasks]) => [
        ...printRole(name, tasks),
        ...[...(this.#branches.get(name)?.values() ?? [])].flatMap(printBranch),
      ])
      .join('\n')}\n`
  }

  #observeRole({ watch, role }: WatchedRole): WatchedRole {
    // A role of two entries has the same tasks in both.
    const { tasks, finalize = [] } = role
    const known = this.#roles.get(role.name) ?? [...tasks, ...finalize].map(newCoverage)
    this.#roles.set(role.name, known)
    const observed = [...tasks, ...finalize].map((task, index) => observeTask(task, known[index] as TaskCoverage))
    const lists = { tasks: observed.slice(0, tasks.length), finalize: role.finalize && observed.slice(tasks.length) }
    return { watch, role: { ...role, ...lists } }
  }
}

function newCoverage({ name, modifiers }: Task): TaskCoverage {
  return { name, hasCondition: modifiers.when !== undefined, runs: 0, whenTrue: 0, whenFalse: 0 }
}

function observeTask(task: Task, coverage: TaskCoverage): Task {
  const { kind, modifiers } = task
  const { when } = modifiers
  const run: typeof kind.run = (body, context) => {
    coverage.runs += 1
    return kind.run(body, context)
  }
  const evaluate = (bindings: Parameters<NonNullable<typeof when>['evaluate']>[0]) => {
    const answer = when?.evaluate(bindings)
    if (answer === true) coverage.whenTrue += 1
    else coverage.whenFalse += 1
    return answer
  }
  return { ...task, kind: { ...kind, run }, modifiers: { ...modifiers, ...(when && { when: { ...when, evaluate } }) } }
}

function printRole(name: string, tasks: readonly TaskCoverage[]): readonly string[] {
  const run = tasks.filter(({ runs }) => runs > 0).length
  return [`coverage of ${name}: ${run} of ${tasks.length} tasks run`, ...tasks.flatMap(printTask)]
}

function printTask({ name, hasCondition, runs, whenTrue, whenFalse }: TaskCoverage): readonly string[] {
  if (runs === 0 && whenFalse === 0) return [`  never reached: ${name}`]
  if (!hasCondition) return []
  const missing = [...(whenTrue === 0 ? ['true'] : []), ...(whenFalse === 0 ? ['false'] : [])]
  return [
    ...(runs === 0 ? [`  always skipped: ${name}`] : []),
    ...missing.map((value) => `  \`when\` never ${value}: ${name}`),
  ]
}

/** What a branch does that goes the one way or the other. */
const WAYS: Readonly<Record<Branch['operator'], readonly [string, string]>> = {
  '?:': ['true', 'false'],
  '??': ['left, with a value on that side', 'right, without a value on the left'],
  and: ['decided by its left side', 'decided by its right side'],
  or: ['decided by its left side', 'decided by its right side'],
}

function printBranch({ operator, source, taken }: BranchCoverage): readonly string[] {
  const text = source.trim().replace(/\s+/g, ' ')
  return WAYS[operator].flatMap((way, index) => (taken[index] === 0 ? [`  \`${operator}\` never ${way}: ${text}`] : []))
}
