import type { KubeObject } from './object.ts'

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

type Annotations = { readonly [key: string]: string }

/** Annotations without the copy of the object that `kubectl apply` leaves there; the very same when there is none. */
export function withoutLastApplied(annotations: Annotations): Annotations {
  if (annotations[LAST_APPLIED] === undefined) return annotations
  const { [LAST_APPLIED]: _copy, ...kept } = annotations
  return kept
}

/** The same of an object. */
export function withoutCopy(object: KubeObject): KubeObject {
  const { annotations } = object.metadata
  if (!annotations) return object
  return { ...object, metadata: { ...object.metadata, annotations: withoutLastApplied(annotations) } }
}
