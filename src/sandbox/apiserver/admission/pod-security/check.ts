import type { JsonObject } from '../../../../core/base/json.ts'
import { itemsAt, objectAt, textAt } from '../../kinds/common/fields.ts'
import type { Level } from './policy.ts'

/** A pod, or what a template makes one of. */
export interface PodToCheck {
  readonly spec: JsonObject
  readonly annotations: JsonObject
}

/** Why a pod is not allowed: in short, and with the values that are wrong. */
export interface Violation {
  readonly reason: string
  readonly detail: string
}

export type CheckPod = (pod: PodToCheck) => Violation | undefined

/** A control of the Pod Security Standards. */
export interface Check {
  readonly id: string
  readonly level: Exclude<Level, 'privileged'>
  /** From the oldest to the newest: since which minor version a pod is checked how. */
  readonly versions: readonly (readonly [since: number, check: CheckPod])[]
  /** Checks of `baseline` that it stands for. */
  readonly overrides?: string
}

export function containersOf(spec: JsonObject): readonly JsonObject[] {
  return [...itemsAt(spec, 'initContainers'), ...itemsAt(spec, 'containers'), ...itemsAt(spec, 'ephemeralContainers')]
}

export function securityOf(holder: JsonObject): JsonObject {
  return objectAt(holder, 'securityContext')
}

/** Names of the containers that are not as they should be. */
export function namesOf(spec: JsonObject, isBad: (container: JsonObject) => boolean): readonly string[] {
  return containersOf(spec)
    .filter(isBad)
    .map((container) => textAt(container, 'name'))
}

/** Names of the containers whose own security context is not as it should be. */
export function badContexts(spec: JsonObject, isBad: (context: JsonObject) => boolean): readonly string[] {
  return namesOf(spec, (container) => isBad(securityOf(container)))
}

/** `container "a"`, `containers "a", "b"`. */
export function containersText(names: readonly string[]): string {
  return `${plural(names.length, 'container')} ${quoted(names)}`
}

/** `pod and container "a"`: who set something. */
export function settersText(isPod: boolean, containers: readonly string[]): string {
  return [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [containersText(containers)] : [])].join(' and ')
}

export function plural(count: number, singular: string): string {
  return count === 1 ? singular : `${singular}s`
}

export function quoted(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(', ')
}

/** Each text once, in order. */
export function sortedSet(texts: Iterable<string>): readonly string[] {
  return [...new Set(texts)].sort()
}

/** Pods of Windows cannot say what they would have to. */
export function unlessWindows(check: CheckPod): CheckPod {
  return (pod) => (textAt(objectAt(pod.spec, 'os'), 'name') === 'windows' ? undefined : check(pod))
}

/** Root in a user namespace has no rights outside of it. */
export function unlessUserNamespace(check: CheckPod): CheckPod {
  return (pod) => (pod.spec.hostUsers === false ? undefined : check(pod))
}
