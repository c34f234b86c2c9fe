import { backoffDelay } from '../../core/base/backoff.ts'
import type { Clock } from '../../core/base/clock.ts'
import { explain } from '../../core/base/coded-error.ts'
import { once } from '../../core/base/once.ts'
import { isForbidden, isTransient } from '../../core/kube/api-error.ts'
import { isError } from '../../core/yaml/diagnostic.ts'
import type { Operator } from '../../engine/operator/operator.ts'
import type { Project } from '../../engine/operator/project.ts'
import type { ProjectOptions, ProjectResult } from '../config/load-project.ts'
import { watchProject } from '../config/project-watcher.ts'
import { problemsText } from './open-project.ts'
import type { ReloadReport } from './reload-report.ts'
import type { Terminal } from './terminal.ts'

export interface FollowProjectOptions {
  readonly operator: Operator
  /** Where the project lies. */
  readonly files: ProjectOptions
  readonly terminal: Pick<Terminal, 'color' | 'stopped'>
  readonly clock: Clock
  readonly report: Pick<ReloadReport, 'used' | 'invalid' | 'refused' | 'delayed'>
  /**
   * Called before the operator takes a changed project over. When it rejects, the change is not used; with an answer of the API
   * server that may be another one later, also for rights that are granted later, it is called again.
   */
  readonly beforeReload?: ((project: Project) => Promise<void>) | undefined
  readonly afterReload?: ((project: Project) => void) | undefined
  /** Called with what is wrong with a change, while the last good version goes on; with `undefined` when a change is used. */
  readonly complain: (problem: string | undefined) => void
}

/** Gives the operator what the files of its project become, until the terminal is stopped. */
export async function followProject(first: Project, options: FollowProjectOptions): Promise<void> {
  const { clock, terminal, files } = options
  const results = watchProject({ ...files, clock, signal: terminal.stopped, after: first.hash })
  for (let next = await results.next(); !next.done; ) {
    const further = once(() => results.next())
    await take(next.value, options, further)
    next = await further()
  }
}

/** `further` resolves when the files have changed once more, or the terminal is stopped. */
async function take(
  result: ProjectResult,
  options: FollowProjectOptions,
  further: () => Promise<unknown>,
): Promise<void> {
  const { operator, terminal, report, afterReload, complain } = options
  const { project } = result
  const complainOf = (problem: string): void =>
    complain(`${problem}the change is not used; the last good version goes on\n`)
  if (!project) {
    complainOf(problemsText({ diagnostics: errorsFirst(result.diagnostics) }, terminal))
    return report.invalid(result)
  }
  try {
    if (!(await prepare(project, options, further))) return
  } catch (error) {
    complainOf(`${explain(error)}\n`)
    return report.refused(explain(error))
  }
  const reload = operator.replaceProject(project)
  if (reload.kind === 'refused') {
    complainOf(`${reload.reason}\n`)
    return report.refused(reload.reason)
  }
  complain(undefined)
  report.used(project)
  afterReload?.(project)
}

function errorsFirst(diagnostics: ProjectResult['diagnostics']): ProjectResult['diagnostics'] {
  return diagnostics.toSorted((left, right) => Number(isError(right)) - Number(isError(left)))
}

/** Between tries of what comes before a reload. */
const RETRY = { base: 1_000, max: 60_000 }

/**
 * Does what comes before a reload, again and again while nothing but the API server is in the way, which is logged once. False:
 * the files have changed meanwhile, or the terminal is stopped.
 *
 * @throws what is wrong with the project
 */
async function prepare(
  project: Project,
  { beforeReload, clock, terminal, report, complain }: FollowProjectOptions,
  further: () => Promise<unknown>,
): Promise<boolean> {
  const outdated = new AbortController()
  for (let attempt = 0; !outdated.signal.aborted; attempt++) {
    try {
      await beforeReload?.(project)
      return true
    } catch (error) {
      if (terminal.stopped.aborted) return false
      if (!isTransient(error) && !isForbidden(error)) throw error
      if (attempt === 0) {
        complain(`${explain(error)}\nthe change is tried again; until it can be used, the last good version goes on\n`)
        report.delayed(explain(error))
        const giveUp = (): void => outdated.abort()
        void further().then(giveUp, giveUp)
      }
    }
    await clock.sleep(backoffDelay(attempt, RETRY), outdated.signal)
  }
  return false
}
