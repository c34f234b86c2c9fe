import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/core/base/json.ts'
import { createServerCertificate, type ServerCertificate } from '../../../src/sandbox/apiserver/http/certificates.ts'
import { CONVERSION_ANSWERS } from './conversion-answers.ts'
import { WEBHOOK_ANSWERS, type WebhookAnswer } from './webhook-answers.ts'

export interface WebhookServer {
  readonly url: string
  /** What configurations have as `caBundle`. */
  readonly caBundle: string
  close(): void
}

let certificate: Promise<ServerCertificate> | undefined

/** Webhooks on loopback, which both servers call: the path says what is answered. */
export async function startWebhookServer(): Promise<WebhookServer> {
  certificate ??= createServerCertificate(Date.now())
  const { key, certificate: cert, ca } = await certificate
  const server = createServer({ key, cert }, (message, response) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => reply(message, response, JSON.parse(Buffer.concat(chunks).toString())))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caBundle: Buffer.from(ca).toString('base64'),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const ANSWERS: Readonly<Record<string, WebhookAnswer>> = { ...WEBHOOK_ANSWERS, ...CONVERSION_ANSWERS }

function reply({ url = '', socket }: IncomingMessage, response: ServerResponse, review: JsonObject): void {
  const name = url.replace(/^\/|\?.*$/g, '')
  const answer: WebhookAnswer = ANSWERS[name] ?? { status: 404, text: `no answer is named '${name}'` }
  if (answer.instead === 'close') socket.destroy()
  if (answer.instead) return
  const { status = 200, contentType = 'application/json', text = JSON.stringify(reviewOf(answer, review)) } = answer
  response.writeHead(status, { 'content-type': contentType })
  response.end(text)
}

function reviewOf({ review, response }: WebhookAnswer, { apiVersion, kind, request }: JsonObject): JsonValue {
  const asked = isJsonObject(request) ? request : {}
  const said = typeof response === 'function' ? response(asked) : response
  return { apiVersion, kind, ...review, ...(said && { response: { uid: asked.uid, ...said } }) }
}
