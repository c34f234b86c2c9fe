import type { KubeObject } from '../../../core/kube/object.ts'
import { causeOf, type FieldError } from '../../../core/schema/field-error.ts'
import type { StatusCause } from '../api-status.ts'
import type { KindContext } from '../kinds/kind-rules.ts'
import { isJudgedLast, repeatedChecks } from './repeated-checks.ts'
import { contextOf } from './strategy.ts'
import { validateAnyMeta, validateKindMetaUpdate, validateMeta, validateMetaUpdate } from './validate-meta.ts'
import type { ServerState, WriteRequest } from './write-request.ts'

/** Everything wrong with an object, one cause a field; `old` is absent on creation. */
export function validateObject(
  state: ServerState,
  request: WriteRequest,
  object: KubeObject,
  old?: KubeObject,
): readonly StatusCause[] {
  const { resource } = request
  const first = validateFirst(state, request, object, old)
  if (first.length > 0) return first.map(causeOf)
  const kindErrors = validateKind(state, request, object, old)
  if (!old) {
    if (isJudgedLast(request) && kindErrors.length > 0) return kindErrors.map(causeOf)
    const found = [...validateMeta(object.metadata, resource), ...kindErrors]
    return (found.length > 0 ? found : validateAnyMeta(object.metadata, 'path-segment')).map(causeOf)
  }
  return [
    ...validateAnyMeta(object.metadata, 'path-segment'),
    ...validateMetaUpdate(object.metadata, old.metadata),
    ...validateForKind(request, { object, old, kindErrors, context: contextOf(state, request) }),
  ].map(causeOf)
}

interface Judged {
  readonly object: KubeObject
  readonly old: KubeObject
  readonly kindErrors: readonly FieldError[]
  readonly context: KindContext
}

/** What the strategy of a kind says of an update: the metadata once more, and what the kind has complaints about. */
function validateForKind(request: WriteRequest, { object, old, kindErrors, context }: Judged): readonly FieldError[] {
  const { resource, subresource } = request
  const state = (): readonly FieldError[] => validateMeta(object.metadata, resource)
  const change = (): readonly FieldError[] => validateKindMetaUpdate(object.metadata, old.metadata, resource)
  const { validateChange } = resource.rules
  if (validateChange && subresource === '')
    return [...state(), ...kindErrors, ...change(), ...validateChange(object, old, context)]
  const again = repeatedChecks(request).flatMap((check) => (check === 'state' ? state() : change()))
  return [...again, ...kindErrors]
}

function validateFirst(
  state: ServerState,
  request: WriteRequest,
  object: KubeObject,
  old: KubeObject | undefined,
): readonly FieldError[] {
  const { rules } = request.resource
  if (request.subresource !== '' || !rules.validateFirst) return []
  return rules.validateFirst(object, old, contextOf(state, request))
}

function validateKind(
  state: ServerState,
  request: WriteRequest,
  object: KubeObject,
  old: KubeObject | undefined,
): readonly FieldError[] {
  const { resource, subresource } = request
  const { rules } = resource
  const context = contextOf(state, request)
  if (subresource === 'binding') return []
  if (subresource === 'status' && old) return rules.validateStatusUpdate?.(object, old, context) ?? []
  const own = old && rules.subresources?.[subresource]
  return (own ? own.validate(object, old, context) : rules.validate?.(object, old, context)) ?? []
}
