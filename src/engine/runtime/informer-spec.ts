import { formatGvk, type Gvk } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'

/** Which objects an informer watches, and how much of them. */
export interface InformerSpec {
  readonly gvk: Gvk
  /** Empty or absent: all namespaces. */
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  /** Whether only metadata is watched. Defaults to false. */
  readonly metadataOnly?: boolean | undefined
}

/** The key of a spec. Equal for specs with the same meaning. */
export function specKey({ gvk, namespace, labelSelector, metadataOnly }: InformerSpec): string {
  return JSON.stringify([gvk.group, gvk.version, gvk.kind, namespace || '', labelSelector || '', metadataOnly === true])
}

/** `v1 ConfigMap in default with app=web (metadata)`, for people. */
export function formatSpec({ gvk, namespace, labelSelector, metadataOnly }: InformerSpec): string {
  const where = namespace ? ` in ${namespace}` : ''
  const which = labelSelector ? ` with ${labelSelector}` : ''
  return `${formatGvk(gvk)}${where}${which}${metadataOnly ? ' (metadata)' : ''}`
}

/** Removes from an object what is never read, before it is cached. It must keep type, name, namespace, uid and resourceVersion. */
export type StripObject = (object: KubeObject, spec: InformerSpec) => KubeObject
