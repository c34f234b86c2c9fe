import { Ledger } from '../../../engine/reconcile/ownership/ledger.ts'
import { CLUSTER_OPTIONS, withCluster } from '../cluster-options.ts'
import type { Command } from '../command.ts'
import { locateResource, namedResource } from '../located-resource.ts'
import { newLogger } from '../new-logger.ts'
import { logOptions } from '../options.ts'
import { printData } from '../print-data.ts'
import { EXIT } from '../terminal.ts'
import { printTree } from '../tree/print-tree.ts'
import { readOwned } from '../tree/read-owned.ts'
import { resourceTree } from '../tree/resource-tree.ts'

export const treeCommand: Command = {
  name: 'tree',
  summary: 'print a resource with all objects that belong to it, and which of them are not ready',
  description:
    'Reads from the cluster what the operator made for a resource, and what belongs to that in turn: ReplicaSets, Pods, Jobs, claims, ' +
    'and the objects of resources that a role made. Prints them as a tree: whether each is ready, and why not. The operator is not ' +
    'asked: its ledger says which kinds its roles have made. Where the ledger cannot be read, objects of all kinds are looked through. ' +
    'Nothing is written, and no value of a Secret is read.',
  arguments: '<kind> [name]',
  options: [
    ...CLUSTER_OPTIONS,
    {
      flags: '-o, --output <format>',
      description: 'text for people, json or yaml',
      default: 'text',
      choices: ['text', 'json', 'yaml'],
    },
    ...logOptions('error'),
  ],
  examples: ['rolebook tree memcached sample', 'rolebook tree memcached/sample -n team-a -o json'],
  async run(invocation) {
    const { terminal, given } = invocation
    const named = namedResource(invocation)
    const logger = newLogger(invocation, (line) => terminal.err(line))
    const { tree, unread } = await withCluster(invocation, { logger, command: 'tree' }, async (connection) => {
      const { client, mapper } = connection
      const { operatorNamespace, read } = await locateResource(named, invocation, connection)
      const resource = await read()
      const ledger = new Ledger(client, operatorNamespace)
      const owned = await readOwned(resource, { client, mapper, ledger, signal: terminal.stopped })
      return { tree: resourceTree(resource, owned), unread: owned.unread }
    })
    for (const one of unread) terminal.err(`cannot read ${one}\n`)
    const output = given('output')
    terminal.out(output === 'text' ? printTree(tree, { color: terminal.color }) : printData(tree, output))
    return EXIT.ok
  },
}
