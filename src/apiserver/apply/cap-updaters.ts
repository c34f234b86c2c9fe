import { compareText } from '../../schema/go-json.ts'
import { type ManagedFields, managerId, secondsOf } from './managed-fields.ts'

const MAX_UPDATERS = 10
const BUCKET = 'ancient-changes'

/** With more than ten entries of updates, the oldest are merged into one entry a version. */
export function capUpdaters(managed: ManagedFields): ManagedFields {
  const updaters = [...managed.owners].filter(([, { applied }]) => !applied).map(([id]) => id)
  if (updaters.length <= MAX_UPDATERS) return managed
  const owners = new Map(managed.owners)
  const times = new Map(managed.times)
  const age = (id: string): number => secondsOf(times.get(id))
  const oldestFirst = updaters.toSorted((left, right) => age(left) - age(right) || compareText(left, right))
  const firstOfVersion = new Map<string, string>()
  let count = updaters.length
  for (const id of oldestFirst) {
    if (count <= MAX_UPDATERS) break
    const owned = owners.get(id)
    if (owned === undefined) continue
    const { apiVersion } = owned
    const first = firstOfVersion.get(apiVersion)
    if (first === undefined) {
      firstOfVersion.set(apiVersion, id)
      continue
    }
    const bucket = managerId({ manager: BUCKET, operation: 'Update', apiVersion, subresource: '' })
    const merged = owners.get(bucket) ?? owners.get(first)
    if (!owners.has(bucket)) owners.delete(first)
    owners.set(bucket, { ...owned, fields: merged === undefined ? owned.fields : owned.fields.union(merged.fields) })
    owners.delete(id)
    const time = times.get(id)
    if (time !== undefined) times.set(bucket, time)
    count--
  }
  return { owners, times }
}
