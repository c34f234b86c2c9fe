import { isJsonArray, isJsonObject } from '../../core/base/json.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { readinessOf } from '../../core/kube/readiness.ts'
import type { ObjectNode, OwnedNode, OwnedObjects } from '../ui/model.ts'
import { objectStatus } from './object-status.ts'
import { steadyOrder } from './steady-order.ts'

/** Objects of one owner that are shown: of more, only their number. */
const MOST_SHOWN = 6
/** A CronJob owns Jobs, and these own Pods. */
const MOST_LEVELS = 3

/** What objects own, as their owner references say. An object keeps its place among its siblings for as long as it lives. */
export class OwnedTree {
  #orders: ReadonlyMap<string, readonly string[]> = new Map()

  /** The nodes with what they own among all objects of the cluster. */
  withOwned(nodes: readonly ObjectNode[], all: Iterable<KubeObject>): readonly ObjectNode[] {
    const objects = [...all]
    const roots = new Set(nodes.map(({ uid }) => uid))
    const children = childrenOf(objects.filter(({ metadata }) => !roots.has(metadata.uid ?? '')))
    for (const object of objects) addClaims(object, objects, children)
    const orders = new Map(this.#orders)
    const branch = (uid: string, level: number): OwnedObjects => {
      const found = (level > 0 ? (children.get(uid) ?? []) : []).filter((one) => !isRetired(one, children))
      const byUid = new Map(found.map((one) => [one.metadata.uid ?? '', one]))
      const order = steadyOrder(orders.get(uid) ?? [], [...byUid.keys()])
      orders.set(uid, order)
      const sorted = order.flatMap((one) => byUid.get(one) ?? [])
      const rest = sorted.slice(MOST_SHOWN)
      return {
        nodes: sorted.slice(0, MOST_SHOWN).map((one) => ownedNode(one, branch(one.metadata.uid ?? '', level - 1))),
        more: rest.length,
        moreUnready: rest.filter((one) => readinessOf(one).kind !== 'ready').length,
      }
    }
    const grown = nodes.map((node) => ({ ...node, owned: branch(node.uid, MOST_LEVELS) }))
    const living = new Set(objects.map(({ metadata }) => metadata.uid ?? ''))
    this.#orders = new Map([...orders].filter(([uid, order]) => living.has(uid) && order.length > 0))
    return grown
  }
}

function ownedNode(object: KubeObject, owned: OwnedObjects): OwnedNode {
  const { kind, metadata } = object
  const readiness = readinessOf(object)
  return {
    ...{ uid: metadata.uid ?? '', kind, namespace: metadata.namespace ?? '', name: metadata.name ?? '' },
    health: readiness.kind === 'unobserved' ? 'notReady' : readiness.kind,
    message: 'message' in readiness ? readiness.message : '',
    status: objectStatus(object),
    owned,
  }
}

type Children = Map<string, KubeObject[]>

/** By the uid of the owner, in the order in which they were made. */
function childrenOf(objects: readonly KubeObject[]): Children {
  const children: Children = new Map()
  for (const object of objects) {
    for (const { uid } of object.metadata.ownerReferences ?? []) addTo(children, uid, object)
  }
  return children
}

/** A StatefulSet makes claims for its Pods, and by default they have no owner: they outlive it. */
function addClaims(owner: KubeObject, objects: readonly KubeObject[], children: Children): void {
  const templates = isJsonObject(owner.spec) ? owner.spec.volumeClaimTemplates : undefined
  if (owner.kind !== 'StatefulSet' || !isJsonArray(templates)) return
  const { uid = '', name = '', namespace } = owner.metadata
  const prefixes = templates.map(
    (one) => `${isJsonObject(one) && isJsonObject(one.metadata) ? one.metadata.name : ''}-${name}-`,
  )
  for (const claim of objects) {
    const { metadata, kind } = claim
    if (kind !== 'PersistentVolumeClaim' || metadata.namespace !== namespace) continue
    if ((metadata.ownerReferences ?? []).length > 0) continue
    const isOfSet = prefixes.some((prefix) => {
      return metadata.name?.startsWith(prefix) && /^\d+$/.test(metadata.name.slice(prefix.length))
    })
    if (isOfSet) addTo(children, uid, claim)
  }
}

function addTo(children: Children, uid: string, object: KubeObject): void {
  const known = children.get(uid)
  if (known) known.push(object)
  else children.set(uid, [object])
}

/** A ReplicaSet of a former template, which is kept for a rollback. */
function isRetired({ kind, spec, metadata }: KubeObject, children: Children): boolean {
  return kind === 'ReplicaSet' && isJsonObject(spec) && spec.replicas === 0 && !children.has(metadata.uid ?? '')
}
