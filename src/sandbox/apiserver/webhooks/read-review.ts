import { explain } from '../../../core/base/coded-error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { jsonKindOf } from '../patch/patch-error.ts'
import type { OutsideAnswer } from '../write/outside-answers.ts'

/** What a webhook answered over HTTP. */
export interface WebhookReply {
  readonly status: number
  readonly contentType: string
  readonly text: string
}

/** What is posted to a webhook, and comes back. */
export interface ReviewKind {
  readonly group: string
  /** `v1` or `v1beta1`. */
  readonly version: string
  readonly kind: string
  /** Of its response: the Go type, and by field its type and what fits it. */
  readonly response: string
  readonly fields: Readonly<Record<string, readonly [type: string, fits: (value: JsonValue) => boolean]>>
}

/** The review in a reply, or what is wrong with it, as a Go client words that. */
export function readReview(reply: WebhookReply, review: ReviewKind): OutsideAnswer {
  const { status, contentType, text } = reply
  if (status < 200 || status > 206) return { failure: refusalOf(reply) }
  if (text === '') {
    return { failure: `0-length response with status code: ${status} and content type: ${contentType}` }
  }
  const body = parsed(text)
  if (!isJsonObject(body)) return { failure: `couldn't get version/kind; json parse error: ${misfit(body, HEAD)}` }
  const failure = wrongKind(body, review) ?? wrongType(body.response, review)
  return failure === undefined ? { body } : { failure }
}

/** What is no JSON is YAML to a Go client, where nearly everything is a text. */
function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch (error) {
    return explain(error)
  }
}

const HEAD =
  'value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

function misfit(value: JsonValue, target: string): string {
  return `json: cannot unmarshal ${jsonKindOf(value)} into Go ${target}`
}

/** Without a version and a kind, it is taken for what was asked for. */
function wrongKind({ apiVersion = '', kind = '' }: JsonObject, review: ReviewKind): string | undefined {
  if (apiVersion === '' && kind === '') return undefined
  const version = String(apiVersion).replace(`${review.group}/`, '')
  const isKnown = kind === review.kind && ['v1', 'v1beta1'].includes(version) && version !== apiVersion
  if (!isKnown)
    return `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`
  if (version === review.version) return undefined
  return `converting (${version}.${kind}) to (${review.version}.${kind}): unknown conversion`
}

function wrongType(response: JsonValue | undefined, review: ReviewKind): string | undefined {
  if (!isJsonObject(response)) return undefined
  for (const [name, [type, fits]] of Object.entries(review.fields)) {
    const value = response[name]
    if (value === undefined || value === null || fits(value)) continue
    return misfit(value, `struct field ${review.response}.response.${name} of type ${type}`)
  }
  const wrong = typeof response.patch === 'string' ? response.patch.search(/[^A-Za-z0-9+/=]/) : -1
  return wrong === -1 ? undefined : `illegal base64 data at input byte ${wrong}`
}

/** By the code alone; a text in the answer is quoted only of errors of a server, and the message of a Status always. */
function refusalOf({ status, contentType, text }: WebhookReply): string {
  const body = text === '' ? undefined : parsed(text)
  if (isJsonObject(body) && body.kind === 'Status' && typeof body.message === 'string') return body.message
  const isPlain = contentType === '' || contentType.startsWith('text/')
  const said = isPlain ? text.trim() : 'unknown'
  if (status >= 500 && !REFUSALS.has(status)) {
    return `an error on the server (${JSON.stringify(said)}) has prevented the request from succeeding`
  }
  if (QUOTED.has(status)) return said
  return (
    REFUSALS.get(status) ?? `the server responded with the status code ${status} but did not return more information`
  )
}

const QUOTED = new Set([403, 406, 415])
const REFUSALS: ReadonlyMap<number, string> = new Map([
  [400, 'the server rejected our request for an unknown reason'],
  [401, 'the server has asked for the client to provide credentials'],
  [404, 'the server could not find the requested resource'],
  [405, 'the server does not allow this method on the requested resource'],
  [409, 'the server reported a conflict'],
  [422, 'the server rejected our request due to an error in our request'],
  [429, 'the server has received too many requests and has asked us to try again later'],
  [503, 'the server is currently unable to handle the request'],
  [504, 'the server was unable to return a response in the time allotted, but may still be processing the request'],
])
