/**
 * Writes what a real kube-apiserver answers to the scripts into `recorded/`.
 *
 *     node test/apiserver/contract/record.ts <kubeconfig> [script…]
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { KubeConfig } from '@kubernetes/client-node'
import { Agent, request } from 'undici'
import type { Send } from './exchange.ts'
import { runScript } from './run-script.ts'
import { SCRIPTS } from './scripts.ts'

const [, , kubeconfig = '', ...wanted] = process.argv
const config = new KubeConfig()
config.loadFromString(readFileSync(kubeconfig, 'utf8'))
const cluster = config.getCurrentCluster()
const user = config.getCurrentUser()
const pem = (data: string | undefined): string => Buffer.from(data ?? '', 'base64').toString()
const connect = { ca: pem(cluster?.caData), cert: pem(user?.certData), key: pem(user?.keyData) }
const dispatcher = new Agent({ connect })

const send: Send = async ({ method, path, headers, body }) => {
  const reply = await request(`${cluster?.server}${path}`, {
    method: method as 'GET',
    headers,
    body: body ?? null,
    dispatcher,
  })
  return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() }
}

for (const [name, steps] of Object.entries(SCRIPTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const namespace = `contract-${Math.random().toString(36).slice(2, 8)}`
  await createNamespace(namespace)
  const answers = await runScript(steps, send, namespace)
  const url = new URL(`recorded/${name}.generated.json`, import.meta.url)
  writeFileSync(url, `${JSON.stringify(Object.fromEntries(answers), null, 1)}\n`)
  await send({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}`, headers: {}, body: undefined })
  process.stdout.write(`${name}: ${answers.size} answers\n`)
}
await dispatcher.close()

async function createNamespace(name: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  await send({ method: 'POST', path: '/api/v1/namespaces', headers, body })
  for (let attempt = 0; attempt < 50; attempt++) {
    const path = `/api/v1/namespaces/${name}/configmaps/kube-root-ca.crt`
    if ((await send({ method: 'GET', path, headers: {}, body: undefined })).status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
