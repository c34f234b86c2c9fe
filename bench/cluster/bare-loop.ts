/**
 * The least that the workload needs, without an engine: one watch for each kind of widget, one write for each object that
 * a spec changes, one for the status. It compares nothing, remembers nothing, and repairs nothing: what Node and the
 * server allow.
 *
 *     node bench/cluster/bare-loop.ts KUBECONFIG KINDS OBJECTS apply|create
 *
 * The kubeconfig is one of the bench, in JSON: a library that reads others would take more memory than the loop.
 */
import { readFileSync } from 'node:fs'
import { argv } from 'node:process'
import { Pool } from 'undici'
import { API_VERSION, configMapNames, NAMESPACE, widgetKind } from './workload.ts'

interface Widget {
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly uid: string
    readonly generation: number
    readonly resourceVersion: string
  }
  readonly spec: { readonly text: string; readonly token: string }
}

const [kubeconfig = '', kinds = '1', objects = '3', verb = 'apply'] = argv.slice(2)
const REQUESTS_IN_FLIGHT = 16
const MANAGER = 'fieldManager=bare-loop'
const { clusters, users } = JSON.parse(readFileSync(kubeconfig, 'utf8'))
const server: string = clusters[0].cluster.server
const connect = {
  ca: pem(clusters[0].cluster['certificate-authority-data']),
  cert: pem(users[0].user['client-certificate-data']),
  key: pem(users[0].user['client-key-data']),
}
const pool = new Pool(server, { connections: REQUESTS_IN_FLIGHT, connect })
const watches = new Pool(server, { connect, bodyTimeout: 0 })
const done = new Map<string, number>()
const waiting: Widget[] = []
let working = 0

await Promise.all(Array.from({ length: Number(kinds) }, (_, index) => follow(`${widgetKind(index).toLowerCase()}s`)))

/** The server ends a watch at times, as when it notices that a CRD is established. */
async function follow(plural: string): Promise<never> {
  for (;;) await listAndWatch(plural)
}

async function listAndWatch(plural: string): Promise<void> {
  const path = `/apis/${API_VERSION}/namespaces/${NAMESPACE}/${plural}`
  const list = JSON.parse(await send('GET', path)) as { items: Widget[]; metadata: { resourceVersion: string } }
  for (const widget of list.items) see(plural, widget)
  const query = `watch=1&resourceVersion=${list.metadata.resourceVersion}`
  const { body } = await watches.request({ method: 'GET', path: `${path}?${query}` })
  let rest = ''
  for await (const chunk of body.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) see(plural, JSON.parse(line).object)
  }
}

/** A status does not change the generation. */
function see(plural: string, widget: Widget): void {
  const { uid, generation } = widget.metadata
  if ((done.get(uid) ?? 0) >= generation) return
  done.set(uid, generation)
  waiting.push({ ...widget, kind: plural })
  while (working < REQUESTS_IN_FLIGHT && waiting.length > 0) void work()
}

async function work(): Promise<void> {
  working++
  for (let widget = waiting.shift(); widget !== undefined; widget = waiting.shift()) await writeAll(widget)
  working--
}

async function writeAll({ kind: plural, metadata, spec }: Widget): Promise<void> {
  const { name, generation } = metadata
  const isNew = generation === 1
  for (const configMap of configMapNames(name, { resources: 0, kinds: 0, objects: Number(objects) })) {
    await write('ConfigMap', childOf(plural, metadata, configMap, { data: { text: spec.text } }), isNew)
  }
  const data = { token: Buffer.from(spec.token).toString('base64') }
  await write('Secret', childOf(plural, metadata, name, { data }), isNew)
  if (isNew) await write('ServiceAccount', childOf(plural, metadata, name, {}), isNew)
  const status = { observedGeneration: generation, text: spec.text, conditions: [readyAt(generation)] }
  const path = `/apis/${API_VERSION}/namespaces/${NAMESPACE}/${plural}/${name}/status`
  await send('PATCH', `${path}?${MANAGER}`, { type: 'merge-patch+json', body: { status } })
}

async function write(kind: string, object: { metadata: { name: string } }, isNew: boolean): Promise<void> {
  const body = { apiVersion: 'v1', kind, ...object }
  const path = `/api/v1/namespaces/${NAMESPACE}/${kind.toLowerCase()}s`
  const one = `${path}/${object.metadata.name}?${MANAGER}`
  if (verb === 'apply') await send('PATCH', `${one}&force=true`, { type: 'apply-patch+yaml', body })
  else if (isNew) await send('POST', `${path}?${MANAGER}`, { type: 'json', body })
  else await send('PUT', one, { type: 'json', body })
}

function childOf(plural: string, { name: owner, uid }: Widget['metadata'], name: string, content: object) {
  const kind = `W${plural.slice(1, -1)}`
  const reference = { apiVersion: API_VERSION, kind, name: owner, uid, controller: true, blockOwnerDeletion: true }
  return { metadata: { name, namespace: NAMESPACE, ownerReferences: [reference] }, ...content }
}

function readyAt(observedGeneration: number): object {
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+/, '')
  return { type: 'Ready', status: 'True', reason: 'Ready', message: 'made', observedGeneration, lastTransitionTime }
}

async function send(method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, sent?: { type: string; body: object }) {
  const content = sent && { body: JSON.stringify(sent.body), headers: { 'content-type': `application/${sent.type}` } }
  const { statusCode, body } = await pool.request({ method, path, ...content })
  const text = await body.text()
  if (statusCode >= 300) throw new Error(`${method} ${path} ended with ${statusCode}: ${text}`)
  return text
}

function pem(base64: string): string {
  return Buffer.from(base64, 'base64').toString()
}
