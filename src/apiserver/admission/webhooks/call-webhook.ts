import { request } from 'node:https'
import { explain } from '../../../base/coded-error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts'
import type { OutsideAnswer } from '../../write/outside-answers.ts'

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])
const MAX_BYTES = 3 * 1024 * 1024

export interface WebhookCall {
  readonly clientConfig: JsonObject
  readonly timeoutSeconds: number
  readonly review: JsonObject
}

/** Posts a review to a webhook of this machine. Never rejects: what went wrong is the answer. */
export async function callWebhook({ clientConfig, timeoutSeconds, review }: WebhookCall): Promise<OutsideAnswer> {
  const { url, caBundle } = clientConfig
  if (typeof url !== 'string') {
    return { failure: 'this API server runs in memory and reaches no Service: give the webhook a clientConfig.url' }
  }
  const target = new URL(url)
  if (!LOOPBACK.has(target.hostname)) {
    return {
      failure: `this API server runs in memory and calls webhooks of its own machine only, not ${target.hostname}`,
    }
  }
  target.searchParams.set('timeout', `${timeoutSeconds}s`)
  const ca = typeof caBundle === 'string' ? Buffer.from(caBundle, 'base64') : undefined
  try {
    const text = await post(target, { ca, timeout: timeoutSeconds * 1000, body: JSON.stringify(review) })
    return { body: JSON.parse(text) as JsonValue }
  } catch (error) {
    return { failure: `failed to call webhook: ${wordsOf(error, target)}` }
  }
}

interface Post {
  readonly ca: Buffer | undefined
  readonly timeout: number
  readonly body: string
}

function post(target: URL, { ca, timeout, body }: Post): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const signal = AbortSignal.timeout(timeout)
    const call = request(target, { method: 'POST', headers, signal, ...(ca && { ca }) }, (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > MAX_BYTES) call.destroy(new Error('the answer is too large'))
        chunks.push(chunk)
      })
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if ((response.statusCode ?? 0) < 300) resolve(text)
        else reject(new Error(`the webhook answered with status ${response.statusCode}`))
      })
    })
    call.on('error', reject)
    call.end(body)
  })
}

/** As Go words it, where that is known. */
function wordsOf(error: unknown, target: URL): string {
  if (error instanceof SyntaxError) return `the answer is no JSON: ${error.message}`
  const { code, name } = error as { code?: unknown; name?: unknown }
  const where = `Post ${JSON.stringify(target.toString())}`
  if (code === 'ECONNREFUSED') return `${where}: dial tcp ${target.host}: connect: connection refused`
  if (name === 'TimeoutError' || code === 'ABORT_ERR') return `${where}: context deadline exceeded`
  return `${where}: ${explain(error)}`
}

export function responseOf(body: JsonValue): JsonObject | undefined {
  return isJsonObject(body) && isJsonObject(body.response) ? body.response : undefined
}
