import { isJsonObject, type JsonObject, jsonEquals } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { type FieldErrors, forbidden, inRange, invalid, required } from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt } from '../common/fields.ts'
import { validatePodSpec } from '../pod-spec/pod-spec-validation.ts'
import { validateMadeClaims } from '../pod-spec/volumes-validation.ts'

/** Complaints about a pod, and about what an update changes in it. */
export function validatePod(object: KubeObject, old?: KubeObject): FieldErrors {
  const spec = objectAt(object, 'spec')
  return [
    ...validateState(spec),
    ...validateMadeClaims(spec, object.metadata.name ?? ''),
    ...(old ? validateUpdate(spec, objectAt(old, 'spec')) : validateNew(spec)),
  ]
}

/** Complaints about the spec of a pod, whatever has changed in it. */
export function validateState(spec: JsonObject): FieldErrors {
  return [...validatePodSpec(spec, 'spec'), ...validateImages(spec), ...validateImageVolumes(spec)]
}

/** Only Pods refuse images with spaces around them; templates do not. */
function validateImages(spec: JsonObject): FieldErrors {
  return ['initContainers', 'containers'].flatMap((list) =>
    itemsAt(spec, list).flatMap((container, index) => {
      const image = textAt(container, 'image')
      if (image === image.trim()) return []
      return [invalid(`spec.${list}[${index}].image`, image, 'must not have leading or trailing whitespace')]
    }),
  )
}

/** A template may leave the image of a volume open; a pod must not. */
function validateImageVolumes(spec: JsonObject): FieldErrors {
  return itemsAt(spec, 'volumes').flatMap(({ image }, index) =>
    isJsonObject(image) && textAt(image, 'reference') === ''
      ? [required(`spec.volumes[${index}].image.reference`)]
      : [],
  )
}

/** What comes later in the life of a pod. */
function validateNew(spec: JsonObject): FieldErrors {
  const isGated = itemsAt(spec, 'schedulingGates').length > 0 && textAt(spec, 'nodeName') !== ''
  return [
    ...(itemsAt(spec, 'ephemeralContainers').length > 0
      ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(isGated ? [forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')] : []),
  ]
}

function validateUpdate(spec: JsonObject, old: JsonObject): FieldErrors {
  const containers = ['containers', 'initContainers'].flatMap((list) => validateContainerList(spec, old, list))
  if (containers.some(({ type }) => type === 'Forbidden')) return containers
  const deadline = validateDeadline(spec.activeDeadlineSeconds, old.activeDeadlineSeconds)
  if (deadline.length > 0) return [...containers, ...deadline]
  return [...containers, ...validateTolerations(spec, old), ...validateRest(spec, old)]
}

function validateContainerList(spec: JsonObject, old: JsonObject, list: string): FieldErrors {
  const containers = itemsAt(spec, list)
  if (containers.length !== itemsAt(old, list).length) {
    return [forbidden(`spec.${list}`, 'pod updates may not add or remove containers')]
  }
  return containers.flatMap((container, index) => {
    const field = `spec.${list}[${index}].image`
    return textAt(container, 'image').trim() === '' ? [required(field)] : []
  })
}

type Deadline = JsonObject[string]

/** It may be set, and shortened. */
function validateDeadline(deadline: Deadline, old: Deadline): FieldErrors {
  const field = 'spec.activeDeadlineSeconds'
  if (typeof old !== 'number') return typeof deadline === 'number' ? inRange(field, deadline, [0, 2147483647]) : []
  if (typeof deadline !== 'number') {
    return [invalid(field, null, 'must not update from a positive integer to nil value')]
  }
  return deadline > old ? [invalid(field, deadline, 'must be less than or equal to previous value')] : []
}

function validateTolerations(spec: JsonObject, old: JsonObject): FieldErrors {
  const now = itemsAt(spec, 'tolerations')
  const isKept = (toleration: JsonObject): boolean => {
    const { tolerationSeconds: _seconds, ...rest } = toleration
    return now.some(({ tolerationSeconds: _other, ...each }) => jsonEquals(each, rest))
  }
  if (itemsAt(old, 'tolerations').every(isKept)) return []
  return [forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')]
}

const CHANGEABLE =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

/** Nothing else may differ. The server adds what differs in its own notation of structs; we do not. */
function validateRest(spec: JsonObject, old: JsonObject): FieldErrors {
  if (jsonEquals(frozenParts(spec), frozenParts(old))) return []
  return [forbidden('spec', `pod updates may not change fields other than ${CHANGEABLE}`)]
}

/** A spec without what may change. A grace period never does: creation leaves none that is negative. */
function frozenParts(spec: JsonObject): JsonObject {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, schedulingGates: _gates, ...rest } = spec
  const withoutImages = (list: string): readonly JsonObject[] =>
    itemsAt(spec, list).map(({ image: _image, ...container }) => container)
  return {
    ...rest,
    containers: withoutImages('containers'),
    initContainers: withoutImages('initContainers'),
  }
}
