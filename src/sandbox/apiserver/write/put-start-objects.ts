import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { randomIdentities } from './identities.ts'
import { withMeta } from './object-meta.ts'
import { type ServerState, timestampOf } from './write-request.ts'

/**
 * Stores cluster-scoped objects as they were recorded on a real server: JSON with `<now>` for all times. It bypasses the write
 * pipeline, which would make a start twice as long. Objects that exist already stay as they are.
 */
export function putStartObjects(state: ServerState, recorded: string): void {
  const now = timestampOf(state.clock.now())
  for (const object of JSON.parse(recorded.replaceAll('<now>', now)) as readonly KubeObject[]) {
    const resource = state.registry.ofKind(gvkOf(object))
    if (!resource || state.store.get(resource.table, '', keyOf(object).name)) continue
    const uid = (state.identities ?? randomIdentities).uidOf(object)
    state.store.put(resource.table, withMeta(object, { uid }))
  }
}
