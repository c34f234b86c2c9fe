import { connect, type Socket } from 'node:net'
import type { FuzzRequest } from './fuzz-request.ts'

export interface WireAnswer {
  /** 0: the connection was closed without an answer. */
  readonly status: number
  readonly contentType: string
  /** Of a watch, what came at once. */
  readonly body: string
  readonly milliseconds: number
}

/** How long a watch is listened to. */
const WATCH_TIME = 15

/** Sends bytes as they are, one request after the other: what a library would refuse to send is sent, too. */
export class WireClient {
  readonly #port: number
  readonly #token: string
  readonly #patience: number
  #socket: Socket | undefined

  /** `patience`: milliseconds until an answer is there. */
  constructor(port: number, token: string, patience: number) {
    this.#port = port
    this.#token = token
    this.#patience = patience
  }

  /** @throws Error when no answer comes in time */
  send(request: FuzzRequest): Promise<WireAnswer> {
    const start = performance.now()
    const socket = this.#connected()
    const reader = new AnswerReader(request.method)
    const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>()
    const timer = setTimeout(() => reject(new Error(`no answer in ${this.#patience} ms`)), this.#patience)
    const finish = (): void => resolve({ ...reader.answer, milliseconds: performance.now() - start })
    socket.on('data', (chunk) => {
      reader.add(chunk)
      if (reader.isWhole) finish()
      else if (reader.isEndless) setTimeout(finish, WATCH_TIME)
    })
    socket.on('close', finish)
    socket.on('error', () => undefined)
    socket.write(this.#bytesOf(request))
    return promise.finally(() => {
      clearTimeout(timer)
      for (const event of ['data', 'close', 'error']) socket.removeAllListeners(event)
      socket.on('error', () => undefined)
      if (reader.isReusable && !socket.destroyed) return
      socket.destroy()
      this.#socket = undefined
    })
  }

  close(): void {
    this.#socket?.destroy()
  }

  #connected(): Socket {
    if (this.#socket && !this.#socket.destroyed && this.#socket.writable) return this.#socket
    this.#socket = connect(this.#port, '127.0.0.1').setNoDelay(true)
    return this.#socket
  }

  #bytesOf({ method, path, headers, body }: FuzzRequest): Buffer {
    const own = [['Host', '127.0.0.1'] as const, ['Authorization', `Bearer ${this.#token}`] as const]
    const named = new Set(headers.map(([name]) => name.toLowerCase()))
    const length = body && !named.has('transfer-encoding') ? [['Content-Length', String(body.length)] as const] : []
    const all = [...own.filter(([name]) => !named.has(name.toLowerCase())), ...headers, ...length]
    const lines = all.map(([name, value]) => `${name}: ${value}\r\n`)
    return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), body ?? EMPTY])
  }
}

const EMPTY = Buffer.alloc(0)

/** Puts the answer to one request together. */
class AnswerReader {
  readonly #method: string
  #bytes: Buffer = EMPTY
  #head: string | undefined

  constructor(method: string) {
    this.#method = method
  }

  add(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk])
    while (this.#head === undefined) {
      const end = this.#bytes.indexOf('\r\n\r\n')
      if (end === -1) return
      const head = this.#bytes.toString('latin1', 0, end)
      this.#bytes = this.#bytes.subarray(end + 4)
      if (!/^HTTP\/1\.1 1\d\d /.test(head)) this.#head = head
    }
  }

  get isWhole(): boolean {
    if (this.#head === undefined) return false
    if (this.#method === 'HEAD' || /^HTTP\/1\.1 (204|304)/.test(this.#head)) return true
    const length = this.#header('content-length')
    return length === undefined ? this.#bytes.includes('0\r\n\r\n') : this.#bytes.length >= Number(length)
  }

  /** An answer in pieces: of a watch, which may go on for long. */
  get isEndless(): boolean {
    return this.#header('transfer-encoding') === 'chunked'
  }

  get isReusable(): boolean {
    return this.isWhole && this.#header('connection') !== 'close' && !this.isEndless
  }

  get answer(): Omit<WireAnswer, 'milliseconds'> {
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(this.#head ?? '')?.[1] ?? 0)
    return { status, contentType: this.#header('content-type') ?? '', body: this.#bytes.toString() }
  }

  #header(name: string): string | undefined {
    return new RegExp(`^${name}: *(.*)$`, 'im')
      .exec(this.#head ?? '')?.[1]
      ?.trim()
      .toLowerCase()
  }
}
