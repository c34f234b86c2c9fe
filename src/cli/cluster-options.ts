import { systemClock } from '../base/clock.ts'
import { CodedError, explain } from '../base/coded-error.ts'
import type { Logger } from '../base/logger.ts'
import { type Connection, connect } from '../kube-client/connect.ts'
import { type CommandOption, type Invocation, UsageError } from './command.ts'
import { CONTEXT_OPTION, KUBECONFIG_OPTION } from './options.ts'
import { userAgent } from './program-version.ts'
import { NAMESPACE } from './value-kind.ts'

/** Flags of commands that look at a cluster. */
export const CLUSTER_OPTIONS: readonly CommandOption[] = [
  {
    flags: '-n, --namespace <name>',
    description: 'the namespace of the resource (every one, or that of the context when a name is given)',
    kind: NAMESPACE,
  },
  KUBECONFIG_OPTION,
  CONTEXT_OPTION,
  {
    flags: '--operator-namespace <name>',
    description: 'where the operator is installed (where its ledger is found)',
    kind: NAMESPACE,
  },
]

/** A connection for `work`, which ends with it. @throws UsageError when the kubeconfig cannot be used */
export async function withCluster<Result>(
  { text }: Invocation,
  { logger, command }: { readonly logger: Logger; readonly command: string },
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const [kubeconfig, context] = [text('kubeconfig'), text('context')]
  const connection = await open({ kubeconfig, context, clock: systemClock, logger, userAgent: userAgent(command) })
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

async function open(options: Parameters<typeof connect>[0]): Promise<Connection> {
  try {
    return await connect(options)
  } catch (error) {
    if (!(error instanceof CodedError && error.code === 'InvalidKubeconfig')) throw error
    throw new UsageError(explain(error))
  }
}
