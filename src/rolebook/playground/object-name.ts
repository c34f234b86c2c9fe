import type { KubeObject } from '../../core/kube/object.ts'
import { LEDGER_NAME } from '../../engine/reconcile/ownership/ledger.ts'
import type { ObjectName } from './protocol.ts'

export function nameOf({ apiVersion, kind, metadata }: KubeObject): ObjectName {
  return { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
}

/** Kinds that a cluster needs for its own work. They show nothing about the roles. */
const HOUSEKEEPING: ReadonlySet<string> = new Set([
  ...['Event', 'Lease', 'CustomResourceDefinition', 'APIService', 'Endpoints', 'EndpointSlice', 'Node'],
  'ControllerRevision',
])

/** Whether an object is shown: not what each cluster has, nor the ledger of the operator. */
export function isOfInterest({ kind, metadata }: KubeObject): boolean {
  if (HOUSEKEEPING.has(kind)) return false
  if (kind === 'ServiceAccount' && metadata.name === 'default') return false
  return metadata.name !== 'kube-root-ca.crt' && metadata.name !== LEDGER_NAME
}
