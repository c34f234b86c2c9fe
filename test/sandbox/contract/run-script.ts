import { hashJson } from '../../../src/core/base/hash.ts'
import { isJsonArray, isJsonObject, type JsonValue } from '../../../src/core/base/json.ts'
import { parseBody as parseYaml } from '../../../src/core/yaml/parse-body.ts'
import type { Answer, Reply, Request, Send, Step } from './exchange.ts'
import { mask, maskGeneratedName, showFrames, sortUnordered } from './mask.ts'
import type { ServerUnderTest } from './server-under-test.ts'
import { startWebhookServer } from './webhook-server.ts'

/** What a script needs of a server. */
export type Asked = Pick<ServerUnderTest, 'send' | 'wait' | 'endWatches'>

/** Runs a script in a namespace. Returns the answer to each step, without what differs from run to run. */
export async function runScript(
  steps: readonly Step[],
  server: Asked,
  namespace: string,
): Promise<ReadonlyMap<string, Answer>> {
  if (!JSON.stringify(steps).includes(HOOK)) return runSteps(steps, server, { namespace, names: {} })
  const { url, caBundle, close } = await startWebhookServer()
  try {
    return await runSteps(steps, server, { namespace, names: { [HOOK]: url, [HOOK_CA]: caBundle } })
  } finally {
    close()
  }
}

/** In bodies of a script: where its webhooks are, and whom to trust with that. */
const HOOK = '{hook}'
const HOOK_CA = '{hook.ca}'

interface Setting {
  readonly namespace: string
  /** What else stands for something in requests. */
  readonly names: Readonly<Record<string, string>>
}

async function runSteps(
  steps: readonly Step[],
  server: Asked,
  { namespace, names }: Setting,
): Promise<ReadonlyMap<string, Answer>> {
  const raw = new Map<string, JsonValue>()
  const replies: [Step, Promise<Reply>][] = []
  for (const step of steps) {
    const request = requestOf(step, (text) => fill(text, { namespace, names }, raw))
    const reply = step.background
      ? await sendInBackground(request, server.send)
      : { ended: sendStep(step, request, server) }
    replies.push([step, reply.ended])
    if (!step.background) raw.set(step.as ?? step.name, parseBody(await reply.ended))
  }
  server.endWatches?.()
  const versions = versionsOf(raw)
  const answers = new Map<string, Answer>()
  for (const [step, ended] of replies) answers.set(step.name, answerOf(step, await ended, { namespace, versions }))
  return answers
}

/** What is known at the end of a script. */
interface Run {
  readonly namespace: string
  /** By resourceVersion, the first step that was answered with it. */
  readonly versions: ReadonlyMap<string, string>
}

function answerOf(step: Step, reply: Reply, { namespace, versions }: Run): Answer {
  const warnings = warningsOf(reply.headers.warning)
  if (step.unordered) warnings.sort()
  const body = showFrames(parseBody(reply), versions)
  const masked = mask(maskGeneratedName(step, body), namespace)
  return {
    status: reply.status,
    contentType: String(reply.headers['content-type'] ?? ''),
    ...(step.shows && { headers: pick(reply.headers, step.shows) }),
    ...(warnings.length > 0 && { warnings: warnings.map((text) => String(mask(text, namespace))) }),
    body: step.asHash ? hashJson(masked) : step.unordered ? sortUnordered(masked) : masked,
  }
}

function requestOf(step: Step, fillIn: (text: string) => string): Request {
  const text = step.text ?? (step.body === undefined ? undefined : JSON.stringify(step.body))
  const headers: Record<string, string> = {
    'user-agent': 'contract/1.0',
    ...(text !== undefined && { 'content-type': 'application/json' }),
    ...step.headers,
  }
  for (const [name, value] of Object.entries(headers)) headers[name] = fillIn(value)
  return { method: step.method, path: fillIn(step.path), headers, body: text && fillIn(text) }
}

/** Resolves once the server has answered with a head. */
function sendInBackground(request: Request, send: Send): Promise<{ ended: Promise<Reply> }> {
  return new Promise((resolve, reject) => {
    const ended = send({ ...request, onHead: () => resolve({ ended }) })
    ended.catch(reject)
  })
}

/** The slowest controller of the real server looks for new kinds every half a minute. */
const PATIENCE = 60_000

async function sendStep({ until }: Step, request: Request, { send, wait }: Asked): Promise<Reply> {
  for (let waited = 0, attempt = 0; ; attempt++) {
    const reply = await send(request)
    if (isAwaited(until, reply) || waited > PATIENCE) return reply
    const pause = attempt < 10 ? 20 : 100
    await wait(pause)
    waited += pause
  }
}

function isAwaited(until: Step['until'], reply: Reply): boolean {
  if (until === undefined) return true
  return typeof until === 'number' ? reply.status === until : until(parseBody(reply))
}

function fill(text: string, { namespace, names }: Setting, raw: ReadonlyMap<string, JsonValue>): string {
  const named = Object.entries(names).reduce((filled, [name, value]) => filled.replaceAll(name, value), text)
  return named
    .replaceAll('{ns}', namespace)
    .replace(/\{([\w -]+)\.(uid|rv|continue|name|token)\}/g, (whole, name, field) => {
      if (field === 'token') return tokenOf(raw.get(name)) ?? whole
      const metadata = metadataOf(raw.get(name))
      const key = field === 'rv' ? 'resourceVersion' : field
      return metadata ? String(metadata[key] ?? '') : whole
    })
}

/** What a TokenRequest was answered with. */
function tokenOf(body: JsonValue | undefined): string | undefined {
  const status = isJsonObject(body) ? body.status : undefined
  return isJsonObject(status) && typeof status.token === 'string' ? status.token : undefined
}

function metadataOf(body: JsonValue | undefined): Readonly<Record<string, JsonValue | undefined>> | undefined {
  return isJsonObject(body) && isJsonObject(body.metadata) ? body.metadata : undefined
}

/** Versions of single objects: that of a list is the version of whatever was written last on the whole server. */
function versionsOf(raw: ReadonlyMap<string, JsonValue>): ReadonlyMap<string, string> {
  const versions = new Map<string, string>()
  for (const [name, body] of raw) {
    const version = metadataOf(body)?.resourceVersion
    const isList = isJsonObject(body) && (isJsonArray(body.items) || isJsonArray(body.rows))
    if (typeof version === 'string' && !isList && !versions.has(version)) versions.set(version, name)
  }
  return versions
}

/** What a watch sends is a list of its frames; YAML is compared by what it says. */
export function parseBody({ text, headers }: Reply): JsonValue {
  const contentType = String(headers['content-type'] ?? '')
  if (contentType === 'application/yaml') return { yaml: parseYaml(text) }
  if (text === '' || !contentType.includes('json')) return text
  try {
    const body: JsonValue = JSON.parse(text)
    return isFrame(body) ? [body] : body
  } catch {
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  }
}

function isFrame(body: JsonValue): boolean {
  return isJsonObject(body) && typeof body.type === 'string' && isJsonObject(body.object)
}

function pick(headers: Record<string, unknown>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  )
}

export function warningsOf(header: unknown): string[] {
  if (header === undefined) return []
  // HTTP/2 joins several headers of a name into one.
  return [header].flat().flatMap((text) => String(text).split(/, (?=299 - )/))
}
