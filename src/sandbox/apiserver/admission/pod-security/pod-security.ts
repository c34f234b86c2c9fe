import { type JsonObject, jsonEquals } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { causeOf } from '../../../../core/schema/field-error.ts'
import { invalid } from '../../api-status.ts'
import { itemsAt, objectAt, textAt } from '../../kinds/common/fields.ts'
import { kindInErrors } from '../../served-resource.ts'
import { type AdmissionAttributes, namespaceOf, refuse } from '../attributes.ts'
import type { PodToCheck } from './check.ts'
import { warningsOfPods } from './existing-pods.ts'
import { podToCheck, templateOf } from './pod-templates.ts'
import { asksNothing, compareLevels, isSameLevel, type LevelVersion, policyOf, printLevel } from './policy.ts'
import { inFull, violationsOf } from './standards.ts'

/**
 * Pods are as secure as the labels of their namespace ask, by the Pod Security Standards; workloads whose pods would not
 * be are warned of.
 *
 * @throws ApiError 403 for a pod, 422 for labels that say nothing
 */
export function checkPodSecurity(attributes: AdmissionAttributes): void {
  const { resource, subresource, object, old } = attributes
  if (!object) return
  if (resource.table === '/namespaces') {
    if (subresource === '') checkNamespace(attributes, object, old)
  } else if (resource.table === '/pods') {
    if (!HARMLESS.has(subresource)) checkPod(attributes, object)
  } else if (subresource === '') checkWorkload(attributes, object)
}

/** Subresources of pods that leave the spec alone. */
const HARMLESS = new Set(['binding', 'eviction', 'status'])

function checkNamespace(attributes: AdmissionAttributes, object: KubeObject, old: KubeObject | undefined): void {
  const { errors, enforce } = policyOf(object.metadata.labels)
  const before = policyOf(old?.metadata.labels)
  if (errors.length > 0 && !(old && jsonEquals(errors.map(causeOf), before.errors.map(causeOf)))) {
    throw invalid(kindInErrors(attributes.resource), attributes.name, errors.map(causeOf))
  }
  if (old && isStricter(enforce, before.enforce)) {
    const { state, name, request } = attributes
    const pods = state.store.table('/pods').list(name)
    for (const text of warningsOfPods(
      name,
      pods.map((pod) => pod.object),
      enforce,
    ))
      request.warn(text)
  }
}

/** Whether pods that were allowed may be so no longer. */
function isStricter(enforce: LevelVersion, before: LevelVersion): boolean {
  if (enforce.level === 'privileged' || isSameLevel(enforce, before)) return false
  return enforce.minor !== before.minor || compareLevels(enforce.level, before.level) > 0
}

function checkPod(attributes: AdmissionAttributes, object: KubeObject): void {
  const policy = policyOf(namespaceOf(attributes)?.metadata.labels)
  if (asksNothing(policy) || (attributes.old && !isSignificant(object, attributes.old))) return
  const pod = podToCheck(object)
  const violations = violationsOf(pod, policy.enforce)
  if (violations.length > 0) {
    throw refuse(attributes, `violates PodSecurity "${printLevel(policy.enforce)}": ${inFull(violations)}`)
  }
  warnOf(attributes, pod, policy.warn)
}

function checkWorkload(attributes: AdmissionAttributes, object: KubeObject): void {
  const pod = templateOf(attributes.resource.table, object)
  if (!pod) return
  const { warn } = policyOf(namespaceOf(attributes)?.metadata.labels)
  if (warn.level !== 'privileged') warnOf(attributes, pod, warn)
}

function warnOf({ request }: AdmissionAttributes, pod: PodToCheck, asked: LevelVersion): void {
  const violations = violationsOf(pod, asked)
  if (violations.length > 0) request.warn(`would violate PodSecurity "${printLevel(asked)}": ${inFull(violations)}`)
}

/** Of what may change in a pod, only images and new ephemeral containers are judged anew. */
function isSignificant(object: KubeObject, old: KubeObject): boolean {
  const [spec, oldSpec] = [objectAt(object, 'spec'), objectAt(old, 'spec')]
  if (['containers', 'initContainers'].some((list) => !jsonEquals(imagesOf(spec, list), imagesOf(oldSpec, list))))
    return true
  const before = new Set(itemsAt(oldSpec, 'ephemeralContainers').map(({ name }) => name))
  return itemsAt(spec, 'ephemeralContainers').some(({ name }) => !before.has(name))
}

function imagesOf(spec: JsonObject, list: string): readonly string[] {
  return itemsAt(spec, list).map((container) => textAt(container, 'image'))
}
