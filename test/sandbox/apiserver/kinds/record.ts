/**
 * Asks a real control plane what it makes of the inputs of `*.json` beside this file, and writes its answers there:
 * `node test/sandbox/apiserver/kinds/record.ts <kubeconfig> [<kind>…]`. Namespaces it makes are its own and deleted afterwards.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import {
  type Before,
  type Expected,
  type FixtureCase,
  loadFixture,
  maskCells,
  maskObject,
  mergeInto,
  withoutControllerStatus,
} from './fixture.ts'
import { type Answer, realServer } from './real-server.ts'

const [, , kubeconfig = '', ...only] = argv
const NAMESPACE = `kinds-${Date.now() % 1e6}`

const { send, close } = realServer(kubeconfig)

const resources = new Map<string, { name: string; namespaced: boolean }>()

async function pathOf(object: KubeObject): Promise<string> {
  const base = object.apiVersion.includes('/') ? `/apis/${object.apiVersion}` : `/api/${object.apiVersion}`
  const key = `${object.apiVersion} ${object.kind}`
  if (!resources.has(key)) {
    const { body } = await send('GET', base)
    for (const resource of body.resources as unknown as { name: string; kind: string; namespaced: boolean }[]) {
      if (!resource.name.includes('/')) resources.set(`${object.apiVersion} ${resource.kind}`, resource)
    }
  }
  const resource = resources.get(key)!
  return `${base}${resource.namespaced ? `/namespaces/${object.metadata.namespace ?? NAMESPACE}` : ''}/${resource.name}`
}

async function update(
  path: string,
  { update: patch = {}, subresource }: FixtureCase,
): Promise<Answer & { readonly table?: JsonObject }> {
  const target = subresource ? `${path}/${subresource}` : path
  for (;;) {
    const changed = mergeInto((await send('GET', path)).body, patch)
    const table = await send('PUT', `${target}?dryRun=All`, changed, TABLE)
    const answer = await send('PUT', target, changed)
    if (answer.code !== 409 && table.code !== 409) return { ...answer, table: table.body }
  }
}

async function prepare(path: string, { status, isDeleted }: Before): Promise<void> {
  if (isDeleted) {
    await send('DELETE', path, DELETE_OPTIONS)
    await waitForOwnFinalizers(path)
  }
  if (!status) return
  const { code, body } = await update(path, { name: '', update: status, subresource: 'status' })
  if (code >= 300) throw new Error(`cannot prepare: ${JSON.stringify(body)}`)
}

/** Those of the server go when nothing uses the object. */
async function waitForOwnFinalizers(path: string): Promise<void> {
  for (;;) {
    const { metadata } = (await send('GET', path)).body as unknown as KubeObject
    if (!metadata.finalizers?.some((name) => name.startsWith('kubernetes.io/'))) return
  }
}

const UIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

function expectedOf({ code, body, warnings }: Answer): Expected {
  const warned = warnings.length > 0 ? { warnings } : {}
  if (code < 300) return { object: maskObject(body as KubeObject), ...warned }
  const details = (body.details ?? {}) as JsonObject
  const hide = (text: string): string => text.replaceAll(NAMESPACE, 'kinds').replace(UIDS, '<uid>')
  const causes = JSON.parse(hide(JSON.stringify(details.causes ?? [])))
  return { code, reason: String(body.reason), message: hide(String(body.message)), causes }
}

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'

/** The row of `kubectl get` for an object as it would be created; nothing for one that is refused. */
async function cellsOf(path: string, input: KubeObject): Promise<JsonValue | undefined> {
  const { body } = await send('POST', `${path}?dryRun=All`, input as JsonObject, TABLE)
  return firstRow(body)
}

function firstRow(table: JsonObject | undefined): JsonValue | undefined {
  const [row] = (table?.rows ?? []) as unknown as { cells: JsonValue }[]
  return row && maskCells(row.cells)
}

const DELETE_OPTIONS = {
  kind: 'DeleteOptions',
  apiVersion: 'v1',
  gracePeriodSeconds: 0,
  propagationPolicy: 'Background',
}

/** Finalizers of the server hold some kinds for a moment; namespaces take longer, and are not waited for. */
async function remove(path: string, before: Before = {}): Promise<void> {
  if (before.isDeleted) await update(path, { name: '', update: { metadata: { finalizers: null } } })
  await send('DELETE', path, DELETE_OPTIONS)
  for (let attempt = 0; attempt < 100 && !path.includes('/v1/namespaces/kinds-ns'); attempt++) {
    if ((await send('GET', path)).code === 404) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Namespaces take a while to go: each run has its own. */
const rename = <T>(value: T, from: string, to: string): T => JSON.parse(JSON.stringify(value).replaceAll(from, to)) as T
const OWN = `kinds-ns-${Date.now() % 1e6}-`

async function record(fixtureCase: FixtureCase): Promise<FixtureCase> {
  const input = rename((fixtureCase.create ?? fixtureCase.given)!, 'kinds-ns-', OWN)
  const path = await pathOf(input)
  const cells = fixtureCase.create ? await cellsOf(path, input) : undefined
  const created = await send('POST', path, input)
  const name = (created.body.metadata as JsonObject | undefined)?.name
  const wasCreated = created.code === 201
  if (!wasCreated && !fixtureCase.create) throw new Error(`cannot create: ${JSON.stringify(created.body)}`)
  if (fixtureCase.before) await prepare(`${path}/${name}`, fixtureCase.before)
  const answer: Answer & { readonly table?: JsonObject } = fixtureCase.create
    ? created
    : await update(`${path}/${name}`, fixtureCase)
  if (wasCreated) await remove(`${path}/${name}`, fixtureCase.before)
  const expected = rename(expectedOf(answer), OWN, 'kinds-ns-')
  if ('object' in expected && cells) {
    return { ...fixtureCase, expected: { ...expected, cells: rename(cells, OWN, 'kinds-ns-') } }
  }
  const row = 'table' in answer && fixtureCase.subresource === 'status' ? firstRow(answer.table) : undefined
  if ('object' in expected && row) {
    return { ...fixtureCase, expected: { ...expected, cells: rename(row, OWN, 'kinds-ns-') } }
  }
  if (!('object' in expected) || fixtureCase.create || fixtureCase.subresource) return { ...fixtureCase, expected }
  return { ...fixtureCase, expected: { ...expected, object: withoutControllerStatus(expected.object) } }
}

async function waitForServiceAccount(): Promise<void> {
  for (;;) {
    const { code } = await send('GET', `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/default`)
    if (code === 200) return
  }
}

await send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
await waitForServiceAccount()
for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json'))) {
  if (only.length > 0 && !only.includes(file.replace('.json', ''))) continue
  const url = new URL(file, import.meta.url)
  const cases: FixtureCase[] = []
  for (const fixtureCase of loadFixture(url).cases) {
    cases.push(
      await record(fixtureCase).catch((error) => {
        throw new Error(`${file}: ${fixtureCase.name}`, { cause: error })
      }),
    )
  }
  const text = `${JSON.stringify({ cases }, null, 2)}\n`
  if (text !== readFileSync(url, 'utf8')) writeFileSync(url, text)
}
await send('DELETE', `/api/v1/namespaces/${NAMESPACE}`)
close()
