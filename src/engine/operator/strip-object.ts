import { withoutLastApplied } from '../../core/kube/last-applied.ts'
import { cutDeepNesting } from '../../core/kube/nesting.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../core/kube/object.ts'

/**
 * What a cache keeps of an object: everything but the `managedFields` of others and the copy of itself that kubectl leaves in
 * an annotation. Ours stay: they tell whether a field is still as we set it. Beside them stays the name of the last
 * other writer, to be named when a field is not. Of an object that is nested too deeply to be walked, the content is left out.
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
