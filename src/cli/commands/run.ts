import { systemClock } from '../../base/clock.ts'
import { CodedError, explain } from '../../base/coded-error.ts'
import { connect } from '../../kube-client/connect.ts'
import type { Command } from '../command.ts'
import { newLogger } from '../new-logger.ts'
import { openProject, projectOptions } from '../open-project.ts'
import { operate } from '../operate.ts'
import { userAgent } from '../program-version.ts'
import { RUN_SETTINGS, runSettings } from '../run-settings.ts'
import { EXIT } from '../terminal.ts'

export const runCommand: Command = {
  name: 'run',
  summary: 'run the operator on a cluster',
  description:
    'Runs the operator on the cluster of a kubeconfig, or on the one that it runs in, until it is stopped. ' +
    'Changes of watches.yaml and of roles are followed; one that cannot be used leaves the last good version working.',
  options: Object.values(RUN_SETTINGS),
  examples: ['rolebook run', 'rolebook run --kubeconfig ~/.kube/config --context staging --namespace team-a,team-b'],
  async run(invocation) {
    const { terminal } = invocation
    const settings = runSettings(invocation)
    const { kubeconfig, context, allowTeardown, reconcilePeriod } = settings
    const byDefault = { reconcilePeriod, maxConcurrentReconciles: settings.maxConcurrent }
    const files = { ...projectOptions(invocation), ...byDefault }
    const project = await openProject(files, terminal)
    if (!project) return EXIT.usage
    const clock = systemClock
    const logger = newLogger(invocation, (text) => terminal.err(text))
    try {
      const connection = await connect({ kubeconfig, context, clock, logger, userAgent: userAgent('run') })
      logger.info('operator starts', { server: connection.serverUrl, watches: project.watches.length })
      await operate(project, {
        connection,
        clock,
        logger,
        terminal,
        files,
        allowTeardown,
        seen: settings,
        complain: (text) => terminal.err(text),
      })
      await connection.close()
      return EXIT.ok
    } catch (error) {
      if (!(error instanceof CodedError && error.code === 'InvalidKubeconfig')) throw error
      terminal.err(`rolebook run: ${explain(error)}\n`)
      return EXIT.usage
    }
  },
}
