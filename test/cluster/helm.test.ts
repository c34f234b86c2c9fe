import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { env } from 'node:process'
import { expect } from 'chai'
import type { JsonObject, JsonValue } from '../../src/core/base/json.ts'
import { buildClient } from '../control-plane/clients.ts'
import { mask } from '../sandbox/contract/mask.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ClientServer } from './client-server.ts'
import { differences } from './differences.ts'
import { finalObjects } from './final-objects.ts'
import { type HelmStep, helmSteps } from './helm-steps.ts'
import { settleDeletions, settleWorkloads } from './settle-workloads.ts'

const CHART = join(import.meta.dirname, '../control-plane/chart')
const COLLECTIONS = [
  '/apis/apps/v1/deployments',
  '/apis/apps/v1/replicasets',
  '/apis/batch/v1/jobs',
  '/api/v1/pods',
  '/api/v1/configmaps',
  '/api/v1/services',
  '/apis/discovery.k8s.io/v1/endpointslices',
  '/api/v1/secrets',
  '/api/v1/serviceaccounts',
  '/apis/apps/v1/controllerrevisions',
  '/apis/apps/v1/statefulsets',
  '/apis/batch/v1/cronjobs',
  '/apis/networking.k8s.io/v1/ingresses',
  '/apis/networking.k8s.io/v1/networkpolicies',
  '/apis/policy/v1/poddisruptionbudgets',
  '/apis/rbac.authorization.k8s.io/v1/rolebindings',
  '/apis/rbac.authorization.k8s.io/v1/roles',
]

const MODES = [
  { title: 'that applies on the server side', namespace: 'helm-server-side', serverSide: true },
  { title: 'that patches from the client side', namespace: 'helm-client-side', serverSide: false },
]

for (const { title, namespace, serverSide } of MODES) {
  describe(`a helm ${title}`, () => {
    const folder = temporaryFolder()
    const steps = helmSteps(CHART, serverSide)
    let real: ReadonlyMap<string, JsonValue> = new Map()
    let sandbox: ReadonlyMap<string, JsonValue> = new Map()

    before(async function () {
      const server = await ClientServer.real(this)
      const helm = { path: buildClient('helm'), home: folder.path, namespace }
      real = await run(server, helm, steps)
      sandbox = await run(await ClientServer.sandbox(), helm, steps)
    })
    after(() => folder.remove())

    for (const { name } of steps) {
      it(`does the same on both servers when a release ${name}`, () => {
        expect(real.get(name)).to.not.equal(undefined)
        expect(differences(sandbox.get(name), real.get(name)).join('\n')).to.equal('')
      })
    }
  })
}

interface Helm {
  readonly path: string
  readonly home: string
  readonly namespace: string
}

/** What helm printed in each step and what stood there afterwards, by the name of the step. */
async function run(
  server: ClientServer,
  helm: Helm,
  steps: readonly HelmStep[],
): Promise<ReadonlyMap<string, JsonValue>> {
  const seen = new Map<string, JsonValue>()
  try {
    await server.createNamespace(helm.namespace)
    for (const step of steps) {
      const printed = 'args' in step ? await call(helm, server, step.args) : await step.act(server, helm.namespace)
      await settleDeletions(server, helm.namespace, COLLECTIONS)
      await settleWorkloads(server, helm.namespace)
      const objects = await finalObjects(server, helm.namespace, COLLECTIONS)
      seen.set(step.name, { ...printed, objects: withoutReleases(objects) })
    }
  } finally {
    await server.close()
  }
  return seen
}

function call(
  { path, home, namespace }: Helm,
  { kubeconfig }: ClientServer,
  args: readonly string[],
): Promise<JsonObject> {
  const own = { HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home, TZ: 'UTC', NO_COLOR: '1' }
  const all = [...args, '--namespace', namespace, '--kubeconfig', kubeconfig]
  return new Promise((resolve) => {
    execFile(path, all, { env: { ...env, ...own } }, (error, stdout, stderr) => {
      const masked = (text: string): JsonValue => mask(maskRun(text), namespace)
      resolve({ code: Number(error?.code ?? 0), stdout: lines(masked(stdout)), stderr: lines(masked(stderr)) })
    })
  })
}

function lines(text: JsonValue): JsonValue {
  const blocks = String(text).replace('RESOURCES:\n', '$&\n').split(/\n\n+/)
  // Kinds are printed in the order of a Go map.
  const kinds = blocks.filter(isOfKind).sort()
  const sorted = blocks.map((block) => (isOfKind(block) ? (kinds.shift() ?? '') : block))
  return sorted.flatMap((block) => block.trimEnd().split('\n'))
}

function isOfKind(block: string): boolean {
  return block.startsWith('==> ')
}

/** Its libraries log what its watches end with; it writes times as Go does; columns are as wide as they are; Pods have names of their own and get older. */
function maskRun(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? \+0000 UTC/g, '<time>')
    .replace(/(LAST DEPLOYED: ).*/g, '$1<time>')
    .replace(/^[EWI]\d{4} .*\n/gm, '')
    .replace(/^time=\S+ /gm, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/\b(web|other)-[a-z0-9]{8,10}-[a-z0-9]{5}\b/g, '$1-<random>')
    .replace(/\b10(\.\d{1,3}){3}\b/g, '<ip>')
    .replace(/ (\d+[smh])+ *$/gm, ' <age>')
}

/** The labels of the Secret of a release describe it. Its data is left out: it is compressed, and holds times. */
function withoutReleases(objects: Readonly<Record<string, JsonValue>>): JsonObject {
  const text = JSON.stringify(objects)
    .replace(/"release":"[^"]*"/g, '"release":"<release>"')
    .replace(/"modifiedAt":"\d+"/g, '"modifiedAt":"<time>"')
  return JSON.parse(text)
}
