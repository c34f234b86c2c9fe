import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent, createServer, request, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { KubeConfig } from '@kubernetes/client-node'
import type { Intercept } from '../../src/sandbox/apiserver/http/request-handler.ts'
import { CertificateAuthority } from '../control-plane/certificates.ts'
import { kubeconfigText } from '../control-plane/kubeconfig.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A write that the server has answered. */
export interface AnsweredWrite {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly body: string
  /** When it arrived at the proxy, by `performance.now()`. */
  readonly arrivedAt: number
}

/**
 * Stands before a real API server and calls an `Intercept` for each request, as the sandbox does by itself: one
 * `WriteLog` counts and cuts on both.
 */
export class InterceptingProxy {
  readonly #server: Server
  readonly #agent: Agent
  readonly #folder = temporaryFolder()
  readonly #intercept: Intercept
  readonly #upstream: URL
  /** Called with each write once it is answered, also when its client does not wait for the answer any more. */
  onWrite: (write: AnsweredWrite) => void = () => undefined

  /** @param kubeconfig of a user with a token, which is sent on with each request */
  static async start(kubeconfig: string, intercept: Intercept): Promise<InterceptingProxy> {
    const config = new KubeConfig()
    config.loadFromString(readFileSync(kubeconfig, 'utf8'))
    const authority = await CertificateAuthority.create()
    const { key, certificate } = await authority.signServer()
    const proxy = new InterceptingProxy(config, { key, cert: certificate }, intercept)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    proxy.#writeKubeconfig(config, authority.certificate)
    return proxy
  }

  private constructor(config: KubeConfig, tls: { key: string; cert: string }, intercept: Intercept) {
    const { server = '', caData = '' } = config.getCurrentCluster() ?? {}
    this.#upstream = new URL(server)
    this.#intercept = intercept
    this.#agent = new Agent({ keepAlive: true, ca: Buffer.from(caData, 'base64') })
    this.#server = createServer(tls, (incoming, reply) => void this.#forward(incoming, reply))
  }

  /** The path of a kubeconfig that leads here. */
  get kubeconfig(): string {
    return join(this.#folder.path, 'kubeconfig')
  }

  /** Breaks every connection, watches included. New ones are taken. */
  cut(): void {
    this.#server.closeAllConnections()
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    this.#agent.destroy()
    await closed
    this.#folder.remove()
  }

  #writeKubeconfig(config: KubeConfig, ca: string): void {
    const { port } = this.#server.address() as AddressInfo
    const { namespace = 'default' } = config.getContextObject(config.getCurrentContext()) ?? {}
    const token = config.getCurrentUser()?.token ?? ''
    const server = `https://127.0.0.1:${port}`
    writeFileSync(this.kubeconfig, kubeconfigText({ server, ca, user: 'proxied', credentials: { token }, namespace }))
  }

  async #forward(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
    const isRead = incoming.method === 'GET'
    const arrivedAt = performance.now()
    try {
      if (this.#ask(incoming, 'before', 0) === 'drop') return void reply.destroy()
      const answer = await this.#send(incoming, reply)
      const status = answer.statusCode ?? 0
      if (isRead) {
        reply.writeHead(status, answer.headers).flushHeaders()
        answer.pipe(reply)
        return
      }
      const body = await buffer(answer)
      const { method = '', url = '' } = incoming
      this.onWrite({ method, path: url.split('?')[0] ?? '', status, body: body.toString('utf8'), arrivedAt })
      if (this.#ask(incoming, 'after', status) === 'drop') return void reply.destroy()
      reply.writeHead(status, answer.headers).end(body)
    } catch {
      reply.destroy()
    }
  }

  async #send(incoming: IncomingMessage, reply: ServerResponse): Promise<IncomingMessage> {
    const body = await buffer(incoming)
    const { method, headers, url = '' } = incoming
    const sent = request(new URL(url, this.#upstream), { agent: this.#agent, method, headers })
    // A write goes on: the server may do it, whether or not the client is still there.
    if (method === 'GET') reply.once('close', () => sent.destroy())
    sent.end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    sent.on('error', () => reply.destroy())
    return answer
  }

  #ask({ method = '', url = '', headers }: IncomingMessage, phase: 'before' | 'after', status: number) {
    const { pathname: path, searchParams: query } = new URL(url, this.#upstream)
    return this.#intercept({ phase, method, path, query, userAgent: headers['user-agent'] ?? '', status })
  }
}
