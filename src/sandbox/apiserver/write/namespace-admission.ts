import type { KubeObject } from '../../../core/kube/object.ts'
import { forbidden, notFound } from '../api-status.ts'
import type { ServerState, WriteRequest } from './write-request.ts'

const NAMESPACES = { group: '', plural: 'namespaces' }

/**
 * Objects are created only in namespaces that exist and stay.
 *
 * @throws ApiError 404 or 403
 */
export function checkNamespaceForCreate(state: ServerState, request: WriteRequest, object: KubeObject): void {
  const { resource, namespace } = request
  if (!resource.namespaced) return
  const found = state.store.get('/namespaces', '', namespace)
  if (!found) throw notFound(NAMESPACES, namespace)
  if (found.object.metadata.deletionTimestamp === undefined) return
  const { name, generateName } = object.metadata
  const text = `unable to create new content in namespace ${namespace} because it is being terminated`
  throw forbidden(resource, name || generateName || 'Unknown', text, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ])
}
