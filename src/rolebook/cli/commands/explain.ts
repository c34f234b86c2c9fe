import { existsSync } from 'node:fs'
import type { Logger } from '../../../core/base/logger.ts'
import type { GroupKind } from '../../../core/kube/group-version-kind.ts'
import type { ObjectKey } from '../../../core/kube/object.ts'
import type { Connection } from '../../../core/kube-client/connect.ts'
import type { ResourceHistory } from '../../../engine/operator/run-history.ts'
import { CLUSTER_OPTIONS, withCluster } from '../cluster-options.ts'
import { type Command, type Invocation, UsageError } from '../command.ts'
import { type FoundShard, findShard, printShard } from '../explain/find-shard.ts'
import { printHistory } from '../explain/print-history.ts'
import { OPERATOR_NAME_OPTION, rememberedRuns } from '../explain/remembered-runs.ts'
import { locateResource, namedResource } from '../located-resource.ts'
import { newLogger } from '../new-logger.ts'
import { openProject, projectOptions } from '../open-project.ts'
import { LOG_OPTIONS, PROJECT_OPTIONS } from '../options.ts'
import { printData } from '../print-data.ts'
import { EXIT } from '../terminal.ts'
import { COUNT } from '../value-kind.ts'
import { lostRoles } from '../what-if/lost-roles.ts'
import { whatIf } from '../what-if/what-if.ts'

export const explainCommand: Command = {
  name: 'explain',
  summary: 'print what the last runs for a resource did, and why',
  description:
    'Asks the operator what its last runs for a resource did: what triggered each of them, what every task came to and why, which ' +
    'fields changed, by which expression, and who had changed what was put back. The operator is reached through the API ' +
    'server, as its Service for metrics; that of a sandbox, and a `rolebook run` in the same folder, directly. Where none ' +
    'answers, or with --fresh, the roles of the folder are run once, and nothing is written. Values of Secrets are never shown.',
  arguments: '<kind> [name]',
  options: [
    ...CLUSTER_OPTIONS,
    OPERATOR_NAME_OPTION,
    { flags: '--runs <count>', description: 'how many runs are printed, at most 20', default: '5', kind: COUNT },
    { flags: '--fresh', description: 'ask no operator: run the roles of the folder, without writing anything' },
    {
      flags: '-o, --output <format>',
      description: 'text for people, json or yaml',
      default: 'text',
      choices: ['text', 'json', 'yaml'],
    },
    ...PROJECT_OPTIONS,
    ...LOG_OPTIONS.map((option) => (option.flags.startsWith('--log-level') ? { ...option, default: 'error' } : option)),
  ],
  examples: [
    'rolebook explain memcached sample',
    'rolebook explain memcached/sample -n team-a --runs 20',
    'rolebook explain memcached sample --fresh --roles-path ./roles',
  ],
  async run(invocation) {
    const { terminal, given } = invocation
    const named = namedResource(invocation)
    const logger = newLogger(invocation, (line) => terminal.err(line))
    const explained = await withCluster(invocation, { logger, command: 'explain', deadline: 10_000 }, (connection) =>
      historyOf(named, { invocation, connection, logger }),
    )
    if (!explained) return EXIT.usage
    const { shard, ...history } = explained
    const output = given('output')
    const runs = Number(given('runs'))
    if (output === 'text' && shard) terminal.out(printShard(shard))
    if (output === 'text') terminal.out(printHistory(history, { color: terminal.color, runs }))
    else
      terminal.out(
        printData({ ...(shard && { shard: { ...shard } }), ...history, runs: history.runs.slice(0, runs) }, output),
      )
    return EXIT.ok
  },
}

interface Asking {
  readonly invocation: Invocation
  readonly connection: Connection
  readonly logger: Logger
}

async function historyOf(
  named: { readonly kind: string; readonly name: string },
  asking: Asking,
): Promise<(ResourceHistory & { readonly shard?: FoundShard | undefined }) | undefined> {
  const { invocation, connection } = asking
  const { terminal, flag, given } = invocation
  const located = await locateResource(named, invocation, connection)
  const { kind, key, operatorNamespace } = located
  if (flag('fresh')) await located.read()
  else {
    const asked = await rememberedRuns(located, invocation, connection)
    const lease = { namespace: operatorNamespace, name: given('operator-name') }
    if ('history' in asked)
      return { ...asked.history, shard: await findShard(key, { client: connection.client, lease }) }
    terminal.err(`no operator answers (${asked.problem}): this is what the roles of the folder would do now\n`)
  }
  return freshHistory(kind, key, { ...asking, operatorNamespace })
}

/** `undefined` after it was said what is wrong with the folder. */
async function freshHistory(
  kind: GroupKind,
  { namespace, name }: ObjectKey,
  { invocation, connection, logger, operatorNamespace }: Asking & { readonly operatorNamespace: string },
): Promise<ResourceHistory | undefined> {
  const { terminal, given } = invocation
  if (!existsSync(given('watches-file')))
    throw new UsageError(`there are no roles: ${given('watches-file')} is missing`)
  const project = await openProject({ ...projectOptions(invocation), namespaces: undefined }, terminal)
  if (!project) return undefined
  const only = { kind, name, namespace: namespace === '' ? undefined : namespace }
  const options = { connection, logger, operatorNamespace, only, signal: terminal.stopped }
  const { resources } = await whatIf(project, options)
  const [resource] = resources
  if (!resource) {
    const [lost] = await lostRoles(project, options)
    const why = lost ? `: ${lost.by} took its role away, and what was made for it is left (put the entry back)` : ''
    throw new UsageError(`no entry of ${given('watches-file')} looks after ${kind.kind} ${name}${why}`)
  }
  return { runs: resource.traces.toReversed(), skipped: 0 }
}
