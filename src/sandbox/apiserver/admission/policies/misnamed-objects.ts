import { CelList, CelMap, type CelValue } from '../../cel/values.ts'

/** Objects of a mutation are named after the path at which they stand: what is wrong with the first that is not. */
export function findMisnamed(value: CelValue, expected: string): string | undefined {
  if (value instanceof CelList) return first([...value], (item) => findMisnamed(item, expected))
  if (!(value instanceof CelMap) || value.typeName === 'map') return undefined
  if (value.typeName !== expected) {
    const names = `unexpected type name ${JSON.stringify(value.typeName)}, expected ${JSON.stringify(expected)}`
    return `${names}, which matches field name path from root Object type`
  }
  return first(value.keys(), (key) => findMisnamed(value.get(key) as CelValue, `${expected}.${String(key)}`))
}

function first<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
