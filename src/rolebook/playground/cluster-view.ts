import { isJsonObject } from '../../core/base/json.ts'
import { formatGroupKind, gvkOf } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { readinessOf } from '../../core/kube/readiness.ts'
import type { ObjectEvent } from '../../sandbox/apiserver/object-api.ts'
import type { ObjectNode } from '../ui/model.ts'
import { isOfInterest, nameOf } from './object-name.ts'
import { OwnedTree } from './owned-objects.ts'
import type { ObjectView } from './protocol.ts'

/** The most objects that are shown: more are too many to read. */
const MOST_OBJECTS = 500

/** The objects of a cluster, as the page shows them. */
export class ClusterView {
  readonly #objects = new Map<string, KubeObject>()
  readonly #owned = new OwnedTree()
  #isChanged = true

  /** Call it for each change in the store. */
  changed({ type, object }: ObjectEvent): void {
    this.#isChanged = true
    const uid = object.metadata.uid ?? ''
    if (type === 'DELETED') this.#objects.delete(uid)
    else if (isOfInterest(object)) this.#objects.set(uid, object)
  }

  /** Whether something has changed since the last call. */
  takeChange(): boolean {
    const isChanged = this.#isChanged
    this.#isChanged = false
    return isChanged
  }

  /** The nodes with what they own. */
  withOwned(nodes: readonly ObjectNode[]): readonly ObjectNode[] {
    return this.#owned.withOwned(nodes, this.#objects.values())
  }

  /** In the order in which they were made. */
  objects(): readonly ObjectView[] {
    return [...this.#objects.values()].slice(0, MOST_OBJECTS).map(objectView)
  }
}

function objectView(object: KubeObject): ObjectView {
  const readiness = readinessOf(object)
  const replicas = isJsonObject(object.spec) ? object.spec.replicas : undefined
  return {
    ...nameOf(object),
    uid: object.metadata.uid ?? '',
    owners: (object.metadata.ownerReferences ?? []).map(({ uid }) => uid),
    health: readiness.kind === 'unobserved' ? 'notReady' : readiness.kind,
    message: 'message' in readiness ? readiness.message : '',
    ...(typeof replicas === 'number' && SCALABLE.has(formatGroupKind(gvkOf(object))) && { replicas }),
  }
}

/** Kinds with the subresource `scale`. */
const SCALABLE: ReadonlySet<string> = new Set(['Deployment.apps', 'StatefulSet.apps', 'ReplicaSet.apps'])
