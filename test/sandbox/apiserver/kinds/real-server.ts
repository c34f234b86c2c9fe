import { execFileSync } from 'node:child_process'
import { Agent, request } from 'node:https'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'

export interface Answer {
  readonly code: number
  readonly body: JsonObject
  /** Texts of `Warning` headers. */
  readonly warnings: readonly string[]
}

export interface RealServer {
  readonly send: (method: string, path: string, body?: JsonValue, accept?: string) => Promise<Answer>
  readonly close: () => void
}

/** A real kube-apiserver, reached with the client certificate of a kubeconfig. Only scripts that record use it. */
export function realServer(kubeconfig: string): RealServer {
  const { server, agent } = readKubeconfig(kubeconfig)
  const send: RealServer['send'] = (method, path, body, accept = 'application/json') => {
    const text = body === undefined ? '' : JSON.stringify(body)
    const length = Buffer.byteLength(text)
    const headers = { 'content-type': 'application/json', accept, 'content-length': length }
    return new Promise((resolve, reject) => {
      const call = request(new URL(path, server), { method, agent, headers }, (answer) => {
        let received = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          received += chunk
        })
        answer.on('end', () =>
          resolve({
            code: answer.statusCode ?? 0,
            body: JSON.parse(received) as JsonObject,
            warnings: warningsOf(String(answer.headers.warning ?? '')),
          }),
        )
      })
      call.on('error', reject)
      call.end(text)
    })
  }
  return { send, close: () => agent.destroy() }
}

/** `299 - "text", 299 - "text"`. */
function warningsOf(header: string): readonly string[] {
  return [...header.matchAll(/299 - ("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) => JSON.parse(text) as string)
}

function readKubeconfig(path: string): { server: URL; agent: Agent } {
  const kubectl = ['--kubeconfig', path, 'config', 'view', '--raw', '--minify', '-o', 'json']
  const config = JSON.parse(execFileSync('kubectl', kubectl, { encoding: 'utf8' }))
  const decode = (data: string): Buffer => Buffer.from(data, 'base64')
  const { cluster } = config.clusters[0]
  const { user } = config.users[0]
  const agent = new Agent({
    ca: decode(cluster['certificate-authority-data']),
    cert: decode(user['client-certificate-data']),
    key: decode(user['client-key-data']),
    keepAlive: true,
  })
  return { server: new URL(cluster.server), agent }
}
