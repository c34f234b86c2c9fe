import {
  canonicalJson,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src/core/base/json.ts'
import type { Reply, Request, Send } from '../exchange.ts'
import { mask, sortUnordered } from '../mask.ts'
import { parseBody, warningsOf } from '../run-script.ts'
import type { Action } from './actions.ts'
import { collectionPath, type Subject } from './subject.ts'

/** Both servers, and the namespace that is there for these sequences alone. */
export interface Pair {
  readonly real: Send
  readonly sandbox: Send
  readonly namespace: string
}

export interface Difference {
  readonly step: number
  readonly request: Request
  readonly real: string
  readonly sandbox: string
}

export interface SequenceRun {
  readonly steps: number
  readonly difference?: Difference
}

const TYPES: Readonly<Record<string, string>> = {
  apply: 'application/apply-patch+yaml',
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
}

/** Sends a sequence of actions about one object to both servers, until their answers differ. */
export async function runSequence(
  pair: Pair,
  subject: Subject,
  name: string,
  actions: readonly Action[],
): Promise<SequenceRun> {
  const real = new Author(pair.real, subject, name, pair.namespace)
  const sandbox = new Author(pair.sandbox, subject, name, pair.namespace)
  let step = 0
  for (const action of actions) {
    for (const phase of phasesOf(action)) {
      step++
      const [ofReal, ofSandbox] = await Promise.all([real[phase](action), sandbox[phase](action)])
      const shown = [ofReal, ofSandbox].map(({ reply }) => show(reply, pair.namespace, subject))
      const [left = '', right = ''] = shown
      if (left !== right)
        return { steps: step, difference: { step, request: ofReal.request, real: left, sandbox: right } }
    }
  }
  await Promise.all([real.forget(), sandbox.forget()])
  return { steps: step }
}

/** Who edits looks first. */
function phasesOf({ verb, lock }: Action): readonly ('look' | 'act')[] {
  return verb === 'edit' || (verb === 'put' && lock === 'live') ? ['look', 'act'] : ['act']
}

interface Exchange {
  readonly request: Request
  readonly reply: Reply
}

/** Acts on one server. */
class Author {
  readonly #send: Send
  readonly #subject: Subject
  readonly #name: string
  readonly #namespace: string
  #live: JsonObject = {}
  #first: JsonValue | undefined

  constructor(send: Send, subject: Subject, name: string, namespace: string) {
    this.#send = send
    this.#subject = subject
    this.#name = name
    this.#namespace = namespace
  }

  async look(action: Action): Promise<Exchange> {
    const exchange = await this.#ask({ method: 'GET', path: this.#path(action), headers: {}, body: undefined })
    const body = parseBody(exchange.reply)
    this.#live = exchange.reply.status === 200 && isJsonObject(body) ? body : {}
    this.#first ??= metadataOf(this.#live).resourceVersion
    return exchange
  }

  act(action: Action): Promise<Exchange> {
    const { verb } = action
    const method = { create: 'POST', put: 'PUT', edit: 'PUT', delete: 'DELETE' }[verb as string] ?? 'PATCH'
    const body = JSON.stringify(this.#body(action))
    const headers = { 'user-agent': 'random/1.0', 'content-type': TYPES[verb] ?? 'application/json' }
    return this.#ask({ method, path: this.#path(action) + queryOf(action), headers, body })
  }

  /** Leaves the server as it was. */
  async forget(): Promise<void> {
    const action = { verb: 'delete', version: 0, subresource: '' } as Action
    const path = this.#path(action)
    const headers = { 'content-type': TYPES.merge as string }
    await this.#ask({ method: 'PATCH', path, headers, body: '{"metadata":{"finalizers":null}}' })
    await this.#ask({ method: 'DELETE', path, headers: {}, body: undefined })
  }

  async #ask(request: Request): Promise<Exchange> {
    return { request, reply: await this.#send(request) }
  }

  #path({ verb, version, subresource }: Action): string {
    const { apiVersions } = this.#subject
    const apiVersion = apiVersions[version % apiVersions.length] as string
    const collection = collectionPath(this.#subject, apiVersion, this.#namespace)
    if (verb === 'create') return collection
    return `${collection}/${this.#name}${subresource === '' ? '' : `/${subresource}`}`
  }

  #body(action: Action): JsonValue {
    const { verb, body } = action
    if (['json', 'merge', 'strategic', 'delete'].includes(verb) || !isJsonObject(body)) return body
    if (verb === 'edit') return this.#edited(action, body)
    return this.#whole(action, body)
  }

  #edited({ lock }: Action, change: JsonObject): JsonValue {
    const merged = merge(this.#live, change) as JsonObject
    return lock === 'none' ? withVersion(merged, undefined) : merged
  }

  #whole({ verb, version, subresource, lock }: Action, body: JsonObject): JsonValue {
    const { apiVersions, kind, custom } = this.#subject
    const type = { apiVersion: apiVersions[version % apiVersions.length] as string, kind }
    const head = subresource === 'scale' ? { apiVersion: 'autoscaling/v1', kind: 'Scale' } : type
    const object = { ...head, ...body, metadata: { ...metadataOf(body), name: this.#name } }
    if (verb !== 'put') return object
    const { resourceVersion: live } = metadataOf(this.#live)
    // The real server also stores anew a custom resource in which only an empty map comes or goes.
    const first = custom ? live : this.#first
    return withVersion(object, { live, first, none: undefined }[lock])
  }
}

function queryOf({ verb, manager, dryRun, validation, force }: Action): string {
  if (verb === 'delete') return ''
  const parts = [`fieldManager=${manager}`]
  if (verb === 'apply' && force) parts.push('force=true')
  if (dryRun) parts.push('dryRun=All')
  if (validation !== '') parts.push(`fieldValidation=${validation}`)
  return `?${parts.join('&')}`
}

function metadataOf(object: JsonObject): JsonObject {
  return isJsonObject(object.metadata) ? object.metadata : {}
}

function withVersion(object: JsonObject, resourceVersion: JsonValue | undefined): JsonObject {
  return { ...object, metadata: { ...metadataOf(object), resourceVersion } }
}

function merge(target: JsonValue | undefined, change: JsonValue): JsonValue {
  if (!isJsonObject(change)) return change
  const merged: Record<string, JsonValue | undefined> = isJsonObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete merged[key]
    else if (value !== undefined) merged[key] = merge(merged[key], value)
  }
  return merged
}

/** An answer as text, its `fieldsV1` byte for byte, but for what differs from run to run. */
function show(reply: Reply, namespace: string, subject: Subject): string {
  // After a strategic merge patch, fields come in the order of their names.
  const warnings = [...warningsOf(reply.headers.warning)].sort()
  const masked = mask(parseBody(reply), namespace)
  const body =
    isJsonObject(masked) && masked.kind === 'Status'
      ? shortenProblems(sortUnordered(withoutPatch(masked)))
      : withFieldTexts(masked, subject)
  const answer = JSON.parse(canonicalJson({ status: reply.status, warnings, body }))
  const text = JSON.stringify(answer, undefined, 1)
  return text.replace(ADDRESS, '<ip>').replace(NODE_PORT, '$1<port>')
}

/** A strategic merge patch that cannot be read is printed after the real server has begun to merge it, in the order of a Go map. */
function withoutPatch(status: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(status).replace(/(Invalid value: \\"map)\[.*?(?=\]\\": )/g, '$1<patch>'))
}

/** Which of several values that do not fit a Go type is met first, and how Go names the type, is its own affair. */
const UNFIT = /unmarshal|illegal base64|cannot restore|cannot convert|map(?:\[|<patch>).*strict decoding error/

/** The real server reports values that do not fit their type in the order of a Go map, and stops at some of them. */
function shortenProblems(status: JsonValue): JsonValue {
  if (!isJsonObject(status) || typeof status.message !== 'string') return status
  if (UNFIT.test(JSON.stringify(status))) return { code: status.code, reason: status.reason }
  return { ...status, message: status.message.replace(/(failed to create typed \w+ object \([^)]*\)).*/s, '$1') }
}

/** The order of other fields means nothing; of custom resources, the real server sorts all of them. */
function withFieldTexts(body: JsonValue, { custom, hasScale }: Subject): JsonValue {
  if (!isJsonObject(body) || !isJsonArray(metadataOf(body).managedFields)) return body
  // The last state of what goes with its last finalizer never was in the store, which drops empty maps.
  const { labels, annotations, ...others } = metadataOf(body)
  const isLast = others.deletionTimestamp !== undefined
  const maps = Object.entries({ labels, annotations }).filter(
    ([, map]) => !isLast || (map !== null && canonicalJson(map) !== '{}'),
  )
  const entries = metadataOf(body).managedFields as readonly JsonObject[]
  const print = custom && body.kind !== 'Scale' ? canonicalJson : JSON.stringify
  // Who scales takes the times of others away if the order of managers changes by it, which is that of their seconds.
  const timeOf = ({ time }: JsonObject): JsonValue | undefined => (hasScale ? undefined : time)
  const managedFields = entries.map((entry) => ({ ...entry, time: timeOf(entry), fieldsV1: print(entry.fieldsV1) }))
  return { ...body, metadata: { ...others, ...Object.fromEntries(maps), managedFields } }
}

/** Addresses and ports that a server chooses. */
const ADDRESS = /\b10\.(9[6-9]|10\d|11[01])\.\d+\.\d+/g
const NODE_PORT = /("(?:healthCheckNodePort|nodePort)": )3[0-2]\d{3}/g
