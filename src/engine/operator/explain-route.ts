import { sha256 } from '../../core/base/hash.ts'
import type { JsonObject } from '../../core/base/json.ts'
import { isForbidden, isNotFound } from '../../core/kube/api-error.ts'
import type { Reader } from '../../core/kube/client.ts'
import type { Gvk } from '../../core/kube/group-version-kind.ts'
import type { KubeObject, ObjectKey } from '../../core/kube/object.ts'
import { contentHash } from '../reconcile/resource-content.ts'
import type { RunHistory } from '../reconcile/run-history.ts'
import {
  type AdminAnswer,
  type AdminRequest,
  type AdminRoute,
  jsonAnswer,
  statusAnswer,
} from '../runtime/admin-route.ts'

const EXPLAIN_PATH = '/explain/'

/** Of a request: says that whoever asks has read the resource. */
export const PROOF_HEADER = 'x-rolebook-seen'

/** Reason of the answer of a process that does not lead: another one knows. */
export const NOT_LEADING = 'NotLeading'

export interface ExplainRouteOptions {
  readonly history: Pick<RunHistory, 'of'>
  readonly client: Pick<Reader, 'get'>
  /** Whether this process does the work at present. */
  leads(): boolean
}

/** Requests that may ask the API server at the same time. Further ones are refused: anybody may send them. */
const MOST_AT_ONCE = 8

/**
 * What the last runs for a resource did and why, at `/explain/<group>/<version>/<kind>/<namespace>/<name>`, where `-` stands for
 * an empty part.
 *
 * Only for who may read the resource, which is for the API server to say: whoever asks has just read the resource there, and
 * proves that by what stands in it. No token could prove more: on its way through the API server a request loses its
 * `Authorization`, and a person's certificate or token has no business in the operator.
 */
export function explainRoute(options: ExplainRouteOptions): AdminRoute {
  let busy = 0
  return {
    path: EXPLAIN_PATH,
    access: 'public',
    async handle(request) {
      if (busy >= MOST_AT_ONCE) return statusAnswer(503, 'too many ask at once')
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

/** What nobody knows who has not read the resource as it is: its uid, and all that is wanted. */
export function proofOf(resource: KubeObject): string {
  return sha256(`${resource.metadata.uid} ${contentHash(resource, 'all')}`)
}

/** Nobody learns from a refusal whether there is such a resource. */
const REFUSAL = statusAnswer(403, 'only for who has read the resource as it is now')

async function answer(request: AdminRequest, options: ExplainRouteOptions): Promise<AdminAnswer> {
  const asked = parsePath(request.path)
  if (!asked) return statusAnswer(404, 'there is nothing at this path')
  if (!options.leads()) return notLeading()
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
    // Any text may be asked for: kinds that are not served, and some that may not be read.
    if (isNotFound(error) || isForbidden(error)) return undefined
    throw error
  }
}

function notLeading(): AdminAnswer {
  const message = 'another process of this installation does the work'
  const head = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' }
  return jsonAnswer(404, { ...head, message, reason: NOT_LEADING, code: 404 })
}
