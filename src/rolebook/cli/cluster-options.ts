import { systemClock } from '../../core/base/clock.ts'
import { explain } from '../../core/base/coded-error.ts'
import type { Logger } from '../../core/base/logger.ts'
import { type Connection, connect } from '../../core/kube-client/connect.ts'
import { type CommandOption, type Invocation, UsageError } from './command.ts'
import { isSandboxOf, SANDBOX_KUBECONFIG } from './local-operator.ts'
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
  {
    ...KUBECONFIG_OPTION,
    description: 'the kubeconfig (that of a sandbox that runs in this folder, else the one kubectl uses)',
  },
  CONTEXT_OPTION,
  {
    flags: '--operator-namespace <name>',
    description: 'where the operator is installed (where its ledger is found)',
    kind: NAMESPACE,
  },
]

/** The file that is used, when it is one: what `--kubeconfig` or `KUBECONFIG` names, else that of a sandbox that runs here. */
export function kubeconfigOf(
  { terminal, text }: Pick<Invocation, 'terminal' | 'text'>,
  isSandbox = isSandboxOf,
): string | undefined {
  const given = text('kubeconfig') ?? terminal.environment.KUBECONFIG
  return given ?? (isSandbox(SANDBOX_KUBECONFIG) ? SANDBOX_KUBECONFIG : undefined)
}

/** Where a person means to be who says nothing else. */
export function ownNamespace({ namespace = 'default' }: Pick<Connection, 'namespace'>): string {
  return namespace
}

/** A connection for `work`, which ends with it. @throws UsageError when the kubeconfig cannot be used */
export async function withCluster<Result>(
  invocation: Invocation,
  { logger, command, deadline }: { readonly logger: Logger; readonly command: string; readonly deadline?: number },
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const kubeconfig = kubeconfigOf(invocation)
  const context = invocation.text('context')
  const connection = await openConnection({
    kubeconfig,
    context,
    clock: systemClock,
    logger,
    userAgent: userAgent(command),
    deadline,
  })
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

/** Nothing is sent yet, so each failure comes from the kubeconfig. @throws UsageError */
export async function openConnection(options: Parameters<typeof connect>[0]): Promise<Connection> {
  try {
    return await connect(options)
  } catch (error) {
    throw new UsageError(explain(error))
  }
}
