import { isJsonObject, type JsonValue } from '../../base/json.ts'
import type { KubeObject } from '../../kube/object.ts'
import { badRequest } from '../api-status.ts'
import { decodeObject } from '../write/decode-object.ts'
import { findDuplicateFields } from '../write/duplicate-fields.ts'
import type { WriteRequest } from '../write/write-request.ts'
import { unsupportedMediaType } from './accept.ts'
import type { ApiRequest } from './api-request.ts'

/**
 * The object in the body of a POST or PUT.
 *
 * @throws ApiError 400, 415
 */
export function decodeBody(request: ApiRequest, write: WriteRequest): KubeObject {
  if (mediaTypeOf(request) !== 'application/json') throw unsupportedMediaType()
  const body = parseJson(request.body)
  if (!isJsonObject(body)) throw badRequest('the object provided is unrecognized (must be of type Object)')
  const duplicates = write.fieldValidation === 'Ignore' ? [] : findDuplicateFields(request.body.toString())
  return decodeObject(write, body, duplicates)
}

/** Of the body; JSON when the header is missing. */
export function mediaTypeOf({ headers }: ApiRequest): string {
  return (headers['content-type'] ?? 'application/json').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** @throws ApiError 400 */
export function parseJson(body: Buffer): JsonValue {
  try {
    return JSON.parse(body.toString())
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw badRequest(`the body of the request is no JSON: ${cause}`)
  }
}
