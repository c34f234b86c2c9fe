import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { stdout } from 'node:process'
import { expect } from 'chai'
import { runProgram } from '../../src/rolebook/cli/run-program.ts'
import { missingForModules, moduleFolder } from '../corpora/go-module.ts'
import { FakeTerminal } from '../support/fake-terminal.ts'

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
  ...['helloWorld', 'ldap', 'wordpress/mysql', 'wordpress/wordpress', 'springboot', 'multibases'].map(
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

/** What is known to be left to a person, and why. */
const UNDECIDED: Readonly<Record<string, number>> = {}

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
  before(function () {
    if (missing !== undefined) this.skip()
  })
  after(() => {
    stdout.write(
      `\n  source                                                          moved  decide\n${table.join('')}\n`,
    )
  })

  for (const { from, module, path } of EXAMPLES) {
    it(`becomes a project that check and test take: ${from} ${path || basename(module)}`, async () => {
      const root = mkdtempSync(join(tmpdir(), 'rolebook-migrations-'))
      const source = join(root, 'source', basename(path || module))
      cpSync(join(moduleFolder(module), path), source, { recursive: true })
      const output = join(root, 'out')
      const migrated = await run(['migrate', from, source, '--output', output])
      expect(migrated.code, migrated.err).to.be.oneOf([0, 3])
      const [, same, decide] = /(\d+) moved as they are, \d+ with a note, (\d+) to decide\n$/.exec(migrated.out) ?? []
      table.push(
        `  ${`${from} ${path || basename(module)}`.padEnd(60)} ${String(same).padStart(8)} ${String(decide).padStart(7)}\n`,
      )
      expect(Number(decide), migrated.out).to.equal(UNDECIDED[`${from} ${path}`] ?? 0)
      const places = ['--watches-file', join(output, 'watches.yaml'), '--roles-path', join(output, 'roles')]
      const checked = await run(['check', ...places])
      expect(checked.code, checked.out).to.equal(0)
      const tested = await run(['test', ...places])
      expect(tested.code, tested.out + tested.err).to.equal(0)
    })
  }
})
