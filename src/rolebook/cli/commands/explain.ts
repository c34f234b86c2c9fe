import { existsSync } from 'node:fs'
import type { Logger } from '../../../core/base/logger.ts'
import type { GroupKind, Gvk } from '../../../core/kube/group-version-kind.ts'
import { formatKey, type KubeObject, type ObjectKey } from '../../../core/kube/object.ts'
import type { Connection } from '../../../core/kube-client/connect.ts'
import type { ResourceHistory } from '../../../engine/operator/run-history.ts'
import { CLUSTER_OPTIONS, kubeconfigOf, ownNamespace, withCluster } from '../cluster-options.ts'
import { type Command, type Invocation, UsageError } from '../command.ts'
import { askOperator } from '../explain/ask-operator.ts'
import { type FoundShard, findShard, printShard } from '../explain/find-shard.ts'
import { printHistory } from '../explain/print-history.ts'
import { findKind, splitResource } from '../kind-argument.ts'
import { localOperatorOf, recordOfRun, recordOfSandbox } from '../local-operator.ts'
import { newLogger } from '../new-logger.ts'
import { openProject, projectOptions } from '../open-project.ts'
import { findOperatorNamespace } from '../operator-namespace.ts'
import { LOG_OPTIONS, PROJECT_OPTIONS } from '../options.ts'
import { printData } from '../print-data.ts'
import { EXIT } from '../terminal.ts'
import { COUNT, OBJECT_NAME } from '../value-kind.ts'
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
    {
      flags: '--operator-name <name>',
      description: 'what the operator is called: --name of `rolebook generate`',
      default: 'rolebook',
      kind: OBJECT_NAME,
    },
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
    const { terminal, files, given } = invocation
    const { kind, name } = splitResource(files)
    if (kind === undefined || !name) throw new UsageError('a name is missing: `memcached sample` or `memcached/sample`')
    const logger = newLogger(invocation, (line) => terminal.err(line))
    const explained = await withCluster(invocation, { logger, command: 'explain', deadline: 10_000 }, (connection) =>
      historyOf({ kind, name }, { invocation, connection, logger }),
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
  { kind, name }: { readonly kind: string; readonly name: string },
  asking: Asking,
): Promise<(ResourceHistory & { readonly shard?: FoundShard | undefined }) | undefined> {
  const { invocation, connection } = asking
  const { client, mapper, namespace: ofContext } = connection
  const { terminal, text, flag, given } = invocation
  const found = await findKind(kind, connection)
  const gvk = await mapper.preferred(found)
  if (!gvk) throw new UsageError(`the server does not serve ${found.kind}.${found.group}`)
  const { namespaced } = await mapper.mappingFor(gvk)
  const key = { namespace: namespaced ? (text('namespace') ?? ownNamespace(connection)) : '', name }
  const operatorNamespace = await findOperatorNamespace(client, { given: text('operator-namespace'), ofContext })
  const read = (): Promise<KubeObject> => readResource(connection, gvk, key)
  await read()
  if (!flag('fresh')) {
    const kubeconfig = kubeconfigOf(invocation)
    const records = [
      ...(kubeconfig === undefined ? [] : [recordOfSandbox(kubeconfig)]),
      recordOfRun(given('watches-file')),
    ]
    const operatorUrl = localOperatorOf(records, connection.serverUrl)
    const asked = await askOperator(gvk, {
      connection,
      operatorUrl,
      operatorNamespace,
      operatorName: given('operator-name'),
      read,
    })
    const lease = { namespace: operatorNamespace, name: given('operator-name') }
    if ('history' in asked) return { ...asked.history, shard: await findShard(key, { client, lease }) }
    terminal.err(`no operator answers (${asked.problem}): this is what the roles of the folder would do now\n`)
  }
  return freshHistory(found, key, { ...asking, operatorNamespace })
}

async function readResource({ client }: Connection, gvk: Gvk, key: ObjectKey): Promise<KubeObject> {
  const resource = await client.get(gvk, key)
  if (!resource) throw new Error(`there is no ${gvk.kind} ${formatKey(key)}`)
  return resource
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
