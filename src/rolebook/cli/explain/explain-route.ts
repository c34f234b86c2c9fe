import { sha256 } from '../../../core/base/hash.ts'
import type { JsonObject } from '../../../core/base/json.ts'
import { isForbidden, isNotFound } from '../../../core/kube/api-error.ts'
import type { Reader } from '../../../core/kube/client.ts'
import type { Gvk } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject, ObjectKey } from '../../../core/kube/object.ts'
import type { RunHistory } from '../../../engine/operator/run-history.ts'
import { contentHash } from '../../../engine/reconcile/run/run-inputs.ts'
import {
  type AdminAnswer,
  type AdminRequest,
  type AdminRoute,
  jsonAnswer,
  statusAnswer,
} from '../../../engine/runtime/admin-route.ts'

const EXPLAIN_PATH = '/explain/'

/** The header that proves that the caller has read the resource. */
export const PROOF_HEADER = 'x-rolebook-seen'

/** The reason in the answer of a process that does not lead. */
export const NOT_LEADING = 'NotLeading'

export interface ExplainRouteOptions {
  readonly history: Pick<RunHistory, 'of'>
  readonly client: Pick<Reader, 'get'>
  /** Whether this process works on the resource. */
  leads(key: ObjectKey): boolean
}

/** How many requests may ask the API server at the same time. Others are refused, since everybody may send them. */
const MOST_AT_ONCE = 8

/**
 * Serves what the last runs for a resource did and why, at `/explain/<group>/<version>/<kind>/<namespace>/<name>`, where `-` stands for an
 * empty part.
 *
 * Only a caller that may read the resource gets an answer. The caller reads the resource from the API server and proves that with a hash of
 * its content. A token could not prove it: the API server removes `Authorization` from the requests that it proxies, and the credentials of
 * a person must not reach the operator.
 */
export function explainRoute(options: ExplainRouteOptions): AdminRoute {
  let busy = 0
  return {
    path: EXPLAIN_PATH,
    access: 'public',
    async handle(request) {
      if (busy >= MOST_AT_ONCE) return statusAnswer(503, 'cannot answer: too many requests at once (try again)')
      busy++
      try {
        return await answer(request, options)
      } finally {
        busy--
      }
    },
  }
}

/** The path for a resource. */
export function explainPath({ group, version, kind }: Gvk, { namespace, name }: ObjectKey): string {
  const parts = [group, version, kind, namespace, name].map((part) => (part === '' ? '-' : encodeURIComponent(part)))
  return EXPLAIN_PATH + parts.join('/')
}

/** The proof that a caller has read the resource: a hash of its uid and its content. */
export function proofOf(resource: KubeObject): string {
  return sha256(`${resource.metadata.uid} ${contentHash(resource, 'all')}`)
}

/** The same answer whether or not the resource exists, so that a refusal reveals nothing. */
const REFUSAL = statusAnswer(403, 'cannot explain: the caller has not read the resource as it is now')

async function answer(request: AdminRequest, options: ExplainRouteOptions): Promise<AdminAnswer> {
  const asked = parsePath(request.path)
  if (!asked) return statusAnswer(404, 'there is nothing at this path')
  if (!options.leads(asked.key)) return notLeading()
  const proof = request.header(PROOF_HEADER) ?? ''
  if (!/^[0-9a-f]{64}$/.test(proof)) return REFUSAL
  const resource = await readLive(options.client, asked, request.signal)
  if (!resource || proofOf(resource) !== proof) return REFUSAL
  const { gvk, key } = asked
  const history = options.history.of({ group: gvk.group, kind: gvk.kind, ...key }) ?? { runs: [], skipped: 0 }
  return jsonAnswer(200, history as unknown as JsonObject)
}

interface Asked {
  readonly gvk: Gvk
  readonly key: ObjectKey
}

function parsePath(path: string): Asked | undefined {
  const parts = path.slice(EXPLAIN_PATH.length).split('/').map(decoded)
  const [group, version, kind, namespace, name] = parts
  if (parts.length !== 5 || !version || !kind || !name || group === undefined || namespace === undefined)
    return undefined
  return { gvk: { group, version, kind }, key: { namespace, name } }
}

function decoded(part: string): string | undefined {
  try {
    return part === '-' ? '' : decodeURIComponent(part)
  } catch {
    return undefined
  }
}

async function readLive(
  client: Pick<Reader, 'get'>,
  { gvk, key }: Asked,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  try {
    return await client.get(gvk, key, { signal })
  } catch (error) {
    // Callers may ask for anything: kinds that are not served, or that the operator may not read.
    if (isNotFound(error) || isForbidden(error)) return undefined
    throw error
  }
}

function notLeading(): AdminAnswer {
  const message = 'another process of this installation works on the resource'
  const head = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' }
  return jsonAnswer(404, { ...head, message, reason: NOT_LEADING, code: 404 })
}
