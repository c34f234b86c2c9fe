import { systemClock } from '../../../core/base/clock.ts'
import { CodedError, explain } from '../../../core/base/coded-error.ts'
import type { Logger } from '../../../core/base/logger.ts'
import { type Connection, connect } from '../../../core/kube-client/connect.ts'
import type { Project } from '../../../engine/operator/project.ts'
import type { Command, Invocation } from '../command.ts'
import { installCrds } from '../install-crds.ts'
import { keepHeapSmall } from '../keep-heap-small.ts'
import { openToQuestions, recordOfRun } from '../local-operator.ts'
import { openLogAndTraces } from '../log-and-traces.ts'
import { openProject, projectOptions } from '../open-project.ts'
import { type OperateOptions, operate } from '../operate.ts'
import { userAgent } from '../program-version.ts'
import { RUN_SETTINGS, type RunSettings, runSettings } from '../run-settings.ts'
import { EXIT, type Terminal } from '../terminal.ts'

export const runCommand: Command = {
  name: 'run',
  summary: 'run the operator on a cluster',
  description:
    'Runs the operator on the cluster of a kubeconfig, or on the one that it runs in, until it is stopped. ' +
    'Changes of watches.yaml and of roles are followed; one that cannot be used leaves the last good version working.',
  options: Object.values(RUN_SETTINGS),
  examples: [
    'rolebook run',
    'rolebook run --kubeconfig ~/.kube/config --context staging --namespace team-a,team-b',
    'rolebook run --dry-run',
  ],
  async run(invocation) {
    keepHeapSmall({ growth: 75 })
    const { terminal } = invocation
    const settings = runSettings(invocation)
    const { reconcilePeriod, maxConcurrent: maxConcurrentReconciles } = settings
    const mountTable = '/proc/self/mountinfo'
    const files = { ...projectOptions(invocation), reconcilePeriod, maxConcurrentReconciles, mountTable }
    const project = await openProject(files, terminal)
    if (!project) return EXIT.usage
    const { logger, tracing } = await openLogAndTraces(invocation)
    try {
      const { kubeconfig, context, apiQps, apiBurst } = settings
      const onExchange = tracing?.spans.onExchange
      const options = { kubeconfig, context, apiQps, apiBurst, onExchange, ...common(terminal, logger) }
      const connection = await connect(options)
      const session = { invocation, settings, project, files, logger, spans: tracing?.spans }
      await runOn(connection, session).finally(() => connection.close())
      return EXIT.ok
    } catch (error) {
      if (!(error instanceof CodedError && WRONG_SETTINGS.includes(error.code))) throw error
      terminal.err(`rolebook run: ${explain(error)}\n`)
      return EXIT.usage
    } finally {
      await tracing?.close()
    }
  },
}

/** Codes of errors that no other try would mend. */
const WRONG_SETTINGS = ['InvalidKubeconfig', 'NarrowingCrd']

function common({ environment }: Terminal, logger: Logger) {
  return { environment, clock: systemClock, logger, userAgent: userAgent('run') }
}

interface Session {
  readonly invocation: Invocation
  readonly settings: RunSettings
  readonly project: Project
  readonly files: ReturnType<typeof projectOptions>
  readonly logger: Logger
  readonly spans: OperateOptions['spans']
}

async function runOn(connection: Connection, session: Session): Promise<void> {
  const { invocation, settings, project, files, logger, spans } = session
  const { terminal } = invocation
  const { installCrds: installs, dryRun, allowTeardown } = settings
  logger.info('operator starts', { server: connection.serverUrl, watches: project.watches.length, dryRun })
  const onStop = (): void => logger.info('operator stops: work under way comes to its end')
  terminal.stopped.addEventListener('abort', onStop, { once: true })
  const install = async ({ crds }: Project): Promise<void> => {
    if (!installs) return
    await installCrds(crds, { connection, clock: systemClock, logger, signal: terminal.stopped, dryRun })
  }
  try {
    await install(project)
  } catch (error) {
    if (terminal.stopped.aborted) return
    throw error
  }
  const complain = (problem: string | undefined): void => terminal.err(problem ?? '')
  const given = { connection, clock: systemClock, logger, terminal, files, settings, spans, allowTeardown, complain }
  await operate(project, { ...given, beforeReload: install, beside: besideOf(connection, session) })
  logger.info('operator has stopped')
}

/**
 * What lets `rolebook explain` ask an operator on the machine of its author. In a pod, its Service is asked. A folder that cannot be
 * written only costs the answers.
 */
function besideOf({ serverUrl }: Connection, { invocation, logger }: Session): OperateOptions['beside'] {
  const { environment } = invocation.terminal
  if (environment.KUBERNETES_SERVICE_HOST !== undefined) return undefined
  const options = { record: recordOfRun(invocation.given('watches-file')), serverUrl, clock: systemClock, logger }
  return async ({ explain: route }) => {
    try {
      return await openToQuestions(route, options)
    } catch (error) {
      logger.warn('rolebook explain cannot ask this operator', { file: options.record, reason: explain(error) })
      return undefined
    }
  }
}
