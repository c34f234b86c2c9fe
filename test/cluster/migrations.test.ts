import { cpSync, mkdtempSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { stdout } from 'node:process'
import { expect } from 'chai'
import { parse } from 'yaml'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { runProgram } from '../../src/rolebook/cli/run-program.ts'
import { writeKubeconfig } from '../../src/sandbox/cluster/kubeconfig.ts'
import { SandboxCluster } from '../../src/sandbox/cluster/sandbox-cluster.ts'
import { missingForModules, moduleFolder } from '../corpora/go-module.ts'
import { FakeTerminal } from '../support/fake-terminal.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Something that others wrote, in a Go module. */
interface Example {
  readonly from: 'kro' | 'helm' | 'kustomize'
  readonly module: string
  readonly path: string
}

const KRO = 'github.com/kubernetes-sigs/kro'
const KUSTOMIZE = 'sigs.k8s.io/kustomize'
const COCKROACH = 'github.com/cockroachdb/helm-charts'

const EXAMPLES: readonly Example[] = [
  ...[
    'kubernetes/webapp',
    'kubernetes/job-example',
    'kubernetes/cel-functions',
    'kubernetes/additionalPrinterColumns',
  ].map(kro),
  ...['kubernetes/defaults', 'kubernetes/saas-multi-tenant', 'aws/webstack', 'aws/s3bucket', 'aws/rds-postgres'].map(
    kro,
  ),
  ...['aws/networkstack', 'aws/alb-listener-tg', 'gcp/gke-cluster', 'azure/todo-app'].map(kro),
  ...[
    [COCKROACH, 'cockroachdb'],
    ['github.com/elastic/cloud-on-k8s/v3', 'deploy/eck-operator'],
    ['github.com/minio/minio', 'helm/minio'],
    ['github.com/seaweedfs/seaweedfs', 'k8s/charts/seaweedfs'],
    ['github.com/cert-manager/cert-manager', 'deploy/charts/cert-manager'],
    ['sigs.k8s.io/jobset', 'charts/jobset'],
    ['sigs.k8s.io/kueue', 'charts/kueue'],
    ['sigs.k8s.io/lws', 'charts/lws'],
    ['github.com/prometheus-community/helm-charts', 'charts/alertmanager'],
    ['github.com/hashicorp/vault-helm', ''],
  ].map(([module = '', path = '']): Example => ({ from: 'helm', module, path })),
  ...['helloWorld', 'ldap', 'wordpress/mysql', 'wordpress/wordpress', 'multibases'].map(
    (path): Example => ({ from: 'kustomize', module: KUSTOMIZE, path: `examples/${path}` }),
  ),
  ...[
    ['github.com/kedacore/keda/v2', 'config/manager'],
    ['github.com/kedacore/keda/v2', 'config/rbac'],
    ['sigs.k8s.io/lws', 'config/rbac'],
    ['sigs.k8s.io/jobset', 'config/components/rbac'],
    ['sigs.k8s.io/jobset', 'config/components/webhook'],
    ['github.com/elastic/cloud-on-k8s/v3', 'hack/deployer/config/local-disks'],
  ].map(([module = '', path = '']): Example => ({ from: 'kustomize', module, path })),
]

function kro(path: string): Example {
  return { from: 'kro', module: KRO, path: `examples/${path}` }
}

/** How many places are left to a person, where it is not none. */
const UNDECIDED: Readonly<Record<string, number>> = {
  // A name with a random part, and two fields of the status that read the object of that name.
  'kro examples/kubernetes/cel-functions': 3,
  // A definition without resources.
  'kro examples/kubernetes/defaults': 1,
  // Overlays with a volume of another form, with an object of their own, and another patch of volumes.
  'kustomize examples/ldap': 3,
  // The key `configurations`.
  'kustomize config/components/webhook': 1,
}

async function run(
  args: readonly string[],
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const terminal = new FakeTerminal()
  const code = await runProgram([...args], terminal)
  return { code, out: terminal.stdout, err: terminal.stderr }
}

describe('what others have made for another system', function () {
  this.timeout(600_000)
  const missing = missingForModules()
  const table: string[] = []
  const folder = temporaryFolder()
  before(function () {
    if (missing !== undefined) this.skip() // without Go there are no modules to read
  })
  after(() => {
    folder.remove()
    stdout.write(
      `\n  source                                                          moved  decide\n${table.join('')}\n`,
    )
  })

  for (const { from, module, path } of EXAMPLES) {
    it(`becomes a project that check and test take: ${from} ${path || basename(module)}`, async () => {
      const root = mkdtempSync(join(folder.path, 'example-'))
      const source = join(root, 'source', basename(path || module))
      cpSync(join(moduleFolder(module), path), source, { recursive: true })
      const output = join(root, 'out')
      const migrated = await run(['migrate', from, source, '--output', output])
      expect(migrated.code, migrated.err).to.be.oneOf([0, 3])
      const [, same, decide] = /(\d+) moved as they are, \d+ with a note, (\d+) to decide\n$/.exec(migrated.out) ?? []
      table.push(
        `  ${`${from} ${path || basename(module)}`.padEnd(60)} ${String(same).padStart(8)} ${String(decide).padStart(7)}\n`,
      )
      const places = ['--watches-file', join(output, 'watches.yaml'), '--roles-path', join(output, 'roles')]
      const checked = await run(['check', ...places])
      expect(checked.code, checked.out).to.equal(0)
      const tested = await run(['test', ...places])
      expect(tested.code, tested.out + tested.err).to.equal(0)
      expect(Number(decide), migrated.out).to.equal(UNDECIDED[`${from} ${path}`] ?? 0)
    })
  }
})

const IN_SHOP = { namespace: 'shop' }
const LIVE: readonly KubeObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'web-key', ...IN_SHOP }, stringData: { key: 'k' } },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web-settings', ...IN_SHOP }, data: { mode: 'fast' } },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', ...IN_SHOP },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', ...IN_SHOP },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx:1.29' }] } },
    },
  },
]

