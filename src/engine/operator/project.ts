import type { JsonObject } from '../../core/base/json.ts'
import type { GroupKind, Gvk } from '../../core/kube/group-version-kind.ts'
import type { LabelSelector } from '../../core/kube/label-selector.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import type { AllowedNamespaces, DeletionSettings, Role } from '../role/role.ts'

/** A user's project as one frozen snapshot: what an operator runs. */
export interface Project {
  /** Of all files it was made of: equal hashes are equal projects. */
  readonly hash: string
  /** In the order of `watches.yaml`. */
  readonly watches: readonly WatchedRole[]
  /** CustomResourceDefinitions of the roles that are used. */
  readonly crds: readonly KubeObject[]
  readonly samples: readonly SampleFile[]
}

export interface WatchedRole {
  readonly watch: Watch
  /** Compiled for this entry: its kind and its variables. */
  readonly role: Role
}

export interface SampleFile {
  readonly path: string
  readonly objects: readonly (KubeObject & JsonObject)[]
}

/** An entry of `watches.yaml`, defaults filled in. */
export interface Watch {
  readonly gvk: Gvk
  /** A name in the roles folder. */
  readonly role: string
  /** Plain values, environment variables filled in. */
  readonly vars: JsonObject
  /** Milliseconds; 0 switches it off. */
  readonly reconcilePeriod: number
  readonly maxConcurrentReconciles: number
  /** Absent: all. */
  readonly namespaces?: readonly string[] | undefined
  readonly selector?: LabelSelector | undefined
  readonly allowedNamespaces: AllowedNamespaces
  readonly deletion: DeletionSettings
  /** Whether the engine writes conditions and observedGeneration. */
  readonly manageStatus: boolean
  /** Whether a change of a child re-runs the role. */
  readonly watchDependentResources: boolean
  /** Kinds that can raise rights and that the role may make all the same. */
  readonly acknowledge: readonly GroupKind[]
}

/** Where the entries of one kind look. */
export type Reaching = Pick<Watch, 'namespaces' | 'allowedNamespaces'>

/** The namespaces that the entries may look into, or `undefined` for all. */
export function reachOf(entries: Iterable<Reaching>): readonly string[] | undefined {
  const reach = new Set<string>()
  for (const { namespaces, allowedNamespaces } of entries) {
    const { read = [], write = [] } = allowedNamespaces
    if (namespaces === undefined || read.includes('*') || write.includes('*')) return undefined
    for (const namespace of [...namespaces, ...read, ...write]) reach.add(namespace)
  }
  return [...reach].sort()
}
