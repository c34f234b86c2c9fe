import type { KubeObject } from '../../kube/object.ts'
import { causeOf, type FieldError } from '../../schema/field-error.ts'
import type { StatusCause } from '../api-status.ts'
import { contextOf } from './strategy.ts'
import { validateMeta, validateMetaUpdate } from './validate-meta.ts'
import type { ServerState, WriteRequest } from './write-request.ts'

/** Everything wrong with an object, one cause a field; `old` is absent on creation. */
export function validateObject(
  state: ServerState,
  request: WriteRequest,
  object: KubeObject,
  old?: KubeObject,
): readonly StatusCause[] {
  const metaErrors = validateMeta(object.metadata, request.resource)
  // The real server checks what an update may not change twice, and says so twice.
  const changeErrors = old ? validateMetaUpdate(object.metadata, old.metadata) : []
  return [...metaErrors, ...changeErrors, ...changeErrors, ...validateKind(state, request, object, old)].map(causeOf)
}

function validateKind(
  state: ServerState,
  { resource, subresource }: WriteRequest,
  object: KubeObject,
  old: KubeObject | undefined,
): readonly FieldError[] {
  const { rules } = resource
  const context = contextOf(state)
  if (subresource === 'binding') return []
  if (subresource === 'status' && old) return rules.validateStatusUpdate?.(object, old, context) ?? []
  return rules.validate?.(object, old, context) ?? []
}
