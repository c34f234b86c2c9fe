import { KubeConfig } from '@kubernetes/client-node'
import { Agent, request } from 'undici'
import { ApiServer } from '../../src/apiserver/api-server.ts'
import { parseBody } from '../../src/yaml/parse-body.ts'
import { printBody } from '../../src/yaml/print-body.ts'
import { builtinSchemas } from '../apiserver/sandbox.ts'
import type { Send } from './exchange.ts'
import { HeldClock } from './held-clock.ts'

/** A server that scripts are run against; both kinds answer the same requests. */
export interface ServerUnderTest {
  readonly send: Send
  /** A namespace in which nothing is under way any more. */
  createNamespace(name: string): Promise<void>
  /** Lets the time of watches in the background pass at once. Absent: it passes by itself. */
  readonly endWatches?: () => void
  close(): Promise<void>
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** A new sandbox, in this process. Its workload controllers stand still: what scripts compare is the API server alone. */
export async function startSandbox(): Promise<ServerUnderTest> {
  const clock = new HeldClock()
  const server = new ApiServer({
    schemas: builtinSchemas(),
    clock,
    tls: false,
    workloads: false,
    authorization: 'rbac',
    parseYaml: parseBody,
    printYaml: printBody,
  })
  const { url, token } = await server.start()
  const agent = new Agent()
  const send = sendTo(url, agent, { authorization: `Bearer ${token}` })
  return {
    send: (request) =>
      request.onHead ? clock.holding(request.onHead, (onHead) => send({ ...request, onHead })) : send(request),
    createNamespace: (name) => createNamespace(send, name),
    endWatches: () => clock.release(),
    close: async () => {
      await agent.close()
      await server.stop()
    },
  }
}

/** A real server, by the client certificate or the token of a kubeconfig file. */
export function connectToCluster(kubeconfig: string): ServerUnderTest {
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  const cluster = config.getCurrentCluster()
  const user = config.getCurrentUser()
  const connect = { ca: pem(cluster?.caData), cert: pem(user?.certData), key: pem(user?.keyData) }
  const agent = new Agent({ connect })
  const url = cluster?.server ?? ''
  const sendAsUser = sendTo(url, agent, user?.token ? { authorization: `Bearer ${user.token}` } : {})
  // Who brings a token of their own does not show the certificate, which would count more.
  const bare = new Agent({ connect: { ca: connect.ca } })
  const sendAsBearer = sendTo(url, bare, {})
  const send: Send = (request) => (request.headers.authorization ? sendAsBearer : sendAsUser)(request)
  const close = async (): Promise<void> => {
    await Promise.all([agent.close(), bare.close()])
  }
  return { send, createNamespace: (name) => createNamespace(send, name), close }
}

function sendTo(url: string, dispatcher: Agent, credentials: Readonly<Record<string, string>>): Send {
  return async ({ method, path, headers, body, onHead }) => {
    const reply = await request(`${url}${path}`, {
      method: method as 'GET',
      headers: { ...credentials, ...headers },
      body: body ?? null,
      dispatcher,
    })
    onHead?.()
    return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() }
  }
}

async function createNamespace(send: Send, name: string): Promise<void> {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  await send({ method: 'POST', path: '/api/v1/namespaces', headers: JSON_TYPE, body })
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await hasDefaults(send, name)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`the namespace ${name} did not get its default ServiceAccount within five seconds`)
}

async function hasDefaults(send: Send, namespace: string): Promise<boolean> {
  for (const path of ['configmaps/kube-root-ca.crt', 'serviceaccounts/default']) {
    const url = `/api/v1/namespaces/${namespace}/${path}`
    if ((await send({ method: 'GET', path: url, headers: {}, body: undefined })).status !== 200) return false
  }
  return true
}

function pem(data: string | undefined): string {
  return Buffer.from(data ?? '', 'base64').toString()
}
