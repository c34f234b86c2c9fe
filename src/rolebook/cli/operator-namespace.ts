import { isForbidden } from '../../core/kube/api-error.ts'
import type { KubeClient } from '../../core/kube/client.ts'
import { LEDGER_NAME } from '../../engine/reconcile/ownership/ledger.ts'
import { UsageError } from './command.ts'

const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' } as const

export interface NamespaceHints {
  /** What the person says. */
  readonly given: string | undefined
  /** Of the context of the kubeconfig. */
  readonly ofContext: string | undefined
  /** By what a person says it. Defaults to `--operator-namespace`. */
  readonly giveBy?: string
}

/**
 * Where the operator is installed: its ledger stands there. Where there is none yet, it is where it would be.
 *
 * @throws UsageError when there are several
 */
export async function findOperatorNamespace(client: KubeClient, hints: NamespaceHints): Promise<string> {
  const { given, ofContext, giveBy = '--operator-namespace' } = hints
  if (given !== undefined) return given
  const own = ofContext ?? 'default'
  const found = await ledgersIn(client)
  const [only = own, ...others] = found
  if (others.length === 0 || found.includes(own)) return found.includes(own) ? own : only
  throw new UsageError(`there are several operators, in ${found.join(', ')}: say which with ${giveBy}`)
}

async function ledgersIn(client: KubeClient): Promise<readonly string[]> {
  try {
    const { items } = await client.list(CONFIG_MAP, {
      fieldSelector: `metadata.name=${LEDGER_NAME}`,
      metadataOnly: true,
    })
    return items.map(({ metadata: { namespace = '' } }) => namespace).sort()
  } catch (error) {
    if (!isForbidden(error)) throw error
    return []
  }
}
