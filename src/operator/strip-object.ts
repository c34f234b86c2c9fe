import type { KubeObject } from '../kube/object.ts'

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/**
 * What a cache keeps of an object: everything but the `managedFields` of others and the copy of itself that kubectl leaves in
 * an annotation. Ours stay: they tell whether a field is still as we set it.
 */
export function stripObject(object: KubeObject): KubeObject {
  const { managedFields, annotations, ...metadata } = object.metadata
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(annotations && { annotations: withoutLastApplied(annotations) }),
      ...(managedFields && { managedFields: managedFields.filter(({ manager }) => manager?.startsWith('rolebook')) }),
    },
  }
}

function withoutLastApplied(annotations: { readonly [key: string]: string }): { readonly [key: string]: string } {
  if (annotations[LAST_APPLIED] === undefined) return annotations
  const { [LAST_APPLIED]: _copy, ...kept } = annotations
  return kept
}
