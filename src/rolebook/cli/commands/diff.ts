import { keyOf } from '../../../core/kube/object.ts'
import type { Loss } from '../../../engine/operator/without-role/resources-without-role.ts'
import { CLUSTER_OPTIONS, ownNamespace, withCluster } from '../cluster-options.ts'
import type { Command, Invocation } from '../command.ts'
import { printDiff } from '../diff/print-diff.ts'
import { diffOf, type ResourceDiff } from '../diff/resource-diff.ts'
import { findKind, splitResource } from '../kind-argument.ts'
import { newLogger } from '../new-logger.ts'
import { openProject, projectOptions } from '../open-project.ts'
import { findOperatorNamespace } from '../operator-namespace.ts'
import { logOptions, PROJECT_OPTIONS } from '../options.ts'
import { printData } from '../print-data.ts'
import { EXIT, type ExitCode } from '../terminal.ts'
import { lostRoles } from '../what-if/lost-roles.ts'
import { type WhatIfResult, whatIf } from '../what-if/what-if.ts'

const LONGEST = 120

export const diffCommand: Command = {
  name: 'diff',
  summary: 'print what the roles of a folder would change in a cluster',
  description:
    'Runs the roles of a folder for the resources that are in a cluster, and prints for each what would be created, changed and ' +
    'removed, field by field; then the resources that watches.yaml would leave without a role. Nothing is written: the API server is asked what it would do (dry run), and later tasks see what ' +
    'earlier ones would have made. What lies behind a wait for something that would have to happen first is not known. ' +
    'Values of Secrets are never shown. Exit code 3 when there are differences, 1 when a role fails.',
  arguments: '[kind] [name]',
  options: [
    ...PROJECT_OPTIONS,
    ...CLUSTER_OPTIONS,
    {
      flags: '-o, --output <format>',
      description: 'text for people, json or yaml',
      default: 'text',
      choices: ['text', 'json', 'yaml'],
    },
    ...logOptions('error'),
  ],
  examples: ['rolebook diff', 'rolebook diff memcached', 'rolebook diff memcached/sample -n team-a -o json'],
  async run(invocation) {
    const { terminal, files, text, given } = invocation
    const { kind, name } = splitResource(files)
    const project = await openProject({ ...projectOptions(invocation), namespaces: undefined }, terminal)
    if (!project) return EXIT.usage
    const logger = newLogger(invocation, (line) => terminal.err(line))
    const result = await withCluster(invocation, { logger, command: 'diff' }, async (connection) => {
      const { client, namespace: ofContext } = connection
      const operatorNamespace = await findOperatorNamespace(client, { given: text('operator-namespace'), ofContext })
      const namespace = text('namespace') ?? (name === undefined ? undefined : ownNamespace(connection))
      const found = kind === undefined ? undefined : await findKind(kind, connection, project)
      const only = { kind: found, namespace, name }
      const options = { connection, logger, operatorNamespace, only, signal: terminal.stopped }
      const tried = await whatIf(project, options)
      const lost = await lostRoles(project, options)
      if (name !== undefined && tried.resources.length + lost.length === 0) throw absent(namespace, invocation)
      return { ...tried, lost }
    })
    const isText = given('output') === 'text'
    const diffs = diffOf(result, { longest: isText ? LONGEST : Number.POSITIVE_INFINITY })
    const { lost } = result
    const data = { resources: diffs, ...(lost.length > 0 && { withoutRole: lost.map(lossData) }) }
    terminal.out(isText ? printDiff(diffs, { color: terminal.color, lost }) : printData(data, given('output')))
    return exitCodeOf(result, diffs, invocation)
  },
}

/** Where one resource is asked for and is not there, the command does not say that nothing would change. */
function absent(namespace: string | undefined, { files, given }: Invocation): Error {
  const place = `looked in the namespace ${namespace}, unless the kind is in none`
  return new Error(`there is no ${files.join('/')} that an entry of ${given('watches-file')} looks after: ${place}`)
}

function lossData({ resource, by }: Loss) {
  const { apiVersion, kind } = resource
  return { apiVersion, kind, ...keyOf(resource), by }
}

function exitCodeOf(
  { settled, lost }: WhatIfResult & { readonly lost: readonly Loss[] },
  diffs: readonly ResourceDiff[],
  { terminal }: Invocation,
): ExitCode {
  if (!settled) terminal.err('the roles change something in each pass: they do not come to an end\n')
  if (!settled || diffs.some(({ failed }) => failed)) return EXIT.failure
  return lost.length > 0 || diffs.some(({ objects }) => objects.length > 0) ? EXIT.findings : EXIT.ok
}
