import { isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'

/** When all versions have the same schema, a server speaks of it as of one. */
export const COMMON_SCHEMA = 'spec.validation.'

/** `spec.ports[0].name` and `properties[size].type` as a path; it ends where the value does. */
export function pathOf(object: JsonValue, field: string): JsonPath {
  const place = field.startsWith(COMMON_SCHEMA) ? field.replace(COMMON_SCHEMA, 'spec.versions[0].schema.') : field
  const steps = place.split(/[.[\]]+/).filter((step) => step !== '')
  const path: (string | number)[] = []
  let here: JsonValue | undefined = object
  for (let at = 0; at < steps.length; at++) {
    if (isJsonArray(here)) {
      path.push(Number(steps[at]))
      here = here[Number(steps[at])]
      continue
    }
    // What a server has made of an object may have more in it than was written.
    if (!isJsonObject(here)) break
    const fields = here
    // A key may have dots of its own.
    const end = steps.findIndex(
      (_step, last) => last >= at && fields[steps.slice(at, last + 1).join('.')] !== undefined,
    )
    if (end < 0) break
    const key = steps.slice(at, end + 1).join('.')
    path.push(key)
    here = fields[key]
    at = end
  }
  return path
}
