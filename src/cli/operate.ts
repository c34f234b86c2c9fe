import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/logger.ts'
import type { ProjectOptions } from '../config/load-project.ts'
import type { Project } from '../config/project.ts'
import { watchProject } from '../config/project-watcher.ts'
import type { Connection } from '../kube-client/connect.ts'
import { Operator } from '../operator/operator.ts'
import type { RunListener } from '../reconcile/run-report.ts'
import { problemsText } from './open-project.ts'
import type { Terminal } from './terminal.ts'

export interface OperateOptions {
  readonly connection: Connection
  readonly clock: Clock
  readonly logger: Logger
  readonly terminal: Pick<Terminal, 'color' | 'environment' | 'stopped'>
  /** Where the project lies: its files are followed. */
  readonly files: ProjectOptions
  readonly onRun?: RunListener | undefined
  /** Called before the operator takes a changed project over. */
  readonly beforeReload?: ((project: Project) => Promise<void>) | undefined
  /** Whether a change may tear down what exists, because a selector got narrower. */
  readonly allowTeardown: boolean
  /** Told of a change that cannot be used: the last good version goes on. */
  readonly complain: (text: string) => void
}

/** Runs the operator on a project until the terminal is stopped, and follows the project's files. */
export async function operate(project: Project, options: OperateOptions): Promise<void> {
  const { connection, clock, logger, terminal, onRun, allowTeardown } = options
  const { client, mapper, openApi } = connection
  const namespace = terminal.environment.POD_NAMESPACE ?? connection.namespace ?? 'default'
  const ports = { client, mapper, openApi, clock, logger }
  const operator = new Operator({ ...ports, project, namespace, onRun, allowTeardown })
  await Promise.all([operator.start(terminal.stopped), followFiles(operator, project, options)])
}

async function followFiles(operator: Operator, first: Project, options: OperateOptions): Promise<void> {
  const { clock, logger, terminal, files, beforeReload, complain } = options
  const changes = watchProject({ ...files, clock, signal: terminal.stopped, after: first.hash })
  for await (const result of changes) {
    if (!result.project) {
      complain(`${problemsText(result, terminal)}the change is not used; the last good version goes on\n`)
      continue
    }
    await beforeReload?.(result.project)
    const { kind } = operator.replaceProject(result.project)
    if (kind === 'replaced') logger.info('project reloaded', { watches: result.project.watches.length })
  }
}
