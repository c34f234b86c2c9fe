import { execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import type { Gvk } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import type { ClusterDriver, Expectation } from './cluster-driver.ts'
import { goneOrReplaced } from './objects.ts'

/** A real garbage collector learns of a new kind within 30 s only. */
const PATIENCE_MS = 240_000

export interface KubectlOptions {
  /** The program. */
  readonly kubectl: string
  readonly kubeconfig: string
  readonly namespace: string
}

/** Drives a cluster with kubectl, one process per step, as a person does. */
export function kubectlDriver(options: KubectlOptions): ClusterDriver {
  const run = (args: readonly string[], input?: string) => runKubectl(options, args, input)
  const driver: ClusterDriver = {
    async apply(object) {
      await run(['apply', '-f', '-'], JSON.stringify(object))
    },
    async patch(gvk, name, body) {
      const type = gvk.group.includes('.') || gvk.group === '' ? 'merge' : 'strategic'
      await run(['patch', resourceOf(gvk), name, `--type=${type}`, '-p', JSON.stringify(body)])
    },
    async scale(gvk, name, replicas) {
      await run(['scale', resourceOf(gvk), name, `--replicas=${replicas}`])
    },
    async remove(gvk, name) {
      const before = await driver.read(gvk, name)
      // kubectl's own waiting misses a deletion when an object of the same name follows at once.
      await run(['delete', resourceOf(gvk), name, '--wait=false'])
      await driver.until(gvk, name, goneOrReplaced(before))
    },
    async read(gvk, name) {
      const text = await run([
        'get',
        resourceOf(gvk),
        name,
        '-o',
        'json',
        '--ignore-not-found',
        '--show-managed-fields',
      ])
      return text === '' ? undefined : (JSON.parse(text) as KubeObject)
    },
    async list(gvk, labelSelector) {
      const selector = labelSelector === undefined ? [] : ['-l', labelSelector]
      return (JSON.parse(await run(['get', resourceOf(gvk), '-o', 'json', ...selector])) as { items: KubeObject[] })
        .items
    },
    until: (gvk, name, expected) => watchUntil(options, { gvk, name }, expected),
  }
  return driver
}

/** `Deployment.v1.apps`: as kubectl accepts a kind without asking for its plural. */
function resourceOf(gvk: Gvk): string {
  return gvk.group === '' ? gvk.kind : `${gvk.kind}.${gvk.version}.${gvk.group}`
}

export async function runKubectl(options: KubectlOptions, args: readonly string[], input?: string): Promise<string> {
  const child = promisify(execFile)(options.kubectl, [...globalFlags(options), ...args], {
    maxBuffer: 64 * 1024 * 1024,
  })
  if (input !== undefined) child.child.stdin?.end(input)
  return (await child).stdout
}

function globalFlags({ kubeconfig, namespace }: KubectlOptions): string[] {
  return [`--kubeconfig=${kubeconfig}`, `--namespace=${namespace}`]
}

/** Follows `kubectl get --watch` until the expectation holds. @throws Error with the last state when it does not in time */
async function watchUntil(
  options: KubectlOptions,
  target: { gvk: Gvk; name: string },
  expected: Expectation,
): Promise<KubeObject | undefined> {
  const { gvk, name } = target
  // A watch begins with what is there, and says nothing of what is not.
  let last = expected.holds(undefined) ? await kubectlDriver(options).read(gvk, name) : undefined
  if (expected.holds(last)) return last
  const watch = [
    'get',
    resourceOf(gvk),
    `--field-selector=metadata.name=${name}`,
    '-o',
    'json',
    '--watch',
    '--output-watch-events',
  ]
  const child = spawn(options.kubectl, [...globalFlags(options), ...watch, '--show-managed-fields'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const timer = setTimeout(() => child.kill(), PATIENCE_MS)
  try {
    for await (const event of jsonDocuments(child.stdout)) {
      last = event.type === 'DELETED' ? undefined : event.object
      if (expected.holds(last)) return last
    }
  } finally {
    clearTimeout(timer)
    child.kill()
  }
  throw new Error(
    `${gvk.kind} ${options.namespace}/${name} never ${expected.what}; it is ${JSON.stringify(last, null, 1)}`,
  )
}

interface WatchDocument {
  readonly type: string
  readonly object: KubeObject
}

/** kubectl prints one JSON document after the other, each on a line or over several, as its version likes. */
async function* jsonDocuments(stream: Readable): AsyncGenerator<WatchDocument> {
  let text = ''
  for await (const line of createInterface({ input: stream })) {
    text += line
    const document = parseWhole(text)
    if (document === undefined) continue
    text = ''
    yield document
  }
}

function parseWhole(text: string): WatchDocument | undefined {
  try {
    return JSON.parse(text) as WatchDocument
  } catch {
    return undefined
  }
}
