import { systemClock } from '../../../core/base/clock.ts'
import { explain } from '../../../core/base/coded-error.ts'
import { nopLogger } from '../../../core/base/logger.ts'
import { ApiError } from '../../../core/kube/api-error.ts'
import type { Gvk } from '../../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { type Connection, connect } from '../../../core/kube-client/connect.ts'
import type { ResourceHistory } from '../../../engine/operator/run-history.ts'
import { PORTS } from '../../generate/install-settings.ts'
import { userAgent } from '../program-version.ts'
import { explainPath, NOT_LEADING, PROOF_HEADER, proofOf } from './explain-route.ts'

/** The Service of an operator, as `rolebook generate` names it, and its port. */
export function operatorService(operatorName: string): string {
  return `https:${operatorName}-metrics:${PORTS.metrics}`
}

export interface AskOptions {
  readonly connection: Connection
  /** Of a sandbox. Absent: the operator stands behind a Service. */
  readonly operatorUrl: string | undefined
  readonly operatorNamespace: string
  /** What it is called where it is installed. */
  readonly operatorName: string
  /** Reads the resource as it is now. */
  read(): Promise<KubeObject>
}

/** What an operator remembers, or why none says so. */
export type Asked = { readonly history: ResourceHistory } | { readonly problem: string }

/** A Service sends each request to any of its pods, and only one works on the resource, which may change while it is asked about. */
const MOST_TRIES = 30

export async function askOperator(gvk: Gvk, options: AskOptions): Promise<Asked> {
  const { connection, operatorUrl, operatorNamespace, operatorName } = options
  if (operatorUrl === undefined) {
    const service = `/api/v1/namespaces/${operatorNamespace}/services/${operatorService(operatorName)}/proxy`
    return ask(gvk, options, (path, headers) => connection.read(`${service}${path}`, headers))
  }
  const own = { server: { url: operatorUrl }, clock: systemClock, logger: nopLogger, userAgent: userAgent('explain') }
  const operator = await connect(own)
  try {
    return await ask(gvk, options, (path, headers) => operator.read(path, headers))
  } finally {
    await operator.close()
  }
}

async function ask(gvk: Gvk, { read }: AskOptions, send: Connection['read']): Promise<Asked> {
  let problem = ''
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const resource = await read()
    try {
      const answer = await send(explainPath(gvk, keyOf(resource)), { [PROOF_HEADER]: proofOf(resource) })
      return { history: JSON.parse(answer) as ResourceHistory }
    } catch (error) {
      problem = explain(error)
      if (!isWorthAnotherTry(error)) break
    }
  }
  return { problem }
}

/** Refusals of the operator name no object, as those of API servers do. */
function isWorthAnotherTry(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.reason === NOT_LEADING || (error.httpStatus === 403 && error.status?.details === undefined)
}
