import type { JsonObject } from '../../../../core/base/json.ts'
import { itemsAt, mapItems, numberAt, textAt, withDefaults } from '../common/fields.ts'
import { withoutField } from '../common/strategies.ts'

const STATUSES = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses']

/** A status that keeps what its writer left out of old knowledge, and has nothing that is behind a closed gate. */
export function withSeenParts(given: JsonObject, old: JsonObject): JsonObject {
  const kept = withDefaults(given, { qosClass: old.qosClass, observedGeneration: old.observedGeneration })
  return withoutClosed(withConditionGenerations(kept, old))
}

/** Conditions of a type keep the generations of those before, in their order. */
function withConditionGenerations(status: JsonObject, old: JsonObject): JsonObject {
  const known = new Map<string, number[]>()
  for (const condition of itemsAt(old, 'conditions')) {
    const type = textAt(condition, 'type')
    known.set(type, [...(known.get(type) ?? []), numberAt(condition, 'observedGeneration')])
  }
  return mapItems(status, 'conditions', (condition) => {
    const generation = known.get(textAt(condition, 'type'))?.shift() ?? 0
    return generation === 0 ? condition : withDefaults(condition, { observedGeneration: generation })
  })
}

function withoutClosed(status: JsonObject): JsonObject {
  return STATUSES.reduce(
    (each, list) =>
      mapItems(each, list, (container) => mapItems(container, 'volumeMounts', (mount) => omit(mount, 'volumeStatus'))),
    omit(status, 'nodeAllocatableResourceClaimStatuses'),
  )
}

/** The object itself when it has no such field. */
function omit(object: JsonObject, name: string): JsonObject {
  return object[name] === undefined ? object : withoutField(object, name)
}
