import type { IncomingMessage } from 'node:http'
import { statusError } from '../api-status.ts'

/** As the real server: 3 MiB. */
const MAX_BODY_BYTES = 3 * 1024 * 1024

/** @throws ApiError 413 */
export async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  const [only] = chunks
  return chunks.length === 1 && only ? only : Buffer.concat(chunks)
}

function tooLarge(): Error {
  const message = `Request entity too large: limit is ${MAX_BODY_BYTES}`
  return statusError(413, 'RequestEntityTooLarge', message)
}
