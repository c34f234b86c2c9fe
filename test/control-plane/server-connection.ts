import { type RequestOptions, request } from 'node:https'
import { KubeConfig } from '@kubernetes/client-node'

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of a foreign server are looked into, not typed
  readonly body: any
}

/** Sends one request and parses the answer; never rejects because of a status. */
export type Send = (method: string, path: string, body?: object, contentType?: string) => Promise<Answer>

/** Plain requests to the server of a kubeconfig (the default one when no file is named). */
export async function connectTo(kubeconfig: string | undefined): Promise<Send> {
  const config = new KubeConfig()
  if (kubeconfig === undefined) config.loadFromDefault()
  else config.loadFromFile(kubeconfig)
  const server = config.getCurrentCluster()?.server
  if (server === undefined) throw new Error('cannot reach a server: the kubeconfig names no cluster')
  const options: RequestOptions = {}
  await config.applyToHTTPSOptions(options as Parameters<KubeConfig['applyToHTTPSOptions']>[0])
  return (method, path, body, contentType = 'application/json') =>
    new Promise((resolve, reject) => {
      const headers = body === undefined ? {} : { 'content-type': contentType }
      const sent = request(new URL(path, server), { ...options, method, headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          resolve({ status: answer.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) })
        })
      })
      sent.on('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
}
