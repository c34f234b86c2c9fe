import type { Connection } from '../../../core/kube-client/connect.ts'
import { kubeconfigOf } from '../cluster-options.ts'
import type { CommandOption, Invocation } from '../command.ts'
import { localOperatorOf, recordOfRun, recordOfSandbox } from '../local-operator.ts'
import type { LocatedResource } from '../located-resource.ts'
import { OBJECT_NAME } from '../value-kind.ts'
import { type Asked, askOperator } from './ask-operator.ts'

export const OPERATOR_NAME_OPTION: CommandOption = {
  flags: '--operator-name <name>',
  description: 'what the operator is called: --name of `rolebook generate`',
  default: 'rolebook',
  kind: OBJECT_NAME,
}

/** What the operator remembers of the runs of a resource: that of a sandbox or of a `rolebook run` here, else the one that is installed. */
export async function rememberedRuns(
  { gvk, operatorNamespace, read }: LocatedResource,
  invocation: Invocation,
  connection: Connection,
): Promise<Asked> {
  await read()
  const kubeconfig = kubeconfigOf(invocation)
  const records = [
    ...(kubeconfig === undefined ? [] : [recordOfSandbox(kubeconfig)]),
    recordOfRun(invocation.given('watches-file')),
  ]
  const operatorUrl = localOperatorOf(records, connection.serverUrl)
  const operatorName = invocation.given('operator-name')
  return askOperator(gvk, { connection, operatorUrl, operatorNamespace, operatorName, read })
}
