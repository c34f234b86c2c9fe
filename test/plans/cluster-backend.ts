import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { KubeConfig } from '@kubernetes/client-node'
import { Agent } from 'undici'
import type { KubeClient } from '../../src/core/kube/client.ts'
import { formatGvk, type Gvk } from '../../src/core/kube/group-version-kind.ts'
import { formatKey, type KubeObject, keyOf } from '../../src/core/kube/object.ts'
import type { Reply, StreamReply } from '../../src/sandbox/apiserver/http/reply.ts'
import type { ObjectEvent } from '../../src/sandbox/apiserver/object-api.ts'

/** Receives the changes in a namespace. */
export type Listener = (event: ObjectEvent) => void

/**
 * A real server that serves many lives at once. It passes requests on as they came, and one watch of each kind reports
 * to every namespace what happens in it.
 */
export class ClusterBackend {
  readonly person: KubeClient
  readonly #agent: Agent
  readonly #origin: string
  readonly #listeners = new Map<string, Listener>()
  readonly #objects = new Map<string, KubeObject>()
  readonly #discovery = new Map<string, Promise<Reply>>()
  readonly #stop = new AbortController()
  readonly #watching: Promise<void>[]
  /** The newest version that was heard of. */
  version = '1'

  /** @param kubeconfig the path of one whose user has a client certificate */
  constructor(kubeconfig: string, person: KubeClient, kinds: readonly Gvk[]) {
    const config = new KubeConfig()
    config.loadFromString(readFileSync(kubeconfig, 'utf8'))
    const { server = '', caData = '' } = config.getCurrentCluster() ?? {}
    const { certData = '', keyData = '' } = config.getCurrentUser() ?? {}
    const [ca, cert, key] = [caData, certData, keyData].map((text) => Buffer.from(text, 'base64'))
    this.#origin = new URL(server).origin
    this.#agent = new Agent({ connect: { ca, cert, key }, headersTimeout: 0, bodyTimeout: 0 })
    this.person = person
    this.#watching = kinds.map((gvk) => this.#watch(gvk))
  }

  /** Calls `listener` with every change in a namespace, until the returned function is called. */
  listen(namespace: string, listener: Listener): () => void {
    this.#listeners.set(namespace, listener)
    return () => this.#listeners.delete(namespace)
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('the suite is over'))
    await Promise.all(this.#watching)
    await this.#agent.destroy()
  }

  /** Sends a request on. What the server serves is the same for all lives, and asked for once. */
  readonly forward = (message: IncomingMessage): Promise<Reply> => {
    const { method, url = '' } = message
    if (method !== 'GET' || !DISCOVERY.test(url)) return this.#send(message)
    const id = `${url} ${message.headers.accept}`
    const known = this.#discovery.get(id) ?? this.#send(message)
    this.#discovery.set(id, known)
    return known
  }

  async #send(message: IncomingMessage): Promise<Reply> {
    const { method = 'GET', url = '', headers } = message
    const chunks: Buffer[] = []
    for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk)
    const sent = {
      ...{
        origin: this.#origin,
        path: url,
        method: method as 'GET',
        body: chunks.length > 0 ? Buffer.concat(chunks) : null,
      },
      headers: { accept: headers.accept ?? '', 'content-type': headers['content-type'] ?? 'application/json' },
    }
    const answer = await this.#agent.request(sent)
    const contentType = String(answer.headers['content-type'] ?? '')
    const retryAfter = answer.headers['retry-after']
    const named = { ...(typeof retryAfter === 'string' && { 'Retry-After': retryAfter }) }
    if (answer.statusCode < 300 && url.includes('watch=true')) {
      return { status: answer.statusCode, contentType, stream: streamOf(answer.body) }
    }
    const body = Buffer.from(await answer.body.arrayBuffer())
    return { status: answer.statusCode, contentType, body, headers: named }
  }

  async #watch(gvk: Gvk): Promise<void> {
    const { signal } = this.#stop
    const sendInitialEvents = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } as const
    while (!signal.aborted) {
      try {
        for await (const event of this.person.watch(gvk, { ...sendInitialEvents, signal })) {
          if (event.type === 'ERROR') break
          if (event.type !== 'BOOKMARK') this.#see(gvk, event.type === 'DELETED', event.object)
        }
      } catch (error) {
        if (!signal.aborted) throw error
      }
    }
  }

  /** A watch that has begun anew repeats what is known already. */
  #see(gvk: Gvk, isGone: boolean, object: KubeObject): void {
    const id = `${formatGvk(gvk)} ${formatKey(keyOf(object))}`
    const old = this.#objects.get(id)
    if (!isGone && old?.metadata.resourceVersion === object.metadata.resourceVersion) return
    if (isGone) this.#objects.delete(id)
    else this.#objects.set(id, object)
    this.version = object.metadata.resourceVersion ?? this.version
    const type = isGone ? 'DELETED' : old ? 'MODIFIED' : 'ADDED'
    this.#listeners.get(object.metadata.namespace ?? '')?.({ type, object, old })
  }
}

const DISCOVERY = /^\/(api|apis|openapi\/v3(\/.*)?)(\?.*)?$/

function streamOf(body: NodeJS.ReadableStream & { destroy(): unknown }): StreamReply['stream'] {
  return (sink) => {
    body.on('data', (chunk: Buffer) => sink.write(chunk))
    body.on('end', () => sink.end())
    body.on('error', () => sink.end())
    sink.onClose(() => body.destroy())
  }
}
