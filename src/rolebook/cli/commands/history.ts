import { CLUSTER_OPTIONS, withCluster } from '../cluster-options.ts'
import type { Command } from '../command.ts'
import { listedRuns, printRuns } from '../explain/list-runs.ts'
import { OPERATOR_NAME_OPTION, rememberedRuns } from '../explain/remembered-runs.ts'
import { locateResource, namedResource } from '../located-resource.ts'
import { newLogger } from '../new-logger.ts'
import { logOptions, WATCHES_FILE_OPTION } from '../options.ts'
import { printData } from '../print-data.ts'
import { EXIT } from '../terminal.ts'
import { COUNT } from '../value-kind.ts'

export const historyCommand: Command = {
  name: 'history',
  summary: 'list the last runs for a resource: what triggered each, and what it changed',
  description:
    'Asks the operator for the runs that it remembers of a resource, at most 20, and lists them, the latest last: when a run began ' +
    'and how it ended, what triggered it, which objects and fields it changed, and who had changed what it put back. Skipped runs are left out. ' +
    'The operator is reached as by `rolebook explain`, which tells more of each run: every task, the values, and the expressions that gave them.',
  arguments: '<kind> [name]',
  options: [
    ...CLUSTER_OPTIONS,
    OPERATOR_NAME_OPTION,
    { flags: '--runs <count>', description: 'how many runs are listed, at most 20', default: '20', kind: COUNT },
    {
      flags: '-o, --output <format>',
      description: 'text for people, json or yaml',
      default: 'text',
      choices: ['text', 'json', 'yaml'],
    },
    WATCHES_FILE_OPTION,
    ...logOptions('error'),
  ],
  examples: ['rolebook history memcached sample', 'rolebook history memcached/sample -n team-a -o json'],
  async run(invocation) {
    const { terminal, given } = invocation
    const named = namedResource(invocation)
    const logger = newLogger(invocation, (line) => terminal.err(line))
    const asked = await withCluster(invocation, { logger, command: 'history', deadline: 10_000 }, async (connection) =>
      rememberedRuns(await locateResource(named, invocation, connection), invocation, connection),
    )
    if (!('history' in asked)) {
      const remedy = '`rolebook explain --fresh` shows what the roles of the folder would do now'
      throw new Error(`cannot list the runs: no operator answers (${asked.problem}); ${remedy}`)
    }
    const [output, runs] = [given('output'), Number(given('runs'))]
    const { history } = asked
    if (output === 'text') terminal.out(printRuns(history, { color: terminal.color, runs }))
    else terminal.out(printData({ runs: listedRuns(history).slice(0, runs) }, output))
    return EXIT.ok
  },
}
