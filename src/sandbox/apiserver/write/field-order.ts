import { isJsonArray, isJsonObject, type JsonValue } from '../../../core/base/json.ts'

/** Paths of fields (`spec.ports[0].name`) in the order in which they stand in a body. */
export function inBodyOrder(paths: readonly string[], body: JsonValue): readonly string[] {
  if (paths.length < 2) return paths
  const wanted = new Set(paths)
  const ordered: string[] = []
  const walk = (value: JsonValue | undefined, path: string): void => {
    if (wanted.delete(path)) ordered.push(path)
    if (isJsonArray(value)) for (const [index, item] of value.entries()) walk(item, `${path}[${index}]`)
    else if (isJsonObject(value)) {
      for (const [name, inner] of Object.entries(value)) walk(inner, path === '' ? name : `${path}.${name}`)
    }
  }
  walk(body, '')
  return [...ordered, ...wanted]
}
