import { type JsonObject, jsonEquals } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { type FieldErrors, forbidden, invalid } from '../common/field-errors.ts'
import { itemsAt, objectAt } from '../common/fields.ts'
import type { SubresourceRules } from '../kind-rules.ts'
import { isMirror, NOWHERE, withSpec } from './ephemeral-containers.ts'
import { validateState } from './pod-validation.ts'
import { qosClassOf } from './qos-class.ts'

const LISTS = ['containers', 'initContainers'] as const

/** `pods/resize`: CPU and memory of containers, and of the whole pod. */
export const resize: SubresourceRules = {
  prepareForUpdate: (object, old) => {
    const [wanted, spec] = [objectAt(object, 'spec'), objectAt(old, 'spec')]
    // Refused later: containers neither come nor go.
    if (LISTS.some((list) => itemsAt(wanted, list).length !== itemsAt(spec, list).length)) return object
    const resized = LISTS.map((list) => [list, spec[list] && resizedContainers(wanted, spec, list)])
    return withSpec(object, old, { ...spec, resources: wanted.resources, ...Object.fromEntries(resized) })
  },
  validate: (object, old, { stored }) => {
    if (isMirror(old)) return [forbidden(NOWHERE, 'static pods cannot be resized')]
    const [spec, before] = [objectAt(object, 'spec'), objectAt(old, 'spec')]
    if (objectAt(before, 'os').name === 'windows') return [forbidden(NOWHERE, 'windows pods cannot be resized')]
    const errors = [...validateState(spec, before), ...validatePodAlone(object, old), ...validateWhole(spec, before)]
    const misplaced = LISTS.flatMap((list) => validateOrder(spec, before, list))
    if (misplaced.length > 0) return [...errors, ...misplaced]
    return [
      ...errors,
      ...['initContainers', 'containers'].flatMap((list) => validateKept(spec, before, list)),
      ...validateContainers(objectAt(stored(object), 'spec'), before),
      ...validateInitContainers(objectAt(stored(object), 'spec'), before),
    ]
  },
}

/** Those wanted, when they are not the same ones: that is refused later. */
function resizedContainers(wanted: JsonObject, spec: JsonObject, list: string): readonly JsonObject[] {
  const containers = itemsAt(wanted, list)
  const old = itemsAt(spec, list)
  if (containers.some(({ name }, index) => name !== old[index]?.name)) return containers
  return containers.map(({ resources, resizePolicy }, index) => ({ ...old[index], resources, resizePolicy }))
}

function validatePodAlone(object: KubeObject, old: KubeObject): FieldErrors {
  const { qosClass = qosClassOf(objectAt(old, 'spec')) } = objectAt(old, 'status')
  const isSame = qosClass === qosClassOf(objectAt(object, 'spec'))
  return [
    ...(isSame ? [] : [invalid('spec', qosClass, 'Pod QOS Class may not change as a result of resizing')]),
    ...(isSupported(old) ? [] : [forbidden('spec', 'Pod running on node without support for resize')]),
  ]
}

/** A node that supports resizing reports the resources of running containers. */
function isSupported(pod: KubeObject): boolean {
  const statuses = itemsAt(objectAt(pod, 'status'), 'containerStatuses')
  const running = statuses.find((status) => objectAt(status, 'state').running !== undefined)
  return running === undefined || running.resources !== undefined
}

/** What the pod says of itself. */
function validateWhole(spec: JsonObject, old: JsonObject): FieldErrors {
  const field = 'spec.resources'
  if (!hasAmounts(spec) && !hasAmounts(old)) return []
  if (old.resources !== undefined && spec.resources === undefined) {
    return [forbidden(field, 'pod-level resources cannot be removed')]
  }
  const isFixed = jsonEquals(otherAmounts(spec), otherAmounts(old))
  return [
    ...(old.resources === undefined ? [] : validateNotRemoved(spec, old, { field, what: 'pod-level resource' })),
    ...(isFixed ? [] : [forbidden('spec', 'only cpu and memory resources are mutable at pod-level')]),
  ]
}

function hasAmounts(holder: JsonObject): boolean {
  const { limits, requests } = amountsOf(holder)
  return Object.keys(limits).length > 0 || Object.keys(requests).length > 0
}

function validateOrder(spec: JsonObject, old: JsonObject, list: string): FieldErrors {
  const [containers, before] = [itemsAt(spec, list), itemsAt(old, list)]
  if (containers.length !== before.length) {
    return [forbidden(`spec.${list}`, `${list} may not be added or removed on resize`)]
  }
  return containers.flatMap(({ name }, index) => {
    if (name === before[index]?.name) return []
    return [forbidden(`spec.${list}[${index}].name`, `${list} may not be renamed or reordered on resize`)]
  })
}

function validateKept(spec: JsonObject, old: JsonObject, list: string): FieldErrors {
  const before = itemsAt(old, list)
  return itemsAt(spec, list).flatMap((container, index) => {
    const field = `spec.${list}[${index}].resources`
    return validateNotRemoved(container, before[index] as JsonObject, { field, what: 'resource' })
  })
}

function validateNotRemoved(
  holder: JsonObject,
  old: JsonObject,
  { field, what }: { readonly field: string; readonly what: string },
): FieldErrors {
  const [now, before] = [amountsOf(holder), amountsOf(old)]
  return (['requests', 'limits'] as const).flatMap((each) => {
    if (Object.keys(before[each]).every((name) => now[each][name] !== undefined)) return []
    return [forbidden(`${field}.${each}`, `${what} ${each} cannot be removed`)]
  })
}

function validateContainers(spec: JsonObject, old: JsonObject): FieldErrors {
  const before = itemsAt(old, 'containers')
  const changed = itemsAt(spec, 'containers').filter((each, index) => !isOnlyResized(each, before[index] as JsonObject))
  return changed.map(() => forbidden('spec', 'only cpu and memory resources are mutable'))
}

function validateInitContainers(spec: JsonObject, oldSpec: JsonObject): FieldErrors {
  const before = itemsAt(oldSpec, 'initContainers')
  return itemsAt(spec, 'initContainers').flatMap((container, index) => {
    const field = `spec.initContainers[${index}]`
    const old = before[index] as JsonObject
    const isOneShot = container.restartPolicy !== 'Always' && !jsonEquals(container, old)
    const restarting = itemsAt(container, 'resizePolicy').filter((each) => each.restartPolicy === 'RestartContainer')
    const once = 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized'
    return [
      ...(isOnlyResized(container, old)
        ? []
        : [forbidden(field, 'only cpu and memory resources for init or sidecar containers are mutable')]),
      ...(isOneShot ? restarting.map(() => forbidden(field, once)) : []),
    ]
  })
}

function isOnlyResized(container: JsonObject, old: JsonObject): boolean {
  const { resources: _now, ...rest } = container
  const { resources: _then, ...before } = old
  // What has claims cannot be resized.
  if (objectAt(old, 'resources').claims !== undefined || !jsonEquals(rest, before)) return false
  return jsonEquals(otherAmounts(container), otherAmounts(old))
}

/** What cannot be resized. */
function otherAmounts(holder: JsonObject): JsonObject {
  const { limits, requests } = amountsOf(holder)
  return { limits: withoutCompute(limits), requests: withoutCompute(requests) }
}

function withoutCompute({ cpu: _cpu, memory: _memory, ...others }: JsonObject): JsonObject {
  return others
}

function amountsOf(holder: JsonObject): { readonly limits: JsonObject; readonly requests: JsonObject } {
  const resources = objectAt(holder, 'resources')
  return { limits: objectAt(resources, 'limits'), requests: objectAt(resources, 'requests') }
}
