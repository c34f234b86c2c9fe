import type { JsonObject } from '../../base/json.ts'
import { ApiError } from '../../kube/api-error.ts'
import { apiVersionOf } from '../../kube/group-version-kind.ts'
import type { KubeObject } from '../../kube/object.ts'
import { goJson } from '../../schema/go-json.ts'
import { internalError, invalid, quote, type StatusCause } from '../api-status.ts'
import { checkKind } from './check-kind.ts'
import { decodeObject } from './decode-object.ts'
import type { ServerState, WriteRequest } from './write-request.ts'

/**
 * What a patch made, as an object of the kind; what does not fit is told with the whole. `complaints` are those about the
 * text of the patch.
 *
 * @throws ApiError
 */
export function decodePatched(
  state: ServerState,
  request: WriteRequest,
  patched: JsonObject,
  complaints: readonly string[],
): KubeObject {
  if (request.resource.custom) checkCustom(request, patched)
  try {
    checkKind(request.resource, patched, state.registry)
    return decodeObject(request, patched, complaints)
  } catch (error) {
    if (!(error instanceof ApiError) || error.httpStatus !== 400) throw error
    throw wrongPatch(patched, decodingCause(error))
  }
}

/** What is wrong with an object, without the words about which one it is. */
export function decodingCause({ message }: ApiError): string {
  return message.replace(/^.* cannot be handled as a \w+: /, '')
}

function wrongPatch(patched: JsonObject, cause: string): Error {
  const message = `Invalid value: ${quote(JSON.stringify(patched))}: ${cause}`
  return invalid({ group: '', kind: '' }, '', [{ reason: 'FieldValueInvalid', message, field: 'patch' }])
}

/** A patch may take away what a custom resource has to say itself. */
function checkCustom({ resource, name, fieldValidation, warn }: WriteRequest, patched: JsonObject): void {
  const { apiVersion, kind } = patched
  if (!kind) throw wrongPatch(patched, `Object 'Kind' is missing in '${goJson(patched)}'`)
  if (!apiVersion) throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'")
  const expected = apiVersionOf(resource.gvk)
  if (apiVersion === expected) return
  const unknown = Object.keys(patched).filter((field) => !['apiVersion', 'kind', 'metadata'].includes(field))
  if (fieldValidation === 'Warn') for (const field of unknown.sort()) warn(`unknown field ${quote(field)}`)
  const message = `Invalid value: ${quote(String(apiVersion))}: must be ${expected}`
  const cause: StatusCause = { reason: 'FieldValueInvalid', message, field: 'apiVersion' }
  throw invalid(resource, name, [cause])
}
