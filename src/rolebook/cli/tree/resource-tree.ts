import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { readinessOf } from '../../../core/kube/readiness.ts'
import { objectStatus } from '../../playground/object-status.ts'
import { OwnedTree } from '../../playground/owned-objects.ts'
import type { ObjectNode, OwnedObjects } from '../../ui/model.ts'
import type { OwnedObjectsOfResource } from './read-owned.ts'

/** An object, and what belongs to it. */
export interface TreeNode {
  readonly kind: string
  /** Empty: it is in none. */
  readonly namespace: string
  readonly name: string
  readonly health: ObjectNode['health']
  /** Why it is not ready. */
  readonly message: string
  /** In the words of `kubectl get`. Empty: not known. */
  readonly status: string
  readonly owned: readonly TreeNode[]
  /** How many more belong to it that are not listed. */
  readonly more: number
  readonly moreUnready: number
}

/** A resource with what was made for it, in the order of kinds and names. */
export function resourceTree(resource: KubeObject, { made, all }: OwnedObjectsOfResource): TreeNode {
  const sorted = made.toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1))
  const grown = new OwnedTree().withOwned(sorted.map(nodeOf), all)
  const statuses = new Map(made.map((object) => [object.metadata.uid, objectStatus(object)]))
  const owned = grown.map((node) => treeNode(node, statuses.get(node.uid) ?? ''))
  return { ...treeNode(nodeOf(resource), objectStatus(resource)), owned }
}

function nodeOf(object: KubeObject): ObjectNode {
  const { kind, metadata } = object
  const readiness = readinessOf(object)
  return {
    ...{
      uid: metadata.uid ?? '',
      group: gvkOf(object).group,
      kind,
      namespace: metadata.namespace ?? '',
      name: metadata.name ?? '',
    },
    health: readiness.kind === 'unobserved' ? 'notReady' : readiness.kind,
    message: 'message' in readiness ? readiness.message : '',
    created: metadata.creationTimestamp ?? '',
    finalizers: metadata.finalizers ?? [],
  }
}

type Node = Pick<ObjectNode, 'kind' | 'namespace' | 'name' | 'health' | 'message' | 'owned'>

function treeNode({ kind, namespace, name, health, message, owned }: Node, status: string): TreeNode {
  const { nodes, more, moreUnready }: OwnedObjects = owned ?? { nodes: [], more: 0, moreUnready: 0 }
  const below = nodes.map((node) => treeNode(node, node.status))
  return { kind, namespace, name, health, message, status, owned: below, more, moreUnready }
}

function nameOf({ kind, metadata }: KubeObject): string {
  return [kind, metadata.namespace, metadata.name].join(' ')
}
