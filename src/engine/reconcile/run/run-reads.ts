import type { KubeClient } from '../../../core/kube/client.ts'
import { formatGroupKind, type GroupKind, type Gvk } from '../../../core/kube/group-version-kind.ts'
import { type LabelSelector, printLabelSelector } from '../../../core/kube/label-selector.ts'
import { formatKey, type KubeObject, type ObjectKey } from '../../../core/kube/object.ts'
import type { CacheQuery, ObjectCaches } from '../object-caches.ts'
import { listLive } from '../prune/list-live.ts'

/** What triggers a role again: a change of one object, or of any object that a list selects. */
export type Subscription =
  | { readonly kind: 'object'; readonly type: GroupKind; readonly key: ObjectKey }
  | {
      readonly kind: 'list'
      readonly type: GroupKind
      /** Absent: all. */
      readonly namespaces?: readonly string[] | undefined
      readonly selector: LabelSelector
    }

/** Something that a run has read, and how to read it again. */
export interface Read {
  readonly id: string
  readonly subscription: Subscription
  /** What the caches have now. */
  current(): Promise<readonly KubeObject[]>
  /** What the server has now. Absent if nothing is deleted because of this read. */
  readonly live?: (() => Promise<readonly KubeObject[]>) | undefined
}

export interface ReadTools {
  readonly client: KubeClient
  readonly caches: ObjectCaches
}

/** A read of any object that a role names. */
export function objectRead({ client, caches }: ReadTools, gvk: Gvk, key: ObjectKey): Read {
  return {
    id: idOf(gvk, key),
    subscription: { kind: 'object', type: gvk, key },
    current: async () => listOf(await caches.get(gvk, key)),
    live: async () => listOf(await client.get(gvk, key, { metadataOnly: true })),
  }
}

/** An object that the role makes. Another cache shows it than where it is read as any object: one may be behind the other. */
export function childRead(caches: ObjectCaches, gvk: Gvk, key: ObjectKey): Read {
  const current = async (): Promise<readonly KubeObject[]> => listOf(await caches.child(gvk, key))
  return { id: `child ${idOf(gvk, key)}`, subscription: { kind: 'object', type: gvk, key }, current }
}

/** A read of a foreign object that has the name of a child. When it is deleted, the role can make the child. */
export function foreignRead(caches: ObjectCaches, gvk: Gvk, key: ObjectKey): Read {
  const current = async (): Promise<readonly KubeObject[]> => listOf(await caches.metadata(gvk, key))
  return { id: idOf(gvk, key), subscription: { kind: 'object', type: gvk, key }, current }
}

export function listRead({ client, caches }: ReadTools, gvk: Gvk, query: CacheQuery): Read {
  const { namespaces, selector } = query
  const labelSelector = printLabelSelector(selector)
  return {
    id: `${formatGroupKind(gvk)} in ${namespaces?.join(',') ?? '*'} with ${labelSelector}`,
    subscription: { kind: 'list', type: gvk, namespaces, selector },
    current: () => caches.list(gvk, query),
    live: () => listLive(client, gvk, { namespaces, labelSelector }),
  }
}

function idOf(gvk: Gvk, key: ObjectKey): string {
  return `${formatGroupKind(gvk)} ${formatKey(key)}`
}

function listOf(object: KubeObject | undefined): readonly KubeObject[] {
  return object ? [object] : []
}
