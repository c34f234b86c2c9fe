import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/logger.ts'
import type { ProjectOptions } from '../config/load-project.ts'
import type { Project } from '../config/project.ts'
import { watchProject } from '../config/project-watcher.ts'
import type { Connection } from '../kube-client/connect.ts'
import { Operator } from '../operator/operator.ts'
import type { RunListener } from '../reconcile/run-report.ts'
import { Metrics } from '../runtime/metrics.ts'
import { type AdminSettings, openAdminServers } from './admin-servers.ts'
import { problemsText } from './open-project.ts'
import { programVersion } from './program-version.ts'
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
  /** Where it is to be seen. Defaults to nowhere. */
  readonly seen?: AdminSettings | undefined
  /** Told of a change that cannot be used: the last good version goes on. */
  readonly complain: (text: string) => void
}

/** Runs the operator on a project until the terminal is stopped, and follows the project's files. */
export async function operate(project: Project, options: OperateOptions): Promise<void> {
  const { connection, clock, logger, terminal, onRun, allowTeardown } = options
  const { client, mapper, openApi } = connection
  const namespace = terminal.environment.POD_NAMESPACE ?? connection.namespace ?? 'default'
  const ports = { client, mapper, openApi, clock, logger }
  const { seen = NOWHERE } = options
  const metrics = new Metrics({ version: programVersion(), ofProcess: seen.metricsAddress !== 'off' })
  const operator = new Operator({ ...ports, project, namespace, onRun, allowTeardown, metrics })
  const servers = await openAdminServers({ ...ports, settings: seen, operator, metrics })
  const serving = new AbortController()
  const served = Promise.all(servers.map((server) => server.start(serving.signal)))
  try {
    await Promise.all([operator.start(terminal.stopped), followFiles(operator, project, { ...options, metrics })])
  } finally {
    // To the last, one can see how it ends.
    serving.abort()
    await served
  }
}

const NOWHERE: AdminSettings = { metricsAddress: 'off', metricsSecure: true, probeAddress: 'off' }

async function followFiles(
  operator: Operator,
  first: Project,
  options: OperateOptions & { readonly metrics: Metrics },
): Promise<void> {
  const { clock, logger, terminal, files, beforeReload, complain, metrics } = options
  const changes = watchProject({ ...files, clock, signal: terminal.stopped, after: first.hash })
  for await (const result of changes) {
    if (!result.project) {
      complain(`${problemsText(result, terminal)}the change is not used; the last good version goes on\n`)
      metrics.reloaded('invalid')
      continue
    }
    await beforeReload?.(result.project)
    const { kind } = operator.replaceProject(result.project)
    metrics.reloaded(kind === 'replaced' ? 'used' : 'refused')
    if (kind === 'replaced') logger.info('project reloaded', { watches: result.project.watches.length })
  }
}
