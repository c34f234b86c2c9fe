import { posix } from 'node:path'
import { explain } from '../../../core/base/coded-error.ts'
import type { JsonObject } from '../../../core/base/json.ts'
import type { OutsideAnswer } from '../write/outside-answers.ts'
import { type ReviewKind, readReview, type WebhookReply } from './read-review.ts'

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])
const MAX_BYTES = 3 * 1024 * 1024

export interface WebhookCall {
  readonly clientConfig: JsonObject
  readonly timeoutSeconds: number
  readonly review: JsonObject
  readonly kind: ReviewKind
}

/** Posts a review to a webhook of this machine. Never rejects: what went wrong is the answer. */
export async function postReview(call: WebhookCall): Promise<OutsideAnswer> {
  const { clientConfig, timeoutSeconds, review, kind } = call
  const { url, caBundle } = clientConfig
  if (typeof url !== 'string') {
    return { failure: 'this API server runs in memory and reaches no Service: give the webhook a clientConfig.url' }
  }
  const target = URL.parse(url)
  if (!target || !LOOPBACK.has(target.hostname)) {
    const where = target?.hostname ?? url
    return { failure: `this API server runs in memory and calls webhooks of its own machine only, not ${where}` }
  }
  target.pathname = cleanPath(target.pathname)
  target.searchParams.set('timeout', `${timeoutSeconds}s`)
  const ca = typeof caBundle === 'string' ? Buffer.from(caBundle, 'base64') : undefined
  try {
    const reply = await post(target, { ca, timeout: timeoutSeconds * 1000, body: JSON.stringify(review) })
    return readReview(reply, kind)
  } catch (error) {
    return { failure: `Post ${JSON.stringify(target.toString())}: ${wordsOf(error, target)}` }
  }
}

/** As client-go joins it: without double slashes, and without one at the end. Go's servers redirect any other path. */
function cleanPath(path: string): string {
  return posix.join('/', path).replace(/(?<=.)\/$/, '')
}

interface Post {
  readonly ca: Buffer | undefined
  readonly timeout: number
  readonly body: string
}

/** As with Go, each certificate of `ca` is trusted for what it is: it may be that of the server itself. */
async function post(target: URL, { ca, timeout, body }: Post): Promise<WebhookReply> {
  // Most servers never call one, and those without TLS load it for nothing.
  const { request } = await import('node:https')
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const signal = AbortSignal.timeout(timeout)
    const trust = ca && { ca, allowPartialTrustChain: true }
    const call = request(target, { method: 'POST', headers, signal, ...trust }, (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > MAX_BYTES) call.destroy(new Error('the answer is too large'))
        chunks.push(chunk)
      })
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode = 0, headers: heads } = response
        resolve({
          status: statusCode,
          contentType: heads['content-type'] ?? '',
          text: Buffer.concat(chunks).toString(),
        })
      })
    })
    call.on('error', reject)
    call.end(body)
  })
}

/** As Go words it, where that is known. */
function wordsOf(error: unknown, { host }: URL): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  if (code === 'ECONNREFUSED') return `dial tcp ${host}: connect: connection refused`
  if (name === 'TimeoutError' || code === 'ABORT_ERR') return 'context deadline exceeded'
  if (code === 'ECONNRESET') return 'EOF'
  if (typeof code === 'string' && UNTRUSTED.has(code)) {
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority'
  }
  return explain(error)
}

const UNTRUSTED = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
])
