import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import type { KubeObject } from '../../kube/object.ts'
import { badRequest, conflict, invalid, notFound, statusError } from '../api-status.ts'
import { deleteObject } from '../lifecycle/delete-object.ts'
import { bodyResourceOf, presentObject } from '../served-resource.ts'
import { withMeta } from '../write/object-meta.ts'
import { trackChange } from '../write/track-change.ts'
import { findStored, updateObject } from '../write/update-object.ts'
import { timestampOf, type WriteRequest } from '../write/write-request.ts'
import { decodeBody } from './decode-body.ts'
import { jsonReply, type Reply } from './reply.ts'
import type { ResourceRequest, ResourceServer } from './resource-request.ts'
import { parseWriteOptions } from './write-options.ts'

export type Action = (server: ResourceServer, write: WriteRequest, body: KubeObject) => Reply

/** Subresources that do something instead of being something. */
const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ['/pods/binding', bindPod],
  ['/pods/eviction', evictPod],
  ['/serviceaccounts/token', issueToken],
])

export function actionOf({ resource, path }: ResourceRequest): Action | undefined {
  return ACTIONS.get(`${resource.table}/${path.subresource}`)
}

/** POST to a subresource that has an action. */
export function actionReply(
  server: ResourceServer,
  { request, resource, path }: ResourceRequest,
  action: Action,
): Reply {
  const write = parseWriteOptions(request, resource, path, 'CreateOptions')
  const bodies = { ...write, resource: bodyResourceOf(resource, path.subresource) }
  return action(server, write, decodeBody(request, bodies, server.state.registry))
}

/** What needs a kubelet, or another server. */
export function notImplemented(what: string): Error {
  return statusError(501, 'NotImplemented', `${what} is not available: this API server runs in memory, without nodes`)
}

function issueToken({ state, tokens }: ResourceServer, write: WriteRequest, body: KubeObject): Reply {
  const stored = findStored(state, write)
  if (!stored) throw notFound(write.resource, write.name)
  const {
    name = '',
    namespace = '',
    uid = '',
    creationTimestamp,
  } = presentObject(write.resource, stored.object).metadata
  const spec: JsonObject = { expirationSeconds: DEFAULT_TOKEN_SECONDS, ...objectOf(body.spec) }
  const seconds = Number(spec.expirationSeconds)
  if (seconds < MIN_TOKEN_SECONDS) throw invalidExpiry(seconds, 'less than 10 minutes')
  if (seconds > MAX_TOKEN_SECONDS) throw invalidExpiry(seconds, 'larger than 2^32 seconds')
  const asked = Array.isArray(spec.audiences) ? spec.audiences.map(String) : []
  const audiences = asked.length > 0 ? asked : [AUDIENCE]
  const { token, expires } = tokens.issue({ namespace, name, uid }, audiences, state.clock.now() + seconds * 1000)
  const tracked = { ...write, resource: bodyResourceOf(write.resource, 'token') }
  const { managedFields } = trackChange(state, tracked, { updated: { ...body, spec } as KubeObject }).metadata
  const metadata = { name, namespace, uid, creationTimestamp, managedFields } as JsonObject
  const status = { token, expirationTimestamp: timestampOf(expires) }
  const full = { boundObjectRef: null, ...spec, audiences }
  return jsonReply({ kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1', metadata, spec: full, status }, 201)
}

const DEFAULT_TOKEN_SECONDS = 3600
const MIN_TOKEN_SECONDS = 600
const MAX_TOKEN_SECONDS = 2 ** 32

function invalidExpiry(seconds: number, what: string): Error {
  const message = `Invalid value: ${seconds}: may not specify a duration ${what}`
  const cause = { reason: 'FieldValueInvalid', message, field: 'spec.expirationSeconds' }
  return invalid({ group: 'authentication.k8s.io', kind: 'TokenRequest' }, '', [cause])
}

const AUDIENCE = 'https://kubernetes.default.svc'

function bindPod({ state }: ResourceServer, write: WriteRequest, body: KubeObject): Reply {
  checkBinding(write, body)
  const node = objectOf(body.target).name
  updateObject(state, write, (live) => {
    const spec = objectOf(live.spec)
    if (spec.nodeName)
      throw conflict(BINDING, write.name, `pod ${write.name} is already assigned to node "${spec.nodeName}"`)
    const bound = withMeta(live, {
      annotations: merged(live.metadata.annotations, body.metadata.annotations),
      labels: merged(live.metadata.labels, body.metadata.labels),
    })
    return { ...bound, spec: { ...spec, nodeName: node } } as KubeObject
  })
  return success()
}

type Texts = { readonly [key: string]: string } | undefined

function merged(live: Texts, added: Texts): Texts {
  return added ? { ...live, ...added } : live
}

function checkBinding({ name }: WriteRequest, body: KubeObject): void {
  if (body.metadata.name !== name) throw badRequest('name in URL does not match name in Binding object')
  if (!objectOf(body.target).name) throw statusError(500, '', 'target.name: Required value')
}

const BINDING = { group: '', plural: 'pods/binding' }

function evictPod({ state }: ResourceServer, write: WriteRequest, body: KubeObject): Reply {
  const { gracePeriodSeconds } = objectOf(body.deleteOptions)
  deleteObject(state, {
    ...write,
    subresource: '',
    preconditions: {},
    propagationPolicy: undefined,
    gracePeriodSeconds: typeof gracePeriodSeconds === 'number' ? gracePeriodSeconds : undefined,
  })
  return success()
}

function success(): Reply {
  return jsonReply({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }, 201)
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}
