/**
 * Sends the requests of `test/sandbox/apiserver/apply/scenarios.yaml` to a real kube-apiserver and writes its answers to
 * `test/sandbox/apiserver/apply/recorded-scenarios.generated.json`, so that the tests of server-side apply need no server.
 *
 *     node test/control-plane/record-apply-cases.ts --kubeconfig FILE
 *
 * Works in a namespace of its own, and leaves the CRD of `test/sandbox/apiserver/apply/widget-crd.json` installed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import type { Scenario, ScenarioStep } from '../sandbox/apiserver/apply/scenario.ts'
import { KINDS } from '../sandbox/apiserver/apply/scenario.ts'
import { type Answer, connectTo, type Send } from './server-connection.ts'

const FOLDER = new URL('../sandbox/apiserver/apply/', import.meta.url)
const NAMESPACE = 'recorded-scenarios'
const TYPES = { apply: 'application/apply-patch+yaml', merge: 'application/merge-patch+json' }

async function main(): Promise<void> {
  const { values } = parseArgs({ args: argv.slice(2), options: { kubeconfig: { type: 'string' } } })
  const send = await connectTo(values.kubeconfig)
  await send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
  const crd = JSON.parse(readFileSync(new URL('widget-crd.json', FOLDER), 'utf8'))
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd)
  await sleep(3000)
  const scenarios: Scenario[] = parse(readFileSync(new URL('scenarios.yaml', FOLDER), 'utf8'))
  const recorded: object[] = []
  for (const [index, scenario] of scenarios.entries()) {
    recorded.push({ ...scenario, steps: await record(send, scenario, `s${index}`) })
  }
  const lines = recorded.map((scenario) => JSON.stringify(scenario))
  writeFileSync(new URL('recorded-scenarios.generated.json', FOLDER), `[\n${lines.join(',\n')}\n]\n`)
}

async function record(send: Send, { kind, steps }: Scenario, name: string): Promise<object[]> {
  const { apiVersion, plural } = KINDS[kind]
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
  const path = `${root}/namespaces/${NAMESPACE}/${plural}`
  const recorded: object[] = []
  for (const step of steps) {
    const typed = { apiVersion, kind, ...step.body, metadata: { name, ...step.body?.metadata } }
    const { status, body } = await run(send, path, { ...step, body: typed })
    const answer =
      status < 300 ? { object: body } : { refusal: { status, message: body.message, causes: body.details?.causes } }
    recorded.push({ ...step, ...(step.body === undefined ? {} : { body: typed }), ...answer })
  }
  await send('PATCH', `${path}/${name}`, { metadata: { finalizers: null } }, TYPES.merge)
  await send('DELETE', `${path}/${name}`)
  return recorded
}

async function run(send: Send, path: string, step: ScenarioStep): Promise<Answer> {
  const { verb = 'apply', manager, force = false, subresource = '', body, set } = step
  const query = `?fieldManager=${manager}${force ? '&force=true' : ''}`
  if (verb === 'create') return send('POST', path + query, body)
  const object = `${path}/${body?.metadata?.name}`
  const target = object + (subresource === '' ? '' : `/${subresource}`) + query
  if (verb !== 'put') return send('PATCH', target, body, TYPES[verb])
  const live = await send('GET', object)
  return send('PUT', target, merge(live.body, set ?? {}))
}

type Json = { [key: string]: unknown }

function merge(live: Json, set: Json): Json {
  const merged = { ...live }
  for (const [key, value] of Object.entries(set)) {
    const old = merged[key]
    merged[key] = isObject(old) && isObject(value) ? merge(old, value) : value
  }
  return merged
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

await main()
