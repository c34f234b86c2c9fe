import type { KubeObject } from '../../kube/object.ts'
import type { ServerState, WriteRequest } from './write-request.ts'

export interface Change {
  readonly live?: KubeObject | undefined
  readonly updated: KubeObject
}

/** Writes down in `managedFields` who changed what, as for an operation `Update`. */
export function trackChange(_state: ServerState, _request: WriteRequest, { updated }: Change): KubeObject {
  return updated
}
