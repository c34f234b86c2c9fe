import { KubeConfig } from '@kubernetes/client-node'
import { Agent, request } from 'undici'
import { systemClock } from '../../../src/core/base/clock.ts'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { parseYamlBody } from '../../../src/core/yaml/parse-body.ts'
import { printBody } from '../../../src/core/yaml/print-body.ts'
import { ApiServer } from '../../../src/sandbox/apiserver/api-server.ts'
import { builtinSchemas } from '../apiserver/sandbox.ts'
import type { Send } from './exchange.ts'

/** A server that scripts are run against; both kinds answer the same requests. */
export interface ServerUnderTest {
  readonly send: Send
  /** A namespace in which nothing is under way any more. */
  createNamespace(name: string): Promise<void>
  /** Lets time pass between two requests. */
  wait(milliseconds: number): Promise<void>
  /** Lets the time of watches in the background pass at once. Absent: it passes by itself. */
  readonly endWatches?: () => void
  close(): Promise<void>
}

const JSON_TYPE = { 'content-type': 'application/json' }

/**
 * A new sandbox, in this process. Its workload controllers stand still: what scripts compare is the API server alone. Its
 * time stands still, too, except where a script waits: a slow machine gives the same answers as a fast one.
 */
export async function startSandbox(): Promise<ServerUnderTest> {
  const clock = new FakeClock()
  const server = new ApiServer({
    schemas: builtinSchemas(),
    clock,
    tls: false,
    workloads: false,
    authorization: 'rbac',
    parseYaml: parseYamlBody,
    printYaml: printBody,
  })
  const { url, token } = await server.start()
  const agent = new Agent()
  const sendAsAdmin = sendTo(url, agent, { authorization: `Bearer ${token}` })
  const send: Send = (request) =>
    sendAsAdmin({ ...request, onHead: request.onHead ?? (() => void clock.advance(durationOf(request.path))) })
  const wait = (milliseconds: number): Promise<void> => clock.advance(milliseconds)
  return {
    send,
    createNamespace: (name) => createNamespace(name, { send, wait }),
    wait,
    endWatches: () => {
      while (clock.pending > 0) clock.fireNext()
    },
    close: async () => {
      await agent.close()
      await server.stop()
    },
  }
}

/** How long a watch goes on once the server has taken it. */
function durationOf(path: string): number {
  const [, seconds = '0'] = /[?&]timeoutSeconds=(\d+)/.exec(path) ?? []
  return Number(seconds) * 1000
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
  const wait = (milliseconds: number): Promise<void> => systemClock.sleep(milliseconds)
  return { send, createNamespace: (name) => createNamespace(name, { send, wait }), wait, close }
}

export function sendTo(url: string, dispatcher: Agent, credentials: Readonly<Record<string, string>>): Send {
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

async function createNamespace(name: string, { send, wait }: Pick<ServerUnderTest, 'send' | 'wait'>): Promise<void> {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  await send({ method: 'POST', path: '/api/v1/namespaces', headers: JSON_TYPE, body })
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await hasDefaults(send, name)) return
    await wait(50)
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
