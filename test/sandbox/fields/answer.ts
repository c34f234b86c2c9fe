import {
  isJsonArray,
  isJsonObject,
  type JsonPath,
  type JsonValue,
  jsonEquals,
  printPath,
} from '../../../src/core/base/json.ts'
import { compareText } from '../../../src/core/schema/go-json.ts'
import type { Reply } from '../contract/exchange.ts'
import { warningsOf } from '../contract/run-script.ts'

/** What an answer is measured by. */
export interface Expected {
  /** The answer to the base as it stands; absent for that itself. */
  readonly reference: JsonValue | undefined
  readonly path: JsonPath
  readonly value: JsonValue | undefined
  /** What the request says: uids, times and addresses in it are no invention of the server. */
  readonly known: string
}

export interface Refused {
  readonly status: number
  readonly reason: string
  /** Reason, field and message. */
  readonly causes: readonly (readonly [string, string, string])[]
  /** Ends in `*` where the causes follow. */
  readonly message: string
}

export interface Accepted {
  readonly status: number
  /** What differs from the base as it stands: a path and its value, or a path alone where it is gone. */
  readonly object: readonly Change[]
  readonly managedFields: readonly Change[]
  readonly warnings: readonly string[]
}

export type Answer = Refused | Accepted

type Change = readonly [string, JsonValue] | readonly [string]

/** Of a text: the field of the case, and its value. */
const HERE = '~'

/** An answer as a recording has it: a line of JSON that says only what cannot be known beforehand. */
export function answerOf(reply: Reply, expected: Expected): { readonly text: string; readonly body: JsonValue } {
  const body = parse(maskText(reply.text, expected.known))
  const answer = reply.status > 0 && reply.status < 300 ? accepted(reply, body, expected) : refused(reply, body)
  const path = printPath(expected.path)
  const text = JSON.stringify(answer)
  return { text: /[.[]/.test(path) ? text.replaceAll(path, HERE) : text, body }
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function refused(reply: Reply, body: JsonValue): Refused {
  const { reason = '', message = '', details } = isJsonObject(body) ? body : { message: body }
  const found = isJsonObject(details) && isJsonArray(details.causes) ? details.causes.filter(isJsonObject) : []
  const causes = found.map((cause) => [cause.reason, cause.field, cause.message].map((part) => String(part ?? '')))
  return {
    status: reply.status,
    reason: String(reason),
    causes: causes as unknown as Refused['causes'],
    message: withoutCauses(String(message), causes),
  }
}

function withoutCauses(message: string, causes: readonly (readonly string[])[]): string {
  const texts = [...new Set(causes.map(([, field, text]) => `${field}: ${text}`))]
  const tail = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`
  return texts.length > 0 && message.endsWith(tail) ? `${message.slice(0, -tail.length)}*` : message
}

function accepted(reply: Reply, body: JsonValue, { reference, value }: Expected): Accepted {
  const [object, managedFields] = partsOf(body)
  const [oldObject, oldFields] = partsOf(reference ?? null)
  return {
    status: reply.status,
    object: changesOf(oldObject, object, '', value),
    managedFields: changesOf(oldFields, managedFields, '', value),
    warnings: warningsOf(reply.headers.warning),
  }
}

function partsOf(body: JsonValue): readonly [JsonValue, JsonValue] {
  if (!isJsonObject(body) || !isJsonObject(body.metadata)) return [body, null]
  const { managedFields = null, ...metadata } = body.metadata
  return [{ ...body, metadata }, isJsonArray(managedFields) ? [...managedFields].sort(byManager) : managedFields]
}

/** The server sorts them by the seconds in which they were written. */
function byManager(left: JsonValue, right: JsonValue): number {
  return compareText(managerOf(left), managerOf(right))
}

function managerOf(entry: JsonValue): string {
  return isJsonObject(entry) ? [entry.operation, entry.manager, entry.apiVersion, entry.subresource].join(' ') : ''
}

function changesOf(
  old: JsonValue | undefined,
  now: JsonValue | undefined,
  path: string,
  value: JsonValue | undefined,
): readonly Change[] {
  if (jsonEquals(old, now)) return []
  if (now === undefined) return [[path]]
  if (isJsonObject(old) && isJsonObject(now)) {
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort()
    return names.flatMap((name) => changesOf(old[name], now[name], path === '' ? name : `${path}.${name}`, value))
  }
  if (isJsonArray(old) && isJsonArray(now) && old.length === now.length) {
    return now.flatMap((item, index) => changesOf(old[index], item, `${path}[${index}]`, value))
  }
  return [[path, value !== undefined && jsonEquals(now, value) ? HERE : now]]
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g
const ADDRESS = /\b10\.(9[6-9]|10\d|11[01])\.\d{1,3}\.\d{1,3}\b/g
const NODE_PORT = /("(?:nodePort|healthCheckNodePort)":)(3[0-2]\d{3})\b/g

/** Free of what differs from run to run. */
function maskText(text: string, known: string): string {
  const unless = (mask: string) => (found: string) => (known.includes(found) ? found : mask)
  return text
    .replace(/Invalid value: \\"\{.*?\}\\": /gs, 'Invalid value: \\"<object>\\": ')
    .replace(UID, unless('<uid>'))
    .replace(TIME, unless('<time>'))
    .replace(ADDRESS, unless('<address>'))
    .replace(NODE_PORT, (found, head, port) => (known.includes(port) ? found : `${head}0`))
    .replace(/("resourceVersion":")(\d+)/g, (found, head, version) =>
      known.includes(`"${version}"`) ? found : `${head}<rv>`,
    )
    .replace(/((?:resource version|ResourceVersion in object meta): )\d+/gi, '$1<rv>')
    .replace(/\b(kube-api-access-|fields-gen-)[a-z0-9]{5}\b/g, '$1<random>')
}
