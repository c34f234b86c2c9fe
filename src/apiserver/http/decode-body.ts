import { explain } from '../../base/coded-error.ts'
import { isJsonObject, type JsonValue } from '../../base/json.ts'
import type { KubeObject } from '../../kube/object.ts'
import { badRequest } from '../api-status.ts'
import { decodeProtobuf } from '../protobuf/decode-protobuf.ts'
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
  const body = parseBody(request)
  if (!isJsonObject(body)) throw badRequest('the object provided is unrecognized (must be of type Object)')
  const isText = mediaTypeOf(request) === JSON_TYPE && write.fieldValidation !== 'Ignore'
  return decodeObject(write, body, isText ? findDuplicateFields(request.body.toString()) : [])
}

const JSON_TYPE = 'application/json'
const PROTOBUF = 'application/vnd.kubernetes.protobuf'

/**
 * A body in any of the formats that are understood, as plain data.
 *
 * @throws ApiError 400, 415
 */
export function parseBody(request: ApiRequest): JsonValue {
  const type = mediaTypeOf(request)
  if (type === JSON_TYPE) return parseJson(request.body)
  if (type !== PROTOBUF) throw unsupportedMediaType()
  try {
    return decodeProtobuf(request.body)
  } catch (error) {
    throw badRequest(explain(error))
  }
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
