/** The chart of `rolebook generate helm`: our engine and Helm itself make of it what `rolebook generate deploy` gives. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath, stderr } from 'node:process'
import { expect } from 'chai'
import { parseAllDocuments } from 'yaml'
import type { JsonObject } from '../../src/core/base/json.ts'
import type { HelmRenderer } from '../../src/engine/chart/helm-renderer.ts'
import { buildClient, missingForClients } from '../control-plane/clients.ts'
import { newRenderer, requestFor } from '../engine/chart/renderer.ts'
import { builtProgram } from '../support/built-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SETTINGS = ['--namespace', 'team-a', '--image', 'registry.example.com/rolebook:1.2.3', '--replicas', '3']
const RELEASE = { name: 'mine', namespace: 'team-a', revision: 1 }
/** Helm merges what is given into what is there. */
const LARGER = { requests: { cpu: '50m', memory: '256Mi' }, limits: { memory: '4Gi' } }
const ALL = { namespace: { create: true } }
/** As `rolebook generate deploy` has it. */
const NAME_OF_POD = { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }

describe('the Helm chart of an operator', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  let renderer: HelmRenderer
  let deployed: readonly JsonObject[]
  before(() => {
    renderer = newRenderer()
    deployed = objectsIn(generate('deploy', ...SETTINGS))
    generate('helm', ...SETTINGS, '--output', folder.path)
  })
  after(async () => {
    await renderer?.stop()
    folder.remove()
  })

  /** Sorted by what they are: Helm has an order of its own. */
  async function rendered(values: JsonObject = ALL): Promise<readonly JsonObject[]> {
    const chart = await renderer.loadChart({ files: filesIn(folder.path) })
    const { crds, manifests, hooks } = await renderer.render(requestFor(chart, { values, release: RELEASE }))
    expect(hooks).to.deep.equal([])
    return [...crds, ...manifests].map(({ object }) => object)
  }

  it('makes what `generate deploy` makes', async () => {
    expect(inOrder(await rendered())).to.deep.equal(inOrder(deployed))
  })

  it('makes the same with Helm, which finds nothing to improve', function () {
    if (missingForClients() !== undefined) {
      stderr.write(`SKIPPED: Helm is built from its Go module, and ${missingForClients()}\n`)
      this.skip() // without Go there is no Helm
    }
    const helm = (...args: readonly string[]) =>
      spawnSync(buildClient('helm'), [...args, '--namespace', RELEASE.namespace], { encoding: 'utf8' })
    const flags = ['--include-crds', '--set', 'namespace.create=true']
    const { stdout, stderr: said } = helm('template', RELEASE.name, folder.path, ...flags)
    expect(inOrder(objectsIn(stdout)), said).to.deep.equal(inOrder(deployed))
    const linted = helm('lint', '--strict', folder.path)
    expect(linted.status, linted.stdout + linted.stderr).to.equal(0)
  })

  it('leaves the namespace to Helm', async () => {
    const kinds = (await rendered({})).map(({ kind }) => kind)
    expect(kinds).to.include('Deployment').and.to.not.include.members(['Namespace', 'ServiceMonitor'])
  })

  it('takes its values', async () => {
    const podSpec = { nodeSelector: { disk: 'fast' }, tolerations: [{ key: 'a', operator: 'Exists' }] }
    const resources = { limits: { memory: '4Gi' } }
    const env = [{ name: 'OTEL_SERVICE_NAME', value: 'mine' }]
    const values = { image: 'other:1', replicas: 1, resources, env, podSpec, serviceMonitor: { enabled: true } }
    const objects = await rendered(values)
    const { spec } = objects.find(({ kind }) => kind === 'Deployment') as unknown as Deployment
    expect(spec.replicas).to.equal(1)
    expect(spec.template.spec).to.deep.include(podSpec)
    expect(spec.template.spec.containers[0]).to.deep.include({ image: 'other:1', resources: LARGER })
    expect(spec.template.spec.containers[0].env).to.deep.include.members([...env, NAME_OF_POD])
    expect(objects.map(({ kind }) => kind)).to.include('ServiceMonitor')
  })

  for (const values of [{ replica: 3 }, { podSpec: { containers: [] } }]) {
    it(`refuses ${JSON.stringify(values)}`, async () => {
      const refusal = await rendered(values).catch((error: Error) => error)
      expect(refusal).to.be.an('error').with.property('stage', 'values')
    })
  }
})

interface Deployment {
  readonly spec: {
    readonly replicas: number
    readonly template: { readonly spec: { readonly containers: readonly [{ readonly env: readonly object[] }] } }
  }
}

/** Generates from the roles of this repository. One of them has a Helm chart of its own. */
function generate(...args: readonly string[]): string {
  return execFileSync(execPath, [join(builtProgram(), 'rolebook.mjs'), 'generate', ...args], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

function filesIn(folder: string): ReadonlyMap<string, Uint8Array> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name))
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path)]))
}

function objectsIn(text: string): readonly JsonObject[] {
  return parseAllDocuments(text, { version: '1.1' })
    .map((one) => one.toJS() as JsonObject)
    .filter(Boolean)
}

function inOrder(objects: readonly JsonObject[]): readonly JsonObject[] {
  return objects.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b), 'en'))
}

function keyOf({ kind, metadata }: JsonObject): string {
  const { namespace = '', name } = metadata as { readonly namespace?: string; readonly name: string }
  return `${kind} ${namespace}/${name}`
}
