/**
 * Writes what a real kube-apiserver answers to the scripts into `recorded/`, so that the sandbox can be compared with it
 * where there is no real server. `npm run test:cluster` compares both live, and says which recordings are out of date.
 *
 *     node test/sandbox/contract/record.ts <kubeconfig> [topic…]
 */
import { writeFileSync } from 'node:fs'
import { argv, stdout } from 'node:process'
import { inParallel } from './in-parallel.ts'
import { loadScripts } from './load-scripts.ts'
import { runScript } from './run-script.ts'
import { connectToCluster } from './server-under-test.ts'

const [, , kubeconfig = '', ...wanted] = argv
const server = connectToCluster(kubeconfig)
const scripts = loadScripts(wanted)
await Promise.all(inParallel(scripts.keys(), 6, record).values())
await server.close()

async function record(topic: string): Promise<void> {
  const namespace = `contract-${Math.random().toString(36).slice(2, 8)}`
  await server.createNamespace(namespace)
  const answers = await runScript(scripts.get(topic) ?? [], server, namespace)
  const url = new URL(`recorded/${topic}.generated.json`, import.meta.url)
  writeFileSync(url, `${JSON.stringify(Object.fromEntries(answers), null, 1)}\n`)
  await server.send({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}`, headers: {}, body: undefined })
  stdout.write(`${topic}: ${answers.size} answers\n`)
}
