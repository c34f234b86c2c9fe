import { withoutLastApplied } from '../../../core/kube/last-applied.ts'
import { cutDeepNesting } from '../../../core/kube/nesting.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../../core/kube/object.ts'

/**
 * What a cache keeps of an object: all but the `managedFields` of others and the copy that kubectl leaves in an annotation. Our own entries
 * stay, since they show whether a field is still as we set it, and so does the name of the last other writer, for messages about drift. The
 * content of an object that is nested too deeply is left out.
 */
export function stripObject(given: KubeObject): KubeObject {
  const object = cutDeepNesting(given)
  const { managedFields, annotations, ...metadata } = object.metadata
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(annotations && { annotations: withoutLastApplied(annotations) }),
      ...(managedFields && { managedFields: entriesToKeep(managedFields) }),
    },
  }
}

function entriesToKeep(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  const ours = entries.filter(isOurs)
  if (ours.length === 0) return ours
  const others = entries.filter(
    (entry) => !isOurs(entry) && entry.manager !== undefined && entry.subresource === undefined,
  )
  const [last] = others.sort((left, right) => ((left.time ?? '') < (right.time ?? '') ? 1 : -1))
  return last ? [...ours, { manager: last.manager }] : ours
}

function isOurs({ manager }: ManagedFieldsEntry): boolean {
  return manager?.startsWith('rolebook') === true
}
