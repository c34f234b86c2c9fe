import { explain } from '../../base/coded-error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import type { KubeObject } from '../../kube/object.ts'
import { badRequest } from '../api-status.ts'
import { decodeProtobuf } from '../protobuf/decode-protobuf.ts'
import type { ResourceRegistry } from '../resource-registry.ts'
import { checkKind } from '../write/check-kind.ts'
import { decodeObject } from '../write/decode-object.ts'
import { findDuplicateFields } from '../write/duplicate-fields.ts'
import type { WriteRequest } from '../write/write-request.ts'
import { unsupportedMediaType } from './accept.ts'
import type { ApiRequest, ParseYaml } from './api-request.ts'
import { parseHostileJson } from './hostile-json.ts'

/**
 * The object in the body of a POST or PUT.
 *
 * @throws ApiError 400, 415
 */
export function decodeBody(request: ApiRequest, write: WriteRequest, registry: ResourceRegistry): KubeObject {
  const body = parseBody(request, write.resource.kind)
  if (!isJsonObject(body)) throw unrecognized(write.resource.kind, notAnObject(body), request.body)
  if (write.resource.custom) checkTyped(write.resource.kind, body, request.body)
  checkKind(write.resource, body, registry)
  const isText = mediaTypeOf(request) === JSON_TYPE && write.fieldValidation !== 'Ignore'
  return decodeObject(write, body, isText ? findDuplicateFields(request.body.toString()) : [])
}

/** Built-in kinds take what is missing from the path; custom resources say it. */
function checkTyped(expected: string, { apiVersion, kind }: JsonObject, bytes: Buffer): void {
  const missing = !kind ? 'Kind' : !apiVersion ? 'apiVersion' : undefined
  if (missing === undefined) return
  const cause = `Object '${missing}' is missing in '${bytes.toString()}'`
  throw badRequest(`the object provided is unrecognized (must be of type ${expected}): ${cause} (${summarize(bytes)})`)
}

const JSON_TYPE = 'application/json'
const YAML_TYPE = 'application/yaml'
const PROTOBUF = 'application/vnd.kubernetes.protobuf'

/**
 * A body in any of the formats that are understood, as plain data.
 *
 * @throws ApiError 400, 415
 */
export function parseBody(request: ApiRequest, kind: string): JsonValue {
  const type = mediaTypeOf(request)
  if (type === JSON_TYPE) return parseJson(request.body, kind)
  if (type === YAML_TYPE && request.parseYaml) return parseYaml(request.body, request.parseYaml)
  if (type !== PROTOBUF) throw unsupportedMediaType()
  try {
    return decodeProtobuf(request.body)
  } catch (error) {
    throw badRequest(explain(error))
  }
}

function parseYaml(body: Buffer, parse: ParseYaml): JsonValue {
  try {
    return parse(body.toString())
  } catch (error) {
    throw badRequest(`error decoding YAML: ${explain(error)}`)
  }
}

/** The body of an apply, which is YAML in name and JSON in nearly all cases. */
export function parseApplyBody({ body, parseYaml: parse }: ApiRequest, kind: string): JsonValue {
  const isJson = /^\s*\{/.test(body.subarray(0, 100).toString())
  return isJson || !parse ? parseJson(body, kind) : parseYaml(body, parse)
}

/** Of the body; JSON when the header is missing. */
export function mediaTypeOf({ headers }: ApiRequest): string {
  return (headers['content-type'] ?? 'application/json').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** @throws ApiError 400 */
export function parseJson(body: Buffer, kind: string): JsonValue {
  const text = body.toString()
  try {
    return parseHostileJson(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw unrecognized(kind, goSyntaxError(text, explain(error)), body)
  }
}

/** @throws ApiError 400 */
export function parsePatch(body: Buffer): JsonValue {
  const text = body.toString()
  try {
    return parseHostileJson(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw badRequest(`error decoding patch: ${goSyntaxError(text, explain(error))}`)
  }
}

function unrecognized(kind: string, cause: string, body: Buffer): Error {
  const parse = `couldn't get version/kind; json parse error: ${cause}`
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${parse} (${summarize(body)})`)
}

/** What Go says about broken JSON, as near as V8 tells where it is broken. */
function goSyntaxError(text: string, cause: string): string {
  if (/end of JSON input|Unterminated/i.test(cause)) return 'unexpected end of JSON input'
  const position = Number(/position (\d+)/.exec(cause)?.[1] ?? 0)
  if (position >= text.length) return 'unexpected end of JSON input'
  return `invalid character '${text.charAt(position)}' looking for beginning of value`
}

function notAnObject(value: JsonValue): string {
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  const target =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
  return `json: cannot unmarshal ${type} into Go value of type ${target}`
}

const SUMMARY_BYTES = 30

function summarize(body: Buffer): string {
  if (body.length === 0) return '<empty>'
  const start = body.subarray(0, SUMMARY_BYTES)
  const shown = body[0] === 0x7b ? start.toString() : start.toString('hex')
  return body.length > SUMMARY_BYTES ? `${shown} ...` : shown
}
