import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { type FieldErrors, forbidden, invalid, required } from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt } from '../common/fields.ts'
import type { KindContext } from '../kind-rules.ts'
import { validatePodSpec } from '../pod-spec/pod-spec-validation.ts'
import { validateMadeClaims } from '../pod-spec/volumes-validation.ts'
import { validatePodUpdate } from './pod-update-validation.ts'

/** Complaints about a pod, and about what an update changes in it. */
export function validatePod(object: KubeObject, old: KubeObject | undefined, { stored }: KindContext): FieldErrors {
  const spec = objectAt(object, 'spec')
  return [
    ...validateState(spec, objectAt(old, 'spec')),
    ...validateMadeClaims(spec, object.metadata.name ?? ''),
    ...(old ? validatePodUpdate(spec, objectAt(old, 'spec'), objectAt(stored(object), 'spec')) : validateNew(spec)),
  ]
}

/** Errors in the spec of a pod that do not depend on what has changed in it. */
export function validateState(spec: JsonObject, old: JsonObject): FieldErrors {
  return [...validatePodSpec(spec, 'spec', old), ...validateImages(spec), ...validateImageVolumes(spec)]
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
