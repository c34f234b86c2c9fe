/**
 * Lets a real control plane (with kwok as kubelet) bring workloads to rest, and writes what it made of them beside this
 * file: `node test/sandbox/apiserver/workloads/record.ts <kubeconfig> [<scenario>…]`.
 */
import { writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { realServer } from '../kinds/real-server.ts'
import { maskAtRest } from './mask.ts'
import { PATHS, SCENARIOS, type Scenario } from './scenarios.ts'

const [, , kubeconfig = '', ...only] = argv
const { send, close } = realServer(kubeconfig)

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'

interface Row {
  readonly cells: JsonValue
  readonly object: KubeObject
}

/** All objects of a kind, each with its row of `kubectl get -o wide`. */
async function list(kind: keyof typeof PATHS, namespace: string): Promise<readonly KubeObject[]> {
  const { base, plural } = PATHS[kind]
  const path = `${base}/namespaces/${namespace}/${plural}`
  const { body } = await send('GET', path)
  const table = await send('GET', path, undefined, TABLE)
  const rows = (table.body.rows ?? []) as unknown as Row[]
  return (body.items as unknown as KubeObject[]).map((item) => {
    const row = rows.find(({ object }) => object.metadata.name === item.metadata.name)
    return { ...item, kind, apiVersion: String(body.apiVersion), cells: row?.cells }
  })
}

async function put(object: KubeObject, namespace: string): Promise<void> {
  const { base, plural } = PATHS[object.kind as keyof typeof PATHS]
  const path = `${base}/namespaces/${namespace}/${plural}`
  const created = await send('POST', path, object as JsonObject)
  if (created.code !== 409) return
  for (;;) {
    const { body } = await send('GET', `${path}/${object.metadata.name}`)
    const answer = await send('PUT', `${path}/${object.metadata.name}`, { ...body, spec: (object as JsonObject).spec })
    if (answer.code !== 409) return
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Waits until nothing has changed for two seconds. */
async function rest(scenario: Scenario, namespace: string): Promise<Record<string, readonly KubeObject[]>> {
  let before = ''
  let quiet = 0
  for (;;) {
    const kinds: Record<string, readonly KubeObject[]> = {}
    for (const kind of scenario.kinds) kinds[kind] = await list(kind, namespace)
    const now = JSON.stringify(kinds, (key, value: unknown) => (key === 'cells' ? undefined : value))
    quiet = now === before ? quiet + 1 : 0
    if (quiet >= 8) return kinds
    before = now
    await pause(250)
  }
}

for (const [name, scenario] of Object.entries(SCENARIOS)) {
  if (only.length > 0 && !only.includes(name)) continue
  const namespace = `workloads-${Date.now() % 1e6}`
  await send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  await pause(500)
  const steps: JsonObject[] = []
  for (const objects of scenario.steps) {
    for (const object of objects) await put(object, namespace)
    steps.push(maskAtRest(await rest(scenario, namespace)))
  }
  writeFileSync(new URL(`${name}.json`, import.meta.url), `${JSON.stringify(steps, null, 1)}\n`)
  await send('DELETE', `/api/v1/namespaces/${namespace}`)
}
close()
