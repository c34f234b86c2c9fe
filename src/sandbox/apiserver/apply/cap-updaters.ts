import { compareText } from '../../../core/schema/go-json.ts'
import { type ManagedFields, managerId, type OwnedFields, secondsOf } from './managed-fields.ts'

const MAX_UPDATERS = 10
const BUCKET = 'ancient-changes'

type Updater = readonly [id: string, owned: OwnedFields]

/** With more than ten entries of updates, the oldest are merged into one entry a version. */
export function capUpdaters(managed: ManagedFields): ManagedFields {
  const updaters = [...managed.owners].filter(([, { applied }]) => !applied)
  if (updaters.length <= MAX_UPDATERS) return managed
  const owners = new Map(managed.owners)
  const times = new Map(managed.times)
  const age = (id: string): number => secondsOf(times.get(id))
  const oldestFirst = updaters.toSorted(([left], [right]) => age(left) - age(right) || compareText(left, right))
  const firstOfVersion = new Map<string, Updater>()
  let count = updaters.length
  for (const [id, owned] of oldestFirst) {
    if (count <= MAX_UPDATERS) break
    const { apiVersion } = owned
    const first = firstOfVersion.get(apiVersion)
    if (first === undefined) {
      firstOfVersion.set(apiVersion, [id, owned])
      continue
    }
    const bucket = managerId({ manager: BUCKET, operation: 'Update', apiVersion, subresource: '' })
    const merged = owners.get(bucket) ?? first[1]
    if (!owners.has(bucket)) owners.delete(first[0])
    owners.set(bucket, { ...owned, fields: owned.fields.union(merged.fields) })
    owners.delete(id)
    const time = times.get(id)
    if (time !== undefined) times.set(bucket, time)
    count--
  }
  return { owners, times }
}
