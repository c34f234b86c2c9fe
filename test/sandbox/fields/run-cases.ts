import { isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../../src/core/base/json.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { BROKEN_OFF, type Reply, type Request } from '../contract/exchange.ts'
import type { ServerUnderTest } from '../contract/server-under-test.ts'
import { answerOf, type Expected } from './answer.ts'
import type { Base } from './bases/base.ts'
import { AS_IT_STANDS, type Case, type Subject } from './cases.ts'
import { putAt } from './sample-value.ts'

/** A server, and how many requests it gets at once. */
export interface Asked {
  readonly server: ServerUnderTest
  readonly lanes: number
}

/** A kind on a server. */
interface Bench extends Asked {
  readonly subject: Subject
  readonly namespace: string
  /** What the server keeps, by the name of the base. */
  readonly stored: Map<string, KubeObject>
  /** The answers to bases as they stand, by the name of the base, the verb and the endpoint. */
  readonly references: Map<string, JsonValue>
}

const JSON_TYPE = 'application/json'
const MERGE_TYPE = 'application/merge-patch+json'
const APPLY_TYPE = 'application/apply-patch+yaml'

/** Sends cases of one kind to a server; all are dry runs but those that make the bases. */
export async function runCases(
  asked: Asked,
  subject: Subject,
  cases: readonly Case[],
  onAnswer: (each: Case, answer: string) => void,
): Promise<void> {
  const bench: Bench = {
    ...asked,
    subject,
    namespace: namespaceOf(subject),
    stored: new Map(),
    references: new Map(),
  }
  if (subject.resource.namespaced) await ensureNamespace(asked.server, bench.namespace)
  const run = (chosen: readonly Case[]): Promise<void> =>
    inLanes(chosen, asked.lanes, async (each) => {
      const answer = await answerTo(bench, each)
      if (answer !== undefined) onAnswer(each, answer)
    })
  // Creations come first: after them, the names are taken.
  const creations = cases.filter(({ verb }) => verb === 'create')
  const others = cases.filter(({ verb }) => verb !== 'create')
  for (const chosen of [creations, others]) {
    if (chosen === others) for (const base of new Set(others.map(({ base }) => base))) await store(bench, base)
    await run(chosen.filter(({ mutation }) => mutation === AS_IT_STANDS))
    await run(chosen.filter(({ mutation }) => mutation !== AS_IT_STANDS))
  }
  for (const name of bench.stored.keys()) await forget(bench, name)
}

async function inLanes<Item>(items: readonly Item[], lanes: number, run: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values()
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const item of waiting) await run(item)
    }),
  )
}

/** Several versions of a kind have the same objects, and each a namespace of its own. */
function namespaceOf({ resource: { group, version, plural } }: Subject): string {
  return `fields-${plural}-${group.split('.')[0] || 'core'}-${version}`
}

async function ensureNamespace({ send }: ServerUnderTest, namespace: string): Promise<void> {
  const inside = `/api/v1/namespaces/${namespace}`
  for (const [path, name] of [
    ['/api/v1/namespaces', namespace],
    [`${inside}/serviceaccounts`, 'default'],
    [`${inside}/configmaps`, 'kube-root-ca.crt'],
  ] as const) {
    const body = JSON.stringify({ metadata: { name } })
    await send({ method: 'POST', path, headers: { 'content-type': JSON_TYPE }, body })
  }
}

/** Makes a base on the server, and keeps what the server made of it. A base that is refused has no cases but creations. */
async function store(bench: Bench, base: Base): Promise<void> {
  const { name } = base
  const hasStatus = base.object.status !== undefined
  const parts =
    hasStatus && bench.subject.resource.subresources.some((each) => each.name === 'status') ? ['', 'status'] : ['']
  let last: Reply | undefined
  for (const subresource of parts) {
    const path = `${pathOf(bench, name, subresource)}?fieldManager=fields&force=true`
    const body = JSON.stringify(appliedPart(inNamespace(bench, base.object), subresource))
    last = await bench.server.send({ method: 'PATCH', path, headers: { 'content-type': APPLY_TYPE }, body })
    if (last.status > 201) break
  }
  if (last && last.status <= 201) bench.stored.set(name, await settled(bench, name))
}

/** How long nothing happens to an object that the server's own controllers are done with, in milliseconds. */
const QUIET = 500
/** What they write in the end, by kind. */
const DONE: Readonly<Record<string, string>> = { CustomResourceDefinition: '"Established"', APIService: '"Available"' }

/** What the server keeps of a base, once its own controllers have done with it. */
async function settled(bench: Bench, name: string): Promise<KubeObject> {
  const done = DONE[bench.subject.resource.kind]
  for (let last = ''; ; ) {
    const { text } = await bench.server.send({ method: 'GET', path: pathOf(bench, name), headers: {}, body: undefined })
    if (done === undefined || (text === last && text.includes(done))) return JSON.parse(text)
    last = text
    await bench.server.wait(QUIET)
  }
}

