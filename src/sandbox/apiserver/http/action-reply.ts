import type { KubeObject } from '../../../core/kube/object.ts'
import { badRequest, conflict, statusError } from '../api-status.ts'
import { objectAt } from '../kinds/common/fields.ts'
import { bodyResourceOf } from '../served-resource.ts'
import { withMeta } from '../write/object-meta.ts'
import { updateObject } from '../write/update-object.ts'
import { type ServerState, timestampOf, type WriteRequest } from '../write/write-request.ts'
import { decodeBody } from './decode-body.ts'
import { evictPod, withCondition } from './evict-pod.ts'
import { negotiateActions } from './object-reply.ts'
import { jsonReply, type Reply } from './reply.ts'
import type { ResourceRequest, ResourceServer } from './resource-request.ts'
import { tokenReply } from './token-reply.ts'
import { parseWriteOptions } from './write-options.ts'

export type Action = (server: ResourceServer, write: WriteRequest, body: KubeObject) => Reply

/** Subresources that do something instead of being something. */
const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ['/pods/binding', bindPod],
  ['/pods/eviction', evict],
  ['/serviceaccounts/token', tokenReply],
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
  negotiateActions(request)
  const write = parseWriteOptions(request, resource, path, 'CreateOptions')
  const bodies = { ...write, resource: bodyResourceOf(resource, path.subresource) }
  return action(server, write, decodeBody(request, bodies, server.state.registry))
}

/** What needs a kubelet, or another server. */
export function notImplemented(what: string): Error {
  return statusError(501, 'NotImplemented', `${what} is not available: this API server runs in memory, without nodes`)
}

function bindPod({ state }: ResourceServer, write: WriteRequest, body: KubeObject): Reply {
  checkBinding(write, body)
  admitCreate(state, write, body)
  const node = objectAt(body, 'target').name
  const now = timestampOf(state.clock.now())
  updateObject(state, write, (live) => {
    const spec = objectAt(live, 'spec')
    if (spec.nodeName)
      throw conflict(BINDING, write.name, `pod ${write.name} is already assigned to node "${spec.nodeName}"`)
    const bound = withMeta(live, {
      annotations: merged(live.metadata.annotations, body.metadata.annotations),
      labels: merged(live.metadata.labels, body.metadata.labels),
    })
    return withCondition({ ...bound, spec: { ...spec, nodeName: node } } as KubeObject, {
      type: 'PodScheduled',
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: now,
    })
  })
  return success()
}

/** POST to `bindings`: the pod that a body names is bound, nothing is stored. */
export function bindNamedPod(server: ResourceServer, write: WriteRequest, body: KubeObject): Reply {
  const { name } = body.metadata
  const resource = server.state.registry.at('', 'v1', 'pods')
  if (!name || !resource) throw badRequest('Name parameter required.')
  return bindPod(server, { ...write, resource, name, subresource: 'binding' }, body)
}

/** Policies and webhooks look at the body, as one that is created. */
function admitCreate(state: ServerState, write: WriteRequest, body: KubeObject): void {
  const change = { operation: 'CREATE', object: body } as const
  state.admission?.mutate(state, write, change)
  state.admission?.validate(state, write, change)
}

type Texts = { readonly [key: string]: string } | undefined

function merged(live: Texts, added: Texts): Texts {
  return added ? { ...live, ...added } : live
}

function checkBinding({ name }: WriteRequest, body: KubeObject): void {
  if (body.metadata.name !== name) throw badRequest('name in URL does not match name in Binding object')
  if (!objectAt(body, 'target').name) throw statusError(500, '', 'target.name: Required value')
}

const BINDING = { group: '', plural: 'pods/binding' }

function evict({ state }: ResourceServer, write: WriteRequest, body: KubeObject): Reply {
  const { admission, ...withoutAdmission } = state
  admitCreate(state, write, body)
  evictPod(withoutAdmission, write, body)
  return success()
}

function success(): Reply {
  return jsonReply({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }, 201)
}
