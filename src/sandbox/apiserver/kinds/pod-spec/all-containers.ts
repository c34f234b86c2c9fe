import type { JsonObject } from '../../../../core/base/json.ts'
import { itemsAt } from '../common/fields.ts'

/** Containers of all sorts with their places, in the order in which the server visits them. */
export function allContainers(spec: JsonObject, field: string): readonly (readonly [JsonObject, string])[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    itemsAt(spec, list).map((container, index) => [container, `${field}.${list}[${index}]`] as const),
  )
}
