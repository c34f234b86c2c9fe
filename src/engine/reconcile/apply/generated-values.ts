import { isJsonObject, type JsonObject } from '../../../core/base/json.ts'
import { type RandomBytes, randomText } from '../../../core/base/random-text.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { GeneratedKey } from '../../role/generated-key.ts'
import { TaskFailure } from '../../role/task-outcome.ts'

/**
 * Adds generated values to a Secret: those of the live object, and new ones for keys that it lacks.
 *
 * `live` must come from the server. A cache may be older, and a new value would replace one that is in use.
 *
 * @throws TaskFailure when the manifest gives one of the keys itself
 */
export function withGeneratedValues(
  manifest: KubeObject,
  live: KubeObject | undefined,
  { keys, random }: { readonly keys: readonly GeneratedKey[]; readonly random: RandomBytes },
): KubeObject {
  const data = dataOf(manifest)
  const present = dataOf(live)
  const generated: { [key: string]: string } = {}
  for (const { key, length, characters } of keys) {
    if (data[key] !== undefined) throw givenTwice(key)
    const value = present[key]
    const isThere = typeof value === 'string' && value !== ''
    generated[key] = isThere ? value : Buffer.from(randomText(length, characters, random)).toString('base64')
  }
  return { ...manifest, data: { ...data, ...generated } }
}

function dataOf(object: KubeObject | undefined): JsonObject {
  return isJsonObject(object?.data) ? object.data : {}
}

function givenTwice(key: string): TaskFailure {
  const message = `cannot generate \`data.${key}\`: the manifest sets it, too (remove one of them)`
  return new TaskFailure('Invalid', message)
}
