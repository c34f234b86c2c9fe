import { isJsonArray, isJsonObject, type JsonValue } from '../../../../core/base/json.ts'
import { DEDUCED, type MergeType } from '../../../../core/schema/merge-type.ts'

/** Where a value holds maps and lists that are replaced as a whole: an apply would remove what it does not name. */
export function findAtomics(value: JsonValue, type: MergeType, path = ''): readonly string[] {
  if (isJsonObject(value) && type.map) {
    const { map } = type
    const inner = Object.entries(value).flatMap(([name, field]) =>
      findAtomics(field as JsonValue, map.field(name) ?? DEDUCED, `${path}.${name}`),
    )
    return map.atomic && path !== '' ? [path, ...inner] : inner
  }
  if (!isJsonArray(value) || !type.list) return []
  const { list } = type
  const inner = value.flatMap((item, index) => findAtomics(item, list.element, `${path}[${index}]`))
  return list.kind === 'atomic' ? [path, ...inner] : inner
}
