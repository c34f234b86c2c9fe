import { systemClock } from '../../core/base/clock.ts'
import { nopLogger } from '../../core/base/logger.ts'
import { openConnection } from './cluster-options.ts'
import { type Invocation, UsageError } from './command.ts'
import type { TestedCluster } from './role-tests.ts'
import type { Terminal } from './terminal.ts'
import { TIMEOUT } from './value-kind.ts'

/** Flags that mean nothing to tests on a sandbox. */
const CLUSTER_FLAGS = ['kubeconfig', 'context', 'timeout'] as const
/** Milliseconds for which a step waits by default. */
const DEFAULT_TIMEOUT = 60_000

/**
 * The cluster on which tests are to run: `undefined` for a sandbox, `refused` when the person at the terminal says no.
 *
 * @throws UsageError when the flags do not go together, or no person has agreed
 */
export async function testedCluster(invocation: Invocation): Promise<TestedCluster | 'refused' | undefined> {
  const { terminal, text, flag } = invocation
  if (!flag('cluster')) {
    const given = CLUSTER_FLAGS.find((name) => text(name) !== undefined) ?? (flag('yes') ? 'yes' : undefined)
    if (given !== undefined) throw new UsageError(`--${given} is about a cluster: give --cluster, too`)
    return undefined
  }
  if (flag('update')) throw new UsageError('--update writes what the sandbox makes into tests: leave --cluster out')
  const [kubeconfig, context] = [text('kubeconfig'), text('context')]
  const connect: TestedCluster['connect'] = (userAgent) =>
    openConnection({ kubeconfig, context, clock: systemClock, logger: nopLogger, userAgent })
  const probe = await connect('rolebook-test')
  await probe.close()
  const target = { context: probe.context, server: probe.serverUrl }
  const agreed = await confirmCluster(target, { terminal, isNamed: context !== undefined || flag('yes') })
  return agreed ? { connect, timeout: TIMEOUT.parse(text('timeout') ?? '') ?? DEFAULT_TIMEOUT } : 'refused'
}

export interface ClusterTarget {
  /** Absent: the service account of a pod. */
  readonly context: string | undefined
  readonly server: string
}

export interface Confirmation {
  readonly terminal: Pick<Terminal, 'err' | 'ask'>
  /** Whether the person has named the cluster, or has agreed to any. */
  readonly isNamed: boolean
}

/** Whether tests may write to a cluster. Says which one it is. @throws UsageError when there is no terminal to ask on */
export async function confirmCluster(
  { context, server }: ClusterTarget,
  { terminal, isNamed }: Confirmation,
): Promise<boolean> {
  const place = context === undefined ? `the cluster of this pod (${server})` : `context ${context} (${server})`
  if (isNamed) {
    terminal.err(`the tests run on ${place}\n`)
    return true
  }
  if (!terminal.ask) {
    const naming = context === undefined ? '' : `name it by --context ${context}, or `
    throw new UsageError(`the tests would write to ${place}, and there is no terminal to ask on: ${naming}give --yes`)
  }
  const answer = await terminal.ask(
    `The tests make namespaces, CRDs and other objects on ${place} and remove them. Go on? [y/N] `,
  )
  if (/^y(es)?$/i.test(answer.trim())) return true
  terminal.err('nothing was done\n')
  return false
}
