import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from './eventually.ts'

/** A span as it was received, with the attributes as plain values. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  /** Absent: the root of its trace. */
  readonly parentSpanId?: string
  readonly name: string
  /** 1 internal, 3 client. */
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  /** Code 2 is an error. */
  readonly status: { readonly code: number; readonly message?: string }
  readonly attributes: Readonly<Record<string, unknown>>
  /** Of the resource that sent it. */
  readonly resource: Readonly<Record<string, unknown>>
}

interface Value {
  readonly stringValue?: string
  readonly intValue?: string | number
  readonly boolValue?: boolean
  readonly arrayValue?: { readonly values: readonly Value[] }
}

type Attributes = readonly { readonly key: string; readonly value: Value }[]
type RawSpan = Omit<ReceivedSpan, 'attributes' | 'resource'> & { readonly attributes: Attributes }

interface RawExport {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes }
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[]
  }[]
}

/** Takes spans by OTLP over HTTP, as JSON. */
export class TraceReceiver {
  readonly spans: ReceivedSpan[] = []
  /** All that it was sent: paths, headers and bodies. */
  text = ''
  readonly #server: Server

  private constructor() {
    this.#server = createServer(async (message, reply) => {
      this.#take(await this.#read(message))
      reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }

  static async start(): Promise<TraceReceiver> {
    const receiver = new TraceReceiver()
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve))
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Resolves with the first span that fits. */
  async span(what: string, fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
    await eventually(() => this.spans.some(fits), what)
    return this.spans.find(fits) as ReceivedSpan
  }

  /** In the order in which they began. */
  childrenOf({ spanId }: ReceivedSpan): readonly ReceivedSpan[] {
    const children = this.spans.filter(({ parentSpanId }) => parentSpanId === spanId)
    return children.sort((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #read(message: IncomingMessage): Promise<string> {
    const pieces: Buffer[] = []
    for await (const piece of message) pieces.push(piece)
    const body = Buffer.concat(pieces).toString()
    this.text += `${message.method} ${message.url} ${JSON.stringify(message.headers)}\n${body}\n`
    return body
  }

  #take(body: string): void {
    const { resourceSpans } = JSON.parse(body) as RawExport
    for (const { resource, scopeSpans } of resourceSpans) {
      for (const span of scopeSpans.flatMap(({ spans }) => spans))
        this.spans.push({ ...span, attributes: plain(span.attributes), resource: plain(resource.attributes) })
    }
  }
}

function plain(attributes: Attributes): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]))
}

function plainValue({ stringValue, intValue, boolValue, arrayValue }: Value): unknown {
  if (arrayValue) return arrayValue.values.map(plainValue)
  return stringValue ?? boolValue ?? Number(intValue)
}
