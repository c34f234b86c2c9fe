import { isJsonObject, type JsonValue } from '../../src/base/json.ts'
import type { Answer, Send, Step } from './exchange.ts'
import { mask, maskGeneratedName, sortUnordered } from './mask.ts'

/** Runs a script in a namespace, and tells what came of each step, free of what differs from run to run. */
export async function runScript(
  steps: readonly Step[],
  send: Send,
  namespace: string,
): Promise<ReadonlyMap<string, Answer>> {
  const raw = new Map<string, JsonValue>()
  const answers = new Map<string, Answer>()
  for (const step of steps) {
    const reply = await sendStep(step, send, (text) => fill(text, namespace, raw))
    const body = parseBody(reply)
    raw.set(step.as ?? step.name, body)
    const warnings = warningsOf(reply.headers.warning)
    answers.set(step.name, {
      status: reply.status,
      contentType: String(reply.headers['content-type'] ?? ''),
      ...(warnings.length > 0 && { warnings: warnings.map((text) => String(mask(text, namespace))) }),
      body: maskBody(step, body, namespace),
    })
  }
  return answers
}

function maskBody(step: Step, body: JsonValue, namespace: string): JsonValue {
  const masked = mask(maskGeneratedName(step, body), namespace)
  return step.unordered ? sortUnordered(masked) : masked
}

async function sendStep(step: Step, send: Send, fillIn: (text: string) => string): ReturnType<Send> {
  const text = step.text ?? (step.body === undefined ? undefined : JSON.stringify(step.body))
  const headers = {
    'user-agent': 'contract/1.0',
    ...(text !== undefined && { 'content-type': 'application/json' }),
    ...step.headers,
  }
  const request = { method: step.method, path: fillIn(step.path), headers, body: text && fillIn(text) }
  for (let attempt = 0; ; attempt++) {
    const reply = await send(request)
    if (attempt === 100 || isAwaited(step.until, reply)) return reply
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function isAwaited(until: Step['until'], reply: Awaited<ReturnType<Send>>): boolean {
  if (until === undefined) return true
  return typeof until === 'number' ? reply.status === until : until(parseBody(reply))
}

function fill(text: string, namespace: string, raw: ReadonlyMap<string, JsonValue>): string {
  return text.replaceAll('{ns}', namespace).replace(/\{([\w -]+)\.(uid|rv|continue|name)\}/g, (whole, name, field) => {
    const body = raw.get(name)
    const metadata = isJsonObject(body) && isJsonObject(body.metadata) ? body.metadata : undefined
    const key = field === 'rv' ? 'resourceVersion' : field
    return metadata ? String(metadata[key] ?? '') : whole
  })
}

/** JSON of several lines, as a watch sends it, is a list. */
function parseBody({ text, headers }: Awaited<ReturnType<Send>>): JsonValue {
  if (!String(headers['content-type'] ?? '').includes('json')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
}

function warningsOf(header: unknown): readonly string[] {
  if (header === undefined) return []
  // HTTP/2 joins several headers of a name into one.
  return [header].flat().flatMap((text) => String(text).split(/, (?=299 - )/))
}
