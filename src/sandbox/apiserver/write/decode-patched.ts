import type { JsonObject, JsonValue } from '../../../core/base/json.ts'
import { ApiError } from '../../../core/kube/api-error.ts'
import { apiVersionOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { goJson } from '../../../core/schema/go-json.ts'
import { internalError, invalid, quote, type StatusCause } from '../api-status.ts'
import { plain } from '../apply/go-format.ts'
import { DecodeProblem } from '../kinds/decode/go-types.ts'
import { wrapIntegers } from '../kinds/decode/wrap-integers.ts'
import { checkKind, wrongTypeMeta } from './check-kind.ts'
import { decodeObject } from './decode-object.ts'
import { nameless } from './update-object.ts'
import type { ServerState, WriteRequest } from './write-request.ts'

/** What a strategic merge patch made: its kind is that of the path, and what does not fit is reported in other words. */
export function decodeMerged(
  request: WriteRequest,
  merged: JsonObject,
  { body, complaints }: { readonly body: JsonValue; readonly complaints: readonly string[] },
): KubeObject {
  const { gvk, kind } = request.resource
  const warnings: string[] = []
  const warn = (text: string): void => void warnings.push(text)
  try {
    const wrapped = wrapIntegers(merged, request.resource.schema) as JsonObject
    const typed = { ...wrapped, apiVersion: apiVersionOf(gvk), kind }
    const decoded = decodeObject({ ...request, warn }, typed, complaints)
    for (const warning of warnings) request.warn(warning)
    return decoded
  } catch (error) {
    if (!(error instanceof ApiError) || error.httpStatus !== 400) throw error
    throw wrongPatch(plain(body), fromUnstructured(error))
  }
}

/** What Go says of an object that does not fit when it does not decode text, but data. */
export function fromUnstructured(error: ApiError): string {
  return error.cause instanceof DecodeProblem ? error.cause.printForData() : decodingCause(error)
}

/**
 * What a patch made, as an object of the kind; what does not fit is reported with the whole. `complaints` are those about the
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
  else checkTypeMeta(request, patched)
  try {
    checkKind(request.resource, patched, state.registry)
    return decodeObject(request, patched, complaints)
  } catch (error) {
    if (!(error instanceof ApiError) || error.httpStatus !== 400) throw error
    throw wrongPatch(JSON.stringify(patched), decodingCause(error))
  }
}

/** Without a version, the server finds no name in what a patch has made. */
function checkTypeMeta(request: WriteRequest, patched: JsonObject): void {
  const cause = wrongTypeMeta(patched)
  if (cause !== undefined) throw wrongPatch(JSON.stringify(patched), cause)
  if (!patched.apiVersion) throw nameless(request)
}

/** What is wrong with an object, without the words about which one it is. */
export function decodingCause({ message }: ApiError): string {
  return message.replace(/^.* cannot be handled as a \w+: /, '')
}

function wrongPatch(value: string, cause: string): Error {
  const message = `Invalid value: ${quote(value)}: ${cause}`
  return invalid({ group: '', kind: '' }, '', [{ reason: 'FieldValueInvalid', message, field: 'patch' }])
}

/** A patch may take away what a custom resource has to say itself. */
function checkCustom({ resource, name, fieldValidation, warn }: WriteRequest, patched: JsonObject): void {
  // What is no text is as good as missing to a server that reads it as unstructured data.
  const [apiVersion, kind] = [patched.apiVersion, patched.kind].map((value) => (typeof value === 'string' ? value : ''))
  if (!kind) throw wrongPatch(JSON.stringify(patched), `Object 'Kind' is missing in '${goJson(patched)}'`)
  if (!apiVersion) throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'")
  const expected = apiVersionOf(resource.gvk)
  if (apiVersion === expected) return
  const unknown = Object.keys(patched).filter((field) => !['apiVersion', 'kind', 'metadata'].includes(field))
  if (fieldValidation === 'Warn') for (const field of unknown.sort()) warn(`unknown field ${quote(field)}`)
  const message = `Invalid value: ${quote(apiVersion)}: must be ${expected}`
  const cause: StatusCause = { reason: 'FieldValueInvalid', message, field: 'apiVersion' }
  throw invalid(resource, name, [cause])
}
