import type { KubeObject, ManagedFieldsEntry } from '../../../core/kube/object.ts'
import { withMeta } from './object-meta.ts'

type Fields = NonNullable<ManagedFieldsEntry['fieldsV1']>

/** How many different sets of fields are kept; objects of one kind and manager mostly have the same. */
const CAPACITY = 5000

const byText = new Map<string, Fields>()
const interned = new WeakSet<Fields>()

/**
 * Equal sets of fields become the very same one. They are a large part of small objects, so this saves memory, and what
 * was read from a set once is remembered for all objects that have it.
 */
export function internFields(object: KubeObject): KubeObject {
  const { managedFields } = object.metadata
  if (!managedFields?.some(({ fieldsV1 }) => fieldsV1 && !interned.has(fieldsV1))) return object
  return withMeta(object, { managedFields: managedFields.map(internEntry) })
}

function internEntry(entry: ManagedFieldsEntry): ManagedFieldsEntry {
  const { fieldsV1 } = entry
  if (!fieldsV1 || interned.has(fieldsV1)) return entry
  const text = JSON.stringify(fieldsV1)
  const known = byText.get(text)
  if (known) return { ...entry, fieldsV1: known }
  if (byText.size === CAPACITY) byText.clear()
  byText.set(text, fieldsV1)
  interned.add(fieldsV1)
  return entry
}
