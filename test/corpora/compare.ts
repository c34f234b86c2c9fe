import { canonicalJson, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../src/core/base/json.ts'
import type { Reply } from '../sandbox/contract/exchange.ts'
import { mask, maskGeneratedName, sortUnordered } from '../sandbox/contract/mask.ts'
import { parseBody, warningsOf } from '../sandbox/contract/run-script.ts'

/** In what two answers differ: the first that does. */
export type Class = 'status' | 'reason' | 'causes' | 'message' | 'warnings' | 'managedFields' | 'object'

export interface Shown {
  readonly status: number
  readonly warnings: readonly string[]
  readonly body: JsonObject
}

/** An answer, free of what differs from run to run. */
export function show({ namespace, sent }: { namespace: string; sent: JsonValue }, reply: Reply): Shown {
  const warnings = warningsOf(reply.headers.warning).map((text) => String(mask(text, namespace)))
  const step = { name: '', method: 'POST', path: '', body: sent } as const
  const masked = mask(maskGeneratedName(step, parseBody(reply)), namespace)
  const body = isJsonObject(masked) && masked.kind === 'Status' ? sortUnordered(masked) : masked
  const text = canonicalJson({ text: body }).replace(ADDRESS, '<ip>').replace(NODE_PORT, maskPort)
  const shown: JsonValue = JSON.parse(text).text
  const shownBody = isJsonObject(shown) ? withSortedConditions(shown) : { text: shown }
  return { status: reply.status, warnings: warnings.sort(), body: shownBody }
}

/** Three controllers of the API server write the conditions of a CRD: which of them is first is chance. */
function withSortedConditions(body: JsonObject): JsonObject {
  const { kind, status } = body
  if (kind !== 'CustomResourceDefinition' || !isJsonObject(status) || !isJsonArray(status.conditions)) return body
  const conditions = status.conditions.toSorted((left, right) => (typeOf(left) < typeOf(right) ? -1 : 1))
  return { ...body, status: { ...status, conditions } }
}

function typeOf(condition: JsonValue): string {
  return isJsonObject(condition) ? String(condition.type) : ''
}

/** Addresses and ports that a server chooses. */
const ADDRESS = /\b10\.(9[6-9]|10\d|11[01])\.\d+\.\d+/g
const NODE_PORT = /("(?:healthCheckNodePort|nodePort)":|duplicate nodePort: \{\w+ )3[0-2]\d{3}/g

/** In a text, without quotes. */
function maskPort(_match: string, before: string): string {
  return before.endsWith(':') ? `${before}"<port>"` : `${before}<port>`
}

/** Undefined when they are equal. */
export function classOf(real: Shown, sandbox: Shown): Class | undefined {
  if (real.status !== sandbox.status) return 'status'
  const parts: readonly (readonly [Class, (shown: Shown) => JsonValue | undefined])[] = [
    ['reason', ({ body }) => (body.kind === 'Status' ? body.reason : undefined)],
    ['causes', ({ body }) => (body.kind === 'Status' ? body.details : undefined)],
    ['message', ({ body }) => (body.kind === 'Status' ? body.message : undefined)],
    ['warnings', ({ warnings }) => warnings],
    ['managedFields', ({ body }) => metadataOf(body).managedFields],
    ['object', ({ body }) => body],
  ]
  return parts.find(([, part]) => canonicalJson(part(real)) !== canonicalJson(part(sandbox)))?.[0]
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return isJsonObject(metadata) ? metadata : {}
}
