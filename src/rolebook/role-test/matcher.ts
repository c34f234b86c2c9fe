import { isJsonObject, type JsonValue } from '../../core/base/json.ts'

/** What stands in the place of a value in an expectation. */
export type Matcher =
  | { readonly kind: 'matches'; readonly source: string }
  | { readonly kind: 'equals'; readonly value: JsonValue }
  | { readonly kind: 'absent' }

/** A map with one of three keys and no other is a matcher. */
export function matcherOf(value: JsonValue | undefined): Matcher | undefined {
  if (!isJsonObject(value)) return undefined
  const [key, second] = Object.keys(value)
  if (key === undefined || second !== undefined) return undefined
  const given = value[key]
  if (key === 'matches' && typeof given === 'string') return { kind: 'matches', source: given }
  if (key === 'equals' && given !== undefined) return { kind: 'equals', value: given }
  return key === 'absent' && given === true ? { kind: 'absent' } : undefined
}
