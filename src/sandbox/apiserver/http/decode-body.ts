import { explain } from '../../../core/base/coded-error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { goSyntaxError } from '../../../core/schema/go-syntax-error.ts'
import { badRequest, quote } from '../api-status.ts'
import { jsonKindOf } from '../patch/patch-error.ts'
import { decodeProtobuf } from '../protobuf/decode-protobuf.ts'
import type { ResourceRegistry } from '../resource-registry.ts'
import type { ServedResource } from '../served-resource.ts'
import { checkKind, wrongTypeMeta } from '../write/check-kind.ts'
import { decodeObject } from '../write/decode-object.ts'
import { findDuplicateFields } from '../write/duplicate-fields.ts'
import type { WriteRequest } from '../write/write-request.ts'
import { unsupportedMediaType } from './accept.ts'
import type { ApiRequest, ParseYaml } from './api-request.ts'
import { parseHostileJson, TooDeepError } from './hostile-json.ts'

/**
 * The object in the body of a POST or PUT.
 *
 * @throws ApiError 400, 415
 */
export function decodeBody(request: ApiRequest, write: WriteRequest, registry: ResourceRegistry): KubeObject {
  const refuse: Refuse = (cause) => unrecognized(write.resource.kind, cause, request.body)
  const parsed = parseBody(request, refuse)
  const body = parsed.value ?? {}
  if (!isJsonObject(body)) throw refuse(notAnObject(body))
  if (write.resource.custom) checkTyped(write, body, request.body)
  checkTypeMeta(write.resource, body, request.body)
  checkVersionForm(write.resource, body, request.body)
  checkKind(write.resource, body, registry)
  return decodeObject(write, body, write.fieldValidation === 'Ignore' ? [] : complaintsAbout(request, parsed, write))
}

/** About the text of a body, not about what stands in it. A YAML text that is refused is refused with all its lines at once. */
function complaintsAbout(request: ApiRequest, { duplicates }: ParsedBody, write: WriteRequest): readonly string[] {
  if (mediaTypeOf(request) === JSON_TYPE) return duplicateComplaints(request.body.toString())
  if (duplicates.length === 0 || write.fieldValidation === 'Warn') return duplicates
  return [`yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`]
}

/** Built-in kinds take what is missing from the path; custom resources say it. */
function checkTyped({ resource, fieldValidation }: WriteRequest, { kind }: JsonObject, bytes: Buffer): void {
  if (kind) return
  const { kind: expected, version } = resource
  const cause = `Object 'Kind' is missing in '${bytes.toString()}'`
  if (fieldValidation === 'Ignore') {
    throw badRequest(`${expected} in version ${quote(version)} cannot be handled as a ${expected}: ${cause}`)
  }
  throw badRequest(`the object provided is unrecognized (must be of type ${expected}): ${cause} (${summarize(bytes)})`)
}

/** Each field once, however often it stands there. */
export function duplicateComplaints(text: string): readonly string[] {
  return [...new Set(findDuplicateFields(text).map(({ path }) => `duplicate field ${quote(path)}`))]
}

/** The version and kind of a body of a built-in kind are read before all else. */
function checkTypeMeta({ kind, custom }: ServedResource, body: JsonObject, bytes: Buffer): void {
  const cause = custom ? undefined : wrongTypeMeta(body)
  if (cause !== undefined) {
    throw badRequest(`the object provided is unrecognized (must be of type ${kind}): ${cause} (${summarize(bytes)})`)
  }
}

function checkVersionForm({ kind }: ServedResource, { apiVersion }: JsonObject, bytes: Buffer): void {
  if (typeof apiVersion !== 'string' || apiVersion.split('/').length <= 2) return
  const cause = `unexpected GroupVersion string: ${apiVersion}`
  throw badRequest(`the object provided is unrecognized (must be of type ${kind}): ${cause} (${summarize(bytes)})`)
}

const JSON_TYPE = 'application/json'
const YAML_TYPE = 'application/yaml'
const PROTOBUF = 'application/vnd.kubernetes.protobuf'

/** Words what is wrong with the text of a body. */
export type Refuse = (cause: string) => Error

/** A body as plain data, and complaints about keys that stand twice in its YAML. */
export type ParsedBody = ReturnType<ParseYaml>

/**
 * A body in any of the formats that are understood.
 *
 * @throws ApiError 400, 415
 */
export function parseBody(request: ApiRequest, refuse: Refuse): ParsedBody {
  const type = mediaTypeOf(request)
  if (type === JSON_TYPE) return { value: parseJson(request.body, refuse), duplicates: [] }
  if (type === YAML_TYPE && request.parseYaml) return parseYaml(request.body, request.parseYaml)
  if (type !== PROTOBUF) throw unsupportedMediaType()
  try {
    return { value: decodeProtobuf(request.body), duplicates: [] }
  } catch (error) {
    throw badRequest(explain(error))
  }
}

function parseYaml(body: Buffer, parse: ParseYaml): ParsedBody {
  try {
    return parse(body.toString())
  } catch (error) {
    throw badRequest(`error decoding YAML: error converting YAML to JSON: yaml: ${explain(error)}`)
  }
}

export interface ApplyBody extends ParsedBody {
  /** The text; absent when it is YAML and not JSON, too. */
  readonly json?: string
}

/** The body of an apply, which is YAML in name and JSON in nearly all cases. @throws ApiError 400 */
export function parseApplyBody({ body, parseYaml: parse }: ApiRequest): ApplyBody {
  const text = body.toString()
  if (text.trim() === '') return { value: null, duplicates: [] }
  try {
    return { value: parseHostileJson(text), duplicates: [], json: text }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    if (parse) return parseYaml(body, parse)
    throw badRequest(`error decoding YAML: ${goSyntaxError(text)}`)
  }
}

/** Of the body; JSON when the header is missing or empty. */
function mediaTypeOf({ headers }: ApiRequest): string {
  const type = headers['content-type'] || JSON_TYPE
  return type.replace(/;.*/s, '').trim().toLowerCase()
}

/** @throws ApiError 400 */
function parseJson(body: Buffer, refuse: Refuse): JsonValue {
  const text = body.toString()
  try {
    return parseHostileJson(text)
  } catch (error) {
    if (error instanceof TooDeepError) throw refuse(`invalid character '${error.opener}' exceeded max depth`)
    if (!(error instanceof SyntaxError)) throw error
    throw refuse(goSyntaxError(text))
  }
}

/** @throws ApiError 400 */
export function parsePatch(body: Buffer, type: 'json' | 'merge' | 'strategic'): JsonValue {
  const prefix = type === 'strategic' ? '' : 'error decoding patch: '
  return parseJson(body, (cause) => badRequest(prefix + cause))
}

function unrecognized(kind: string, cause: string, body: Buffer): Error {
  const parse = `couldn't get version/kind; json parse error: ${cause}`
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${parse} (${summarize(body)})`)
}

/** What Go says about a value where an object is to be. */
export function notAnObject(value: JsonValue): string {
  const target =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
  return `json: cannot unmarshal ${jsonKindOf(value)} into Go value of type ${target}`
}

const SUMMARY_BYTES = 30

function summarize(body: Buffer): string {
  if (body.length === 0) return '<empty>'
  const start = body.subarray(0, SUMMARY_BYTES)
  const shown = body[0] === 0x7b ? start.toString() : start.toString('hex')
  return body.length > SUMMARY_BYTES ? `${shown} ...` : shown
}
