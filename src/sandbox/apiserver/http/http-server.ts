import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { ServerOptions } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from '../../../core/base/node-http.ts'
import type { ServerCertificate } from './certificates.ts'
import type { BodyReply, Reply, ReplySink, Silence, StreamReply } from './reply.ts'

export type MessageHandler = (message: IncomingMessage) => Promise<Reply | Silence>

/** Listens on 127.0.0.1, and nowhere else. */
export class HttpServer {
  readonly #server: Server
  /** Those without a TLS handshake or a request, too, which `closeAllConnections` does not know. */
  readonly #sockets = new Set<Socket>()

  /** Without a certificate it speaks plain HTTP. */
  static async create(
    handle: MessageHandler,
    certificate: ServerCertificate | undefined,
    clientCa?: string,
  ): Promise<HttpServer> {
    const listener = (message: IncomingMessage, response: ServerResponse): void => {
      void answer(handle, message, response)
    }
    const tls = certificate && tlsOptions(certificate, clientCa)
    return new HttpServer(tls ? await createTlsServer(tls, listener) : createServer(listener))
  }

  private constructor(server: Server) {
    this.#server = server
    this.#server.keepAliveTimeout = 120_000
    this.#server.requestTimeout = 0
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  /** Resolves with the port. */
  listen(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, '127.0.0.1', () => {
        this.#server.off('error', reject)
        resolve((this.#server.address() as AddressInfo).port)
      })
    })
  }

  /** Ends every connection, watches included. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
      for (const socket of this.#sockets) socket.destroy()
    })
  }
}

/** Node's TLS is loaded only for who speaks it. */
async function createTlsServer(options: ServerOptions, listener: RequestListener): Promise<Server> {
  const https = await import('node:https')
  return https.createServer(options, listener)
}

/** A client may use a certificate of our authority, or of that of `clientCa`, instead of a token. */
function tlsOptions({ key, certificate, ca }: ServerCertificate, clientCa: string | undefined): ServerOptions {
  const authorities = [ca, ...(clientCa === undefined ? [] : [clientCa])].filter((each) => each !== '')
  return {
    key,
    cert: certificate,
    ca: authorities,
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
  }
}

async function answer(handle: MessageHandler, message: IncomingMessage, response: ServerResponse): Promise<void> {
  response.on('error', () => undefined)
  try {
    const reply = await handle(message)
    if (reply === 'stall') return
    if (reply === 'drop') message.socket.destroy()
    else if ('stream' in reply) sendStream(reply, response)
    else sendBody(reply, response)
  } catch {
    // An error of one request must not stop the others.
    message.socket.destroy()
  }
}

function sendBody({ status, contentType, body, headers, cut }: BodyReply, response: ServerResponse): void {
  const type = contentType === '' ? {} : { 'Content-Type': contentType }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  response.writeHead(status, { ...COMMON, ...headers, ...type, 'Content-Length': bytes.length })
  if (cut) sendPart(bytes, cut, response)
  // With a text, Node would write the bytes of a header as text once more.
  else response.end(bytes)
}

function sendPart(body: Buffer, { bytes, rest }: NonNullable<BodyReply['cut']>, response: ServerResponse): void {
  response.flushHeaders()
  response.write(body.subarray(0, bytes), () => {
    if (rest === 'close') response.socket?.destroySoon()
  })
}

function sendStream({ status, contentType, headers, stream }: StreamReply, response: ServerResponse): void {
  response.writeHead(status, { ...COMMON, ...headers, 'Content-Type': contentType })
  response.flushHeaders()
  stream(sinkOf(response))
}

const COMMON = { 'Cache-Control': 'no-cache, private' }

function sinkOf(response: ServerResponse): ReplySink {
  return {
    write: (chunk) => response.write(chunk),
    onDrain: (listener) => response.on('drain', listener),
    onClose: (listener) => response.on('close', listener),
    end: () => response.end(),
  }
}