/** Takes a base away, finalizers or not: kinds do not get in each other's way. */
async function forget(bench: Bench, name: string): Promise<void> {
  const path = pathOf(bench, name)
  const { send } = bench.server
  const query = 'gracePeriodSeconds=0&propagationPolicy=Background'
  await send({ method: 'DELETE', path: `${path}?${query}`, headers: {}, body: undefined })
  const body = JSON.stringify({ metadata: { finalizers: null } })
  await send({ method: 'PATCH', path, headers: { 'content-type': MERGE_TYPE }, body })
  if (bench.subject.resource.kind !== 'Namespace') return
  const bare = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: {} })
  await send({ method: 'PUT', path: `${path}/finalize`, headers: { 'content-type': JSON_TYPE }, body: bare })
}

function inNamespace({ subject, namespace }: Bench, object: KubeObject): KubeObject {
  return subject.resource.namespaced ? { ...object, metadata: { ...object.metadata, namespace } } : object
}

/** What an apply to an endpoint says. */
function appliedPart(object: JsonObject, subresource: string): JsonObject {
  if (subresource === '') return object
  const { apiVersion, kind, metadata, [subresource]: part } = object
  const { name, namespace } = metadata as JsonObject
  return { apiVersion, kind, metadata: { name, namespace }, [subresource]: part }
}

function pathOf({ subject, namespace }: Bench, name: string, subresource = ''): string {
  const { group, version, plural, namespaced } = subject.resource
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const place = namespaced ? `/namespaces/${namespace}` : ''
  return [root + place, plural, name, subresource].filter((part) => part !== '').join('/')
}

async function answerTo(bench: Bench, each: Case): Promise<string | undefined> {
  const request = requestOf(bench, each)
  if (request === undefined) return undefined
  const reply = await bench.server.send(request).catch(() => BROKEN_OFF)
  const key = `${each.base.name} ${each.verb} ${each.subresource}`
  const expected: Expected = {
    reference: bench.references.get(key),
    path: each.path,
    value: each.value,
    known: JSON.stringify([each.base.object, each.value ?? null]),
  }
  const { text, body } = answerOf(reply, expected)
  if (each.mutation === AS_IT_STANDS && reply.status > 0 && reply.status < 300) bench.references.set(key, body)
  return text
}

function requestOf(bench: Bench, each: Case): Request | undefined {
  const { base, verb, subresource } = each
  const { schema } = bench.subject
  const sent = inNamespace(bench, base.object)
  if (verb === 'create') {
    return toRequest(each, {
      method: 'POST',
      path: pathOf(bench, ''),
      type: JSON_TYPE,
      body: mutated(sent, schema, each),
    })
  }
  const stored = bench.stored.get(base.name)
  if (stored === undefined) return undefined
  const path = pathOf(bench, base.name, subresource)
  if (verb === 'apply') {
    const body = appliedPart(mutated(appliedPart(sent, subresource), schema, each) as JsonObject, subresource)
    return toRequest(each, { method: 'PATCH', path, type: APPLY_TYPE, body })
  }
  if (verb === 'update')
    return toRequest(each, { method: 'PUT', path, type: JSON_TYPE, body: mutated(stored, schema, each) })
  return toRequest(each, { method: 'PATCH', path, type: MERGE_TYPE, body: patchOf(stored, bench.subject, each) })
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly type: string
  readonly body: JsonValue | undefined
}

const MANAGERS = {
  create: 'fieldManager=creator',
  update: 'fieldManager=editor',
  patch: 'fieldManager=editor',
  apply: 'fieldManager=fields&force=true',
}

function toRequest({ verb, strict }: Case, { method, path, type, body }: Sent): Request {
  const validation = strict && verb !== 'apply' ? '&fieldValidation=Strict' : ''
  return {
    method,
    path: `${path}?dryRun=All${validation}&${MANAGERS[verb]}`,
    headers: { 'content-type': type },
    body: JSON.stringify(body),
  }
}

function mutated(object: JsonObject, schema: Subject['schema'], { before, path, value, mutation }: Case): JsonValue {
  if (mutation === AS_IT_STANDS) return object
  const prepared = before ? putAt(object, schema, before.path, before.value) : object
  return putAt(prepared, schema, path, value) ?? null
}

function patchOf(stored: KubeObject, { schema }: Subject, each: Case): JsonValue {
  if (each.mutation === AS_IT_STANDS) return { metadata: { annotations: { note: 'fields' } } }
  const whole = mutated(stored, schema, each)
  return pick(whole, each.path)
}

/** The part of an object that a merge patch has to say for one path; lists are sent whole. */
function pick(value: JsonValue | undefined, path: JsonPath): JsonValue {
  const [step] = path
  if (step === undefined || typeof step === 'number' || !isJsonObject(value)) return value ?? null
  return { [step]: pick(value[step], path.slice(1)) }
}
