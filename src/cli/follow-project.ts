import type { Clock } from '../base/clock.ts'
import { explain } from '../base/coded-error.ts'
import type { ProjectOptions } from '../config/load-project.ts'
import type { Project, ProjectResult } from '../config/project.ts'
import { watchProject } from '../config/project-watcher.ts'
import type { Operator } from '../operator/operator.ts'
import { problemsText } from './open-project.ts'
import type { ReloadReport } from './reload-report.ts'
import type { Terminal } from './terminal.ts'

export interface FollowProjectOptions {
  readonly operator: Operator
  /** Where the project lies. */
  readonly files: ProjectOptions
  readonly terminal: Pick<Terminal, 'color' | 'stopped'>
  readonly clock: Clock
  readonly report: Pick<ReloadReport, 'used' | 'invalid' | 'refused'>
  /** Called before the operator takes a changed project over. When it rejects, the change is not used. */
  readonly beforeReload?: ((project: Project) => Promise<void>) | undefined
  readonly afterReload?: ((project: Project) => void) | undefined
  /** Told of a change that cannot be used: the last good version goes on. */
  readonly complain: (text: string) => void
}

/** Gives the operator what the files of its project become, until the terminal is stopped. */
export async function followProject(first: Project, options: FollowProjectOptions): Promise<void> {
  const { clock, terminal, files } = options
  for await (const result of watchProject({ ...files, clock, signal: terminal.stopped, after: first.hash })) {
    await take(result, options)
  }
}

async function take(result: ProjectResult, options: FollowProjectOptions): Promise<void> {
  const { operator, terminal, report, beforeReload, afterReload, complain } = options
  const { project } = result
  const tell = (problem: string): void => complain(`${problem}the change is not used; the last good version goes on\n`)
  if (!project) {
    tell(problemsText(result, terminal))
    return report.invalid(result)
  }
  try {
    await beforeReload?.(project)
  } catch (error) {
    tell(`${explain(error)}\n`)
    return report.refused(explain(error))
  }
  const reload = operator.replaceProject(project)
  if (reload.kind === 'refused') return report.refused(reload.reason)
  report.used(project)
  afterReload?.(project)
}
