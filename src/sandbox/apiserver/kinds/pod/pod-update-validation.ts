import { type JsonObject, type JsonValue, jsonEquals } from '../../../../core/base/json.ts'
import { type FieldErrors, forbidden, inRange, invalid, required } from '../common/field-errors.ts'
import { itemsAt, textAt } from '../common/fields.ts'
import { withoutField } from '../common/strategies.ts'
import { validateTolerations } from '../pod-spec/scheduling-validation.ts'
import { validateGatedUpdate } from './gated-update-validation.ts'

/** Complaints about what an update changes in the spec of a pod; `stored` is the spec as it will be stored. */
export function validatePodUpdate(spec: JsonObject, old: JsonObject, stored: JsonObject): FieldErrors {
  const errors: FieldErrors[number][] = []
  for (const list of ['containers', 'initContainers']) {
    const found = validateContainerList(spec, old, list)
    errors.push(...found)
    // The server stops here when containers were added or removed, because it cannot pair the old and new ones.
    if (found.some(({ type }) => type === 'Forbidden')) return errors
  }
  const deadline = validateDeadline(spec.activeDeadlineSeconds, old.activeDeadlineSeconds)
  const isBeyond = deadline.length > 0 && typeof spec.activeDeadlineSeconds === 'number'
  errors.push(...deadline)
  if (isBeyond) return errors
  const isGated = itemsAt(old, 'schedulingGates').length > 0
  return [
    ...errors,
    ...validateAddedTolerations(spec, old),
    ...validateRemovedGates(spec, old),
    ...(isGated ? validateGatedUpdate(spec, old) : []),
    ...validateRest(stored, old, isGated),
  ]
}

function validateContainerList(spec: JsonObject, old: JsonObject, list: string): FieldErrors {
  const containers = itemsAt(spec, list)
  if (containers.length !== itemsAt(old, list).length) {
    return [forbidden(`spec.${list}`, 'pod updates may not add or remove containers')]
  }
  return containers.flatMap((container, index) => {
    const field = `spec.${list}[${index}].image`
    const image = textAt(container, 'image')
    if (image === '') return [required(field)]
    return image === image.trim() ? [] : [invalid(field, image, 'must not have leading or trailing whitespace')]
  })
}

/** It may be set, and shortened. */
function validateDeadline(deadline: JsonValue | undefined, old: JsonValue | undefined): FieldErrors {
  const field = 'spec.activeDeadlineSeconds'
  if (typeof deadline !== 'number') {
    return typeof old === 'number' ? [invalid(field, null, 'must not update from a positive integer to nil value')] : []
  }
  const errors = inRange(field, deadline, [0, 2147483647])
  if (errors.length > 0 || typeof old !== 'number' || deadline <= old) return errors
  return [invalid(field, deadline, 'must be less than or equal to previous value')]
}

/** Those of before stay, but for how long. The server looks at all of them a second time. */
function validateAddedTolerations(spec: JsonObject, old: JsonObject): FieldErrors {
  const field = 'spec.tolerations'
  const now = itemsAt(spec, 'tolerations')
  const isKept = (toleration: JsonObject): boolean => {
    const kept = withoutField(toleration, 'tolerationSeconds')
    return now.some((each) => jsonEquals(withoutField(each, 'tolerationSeconds'), kept))
  }
  if (itemsAt(old, 'tolerations').every(isKept)) return validateTolerations(now, field)
  return [forbidden(field, 'existing toleration can not be modified except its tolerationSeconds')]
}

/** Gates are opened, and none is put up. */
function validateRemovedGates(spec: JsonObject, old: JsonObject): FieldErrors {
  const before = itemsAt(old, 'schedulingGates').map((gate) => textAt(gate, 'name'))
  const names = itemsAt(spec, 'schedulingGates').map((gate) => textAt(gate, 'name'))
  return names.flatMap((name, index) => {
    if (before.includes(name) || names.lastIndexOf(name) !== index) return []
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`
    return [forbidden(`spec.schedulingGates[${index}].name`, detail)]
  })
}

const CHANGEABLE =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

/** Nothing else may differ. The server adds what differs in its own notation of structs; we do not. */
function validateRest(spec: JsonObject, old: JsonObject, isGated: boolean): FieldErrors {
  const [now, before] = [frozenParts(spec, isGated), frozenParts(old, isGated)]
  if (jsonEquals(now, before)) return []
  return [forbidden('spec', `pod updates may not change fields other than ${CHANGEABLE}`)]
}

/** A spec without what may change. A grace period never does: creation leaves none that is negative. */
function frozenParts(spec: JsonObject, isGated: boolean): JsonObject {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, schedulingGates: _gates, ...rest } = spec
  const withoutImages = (list: string): readonly JsonObject[] =>
    itemsAt(spec, list).map((container) => withoutField(container, 'image'))
  return {
    ...(isGated ? withoutPlaces(rest) : rest),
    containers: withoutImages('containers'),
    initContainers: withoutImages('initContainers'),
  }
}

/** Without what says to which nodes a pod may go. */
function withoutPlaces({ nodeSelector: _selector, affinity, ...rest }: JsonObject): JsonObject {
  const others = withoutField((affinity ?? {}) as JsonObject, 'nodeAffinity')
  return Object.keys(others).length === 0 ? rest : { ...rest, affinity: others }
}
