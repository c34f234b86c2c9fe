import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../../../../core/base/json.ts'
import { statusError } from '../../api-status.ts'
import { checkPathSegment } from '../../write/names.ts'
import { itemsAt, numberAt, objectAt, textAt, withDefaults } from '../common/fields.ts'
import type { KindContext } from '../kind-rules.ts'

const RUNTIME_CLASS = { group: 'node.k8s.io', version: 'v1', kind: 'RuntimeClass' }

type Refuse = (cause: string) => Error

/**
 * The spec of a new pod with what its RuntimeClass adds: the resources that pods of the class take beside their containers, and to
 * which nodes they go.
 *
 * @throws ApiError 403 when there is no such class, or the pod says otherwise
 */
export function withRuntimeClass(spec: JsonObject, { objects }: KindContext, refuse: Refuse): JsonObject {
  const { runtimeClassName: name } = spec
  const found = typeof name === 'string' ? objects.get(RUNTIME_CLASS, { namespace: '', name: asked(name) }) : undefined
  if (typeof name === 'string' && !found) throw refuse(`pod rejected: RuntimeClass ${JSON.stringify(name)} not found`)
  const charged = withOverhead(spec, found?.overhead, refuse)
  return isJsonObject(found?.scheduling) ? withScheduling(charged, found.scheduling, refuse) : charged
}

/**
 * Called for a pod that is valid, after `withRuntimeClass`: what it takes beside its containers is for its class to say.
 *
 * @throws ApiError 403
 */
export function checkOverhead(
  { overhead, runtimeClassName }: JsonObject,
  { objects }: KindContext,
  refuse: Refuse,
): void {
  const name = typeof runtimeClassName === 'string' ? runtimeClassName : ''
  if (overhead === undefined || isJsonObject(objects.get(RUNTIME_CLASS, { namespace: '', name })?.overhead)) return
  throw refuse('pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead')
}

/** @throws ApiError 500, as a client of the server's own refuses to ask for such a name */
function asked(name: string): string {
  if (name === '') throw statusError(500, '', 'resource name may not be empty')
  const complaints = checkPathSegment(name)
  if (complaints.length === 0) return name
  throw statusError(500, '', `invalid resource name ${JSON.stringify(name)}: [${complaints.join(' ')}]`)
}

function withOverhead(spec: JsonObject, overhead: JsonValue | undefined, refuse: Refuse): JsonObject {
  if (!isJsonObject(overhead)) return spec
  const { podFixed } = overhead
  const given = objectAt(spec, 'overhead')
  if (Object.keys(given).length > 0 && !jsonEquals(given, podFixed)) {
    throw refuse("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead")
  }
  return { ...spec, overhead: podFixed }
}

function withScheduling(spec: JsonObject, scheduling: JsonObject, refuse: Refuse): JsonObject {
  const wanted = objectAt(scheduling, 'nodeSelector')
  const own = objectAt(spec, 'nodeSelector')
  for (const [key, value] of Object.entries(wanted)) {
    if (own[key] === undefined || own[key] === value) continue
    const [ofClass, ofPod] = [`runtimeClass.scheduling.nodeSelector[${key}]`, `pod.spec.nodeSelector[${key}]`]
    throw refuse(`conflict: ${ofClass} = ${value}; ${ofPod} = ${own[key]}`)
  }
  const selector = withDefaults(own, wanted)
  const tolerations = mergeTolerations([...itemsAt(spec, 'tolerations'), ...itemsAt(scheduling, 'tolerations')])
  return {
    ...spec,
    ...(Object.keys(selector).length > 0 && { nodeSelector: selector }),
    ...(tolerations.length > 0 && { tolerations }),
  }
}

/** Without those that another one covers; of two that are alike, the first stays. */
function mergeTolerations(all: readonly JsonObject[]): readonly JsonObject[] {
  const merged: JsonObject[] = []
  for (const [index, toleration] of all.entries()) {
    const isCovered =
      merged.some((other) => covers(other, toleration)) ||
      all.slice(index + 1).some((other) => !jsonEquals(other, toleration) && covers(other, toleration))
    if (!isCovered) merged.push(toleration)
  }
  return merged
}

function covers(wide: JsonObject, narrow: JsonObject): boolean {
  if (jsonEquals(wide, narrow)) return true
  const [key, operator, effect] = ['key', 'operator', 'effect'].map((name) => textAt(wide, name))
  if (textAt(narrow, 'key') !== key && (key !== '' || operator !== 'Exists')) return false
  if (textAt(narrow, 'effect') !== effect && effect !== '') return false
  const { tolerationSeconds: longest } = wide
  const isLonger = narrow.tolerationSeconds === undefined || numberAt(narrow, 'tolerationSeconds') > Number(longest)
  if (effect === 'NoExecute' && longest !== undefined && isLonger) return false
  if (operator === 'Exists') return true
  const isEqual = operator === 'Equal' || operator === ''
  return isEqual && narrow.operator === 'Equal' && textAt(narrow, 'value') === textAt(wide, 'value')
}
