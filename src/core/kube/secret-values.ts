import { isJsonObject } from '../base/json.ts'
import type { KubeObject } from './object.ts'

/** The values of a Secret, by key, as they stand in it: in base64. Of any other object: none. */
export function secretValues({ apiVersion, kind, data }: KubeObject): readonly (readonly [string, string])[] {
  if (apiVersion !== 'v1' || kind !== 'Secret' || !isJsonObject(data)) return []
  return Object.entries(data).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value] as const] : []))
}