describe('a namespace of a cluster', function () {
  this.timeout(600_000)
  const folder = temporaryFolder()
  let cluster: SandboxCluster
  before(async () => {
    cluster = await SandboxCluster.start({ clock: systemClock, logger: nopLogger })
    for (const object of LIVE) await cluster.apply(object)
    writeKubeconfig(join(folder.path, 'kubeconfig'), cluster.access)
  })
  after(async () => {
    await cluster.stop()
    folder.remove()
  })

  it('becomes a role that makes what people have made there, without Secrets', async () => {
    const places = ['--watches-file', join(folder.path, 'watches.yaml'), '--roles-path', join(folder.path, 'roles')]
    const from = ['--from', '--namespace', 'shop', '--kubeconfig', join(folder.path, 'kubeconfig')]
    const made = await run(['init', '--group', 'example.com', '--version', 'v1', '--kind', 'Shop', ...from, ...places])
    expect(made.code, made.err).to.equal(0)
    expect(made.err).to.include('note: left out: Secret web-key: its values do not belong into a role')
    const role = parse(readFileSync(join(folder.path, 'roles/shop/role.yaml'), 'utf8'))
    const kinds = role.tasks.map(({ ensure }: { ensure: { kind: string } }) => ensure.kind)
    expect(kinds).to.deep.equal(['ConfigMap', 'Service', 'Deployment'])
    expect(role.tasks[1].ensure.spec).not.to.have.any.keys('clusterIP', 'clusterIPs')
    const checked = await run(['check', '--strict', ...places])
    expect(checked.code, checked.out).to.equal(0)
    const tested = await run(['test', ...places])
    expect(tested.code, tested.out + tested.err).to.equal(0)
  })
})
