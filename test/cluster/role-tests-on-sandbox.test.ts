import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../src/core/base/clock.ts'
import { explain } from '../../src/core/base/coded-error.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import type { Gvk } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { printYaml } from '../../src/core/yaml/print-yaml.ts'
import { testCommand } from '../../src/rolebook/cli/commands/test.ts'
import { parseCommandLine } from '../../src/rolebook/cli/parse-command-line.ts'
import { writeKubeconfig } from '../../src/sandbox/cluster/kubeconfig.ts'
import { SandboxCluster } from '../../src/sandbox/cluster/sandbox-cluster.ts'
import { FakeTerminal } from '../support/fake-terminal.ts'
import { crd, WIDGET } from '../support/operator-sandbox.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const NAMESPACE: Gvk = { group: '', version: 'v1', kind: 'Namespace' }
const CRD: Gvk = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
const CLUSTER_ROLE: Gvk = { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRole' }

const ROLE = `tasks:
  - name: Map
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "\${metadata.name}"}
      data: {colour: "\${spec.colour}", host: "\${metadata.name}.\${metadata.namespace}.svc"}
  - name: Rights
    ensure:
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata: {name: "\${spec.clusterRole}"}
      rules: []
    when: \${$exists(spec.clusterRole)}
  - name: Colour
    status: {colour: "\${$uppercase(spec.colour)}"}
finalize:
  - name: Goodbye
    wait:
      for: \${$not(spec.stays ?? false)}
      message: it stays
`
const WATCHES = `- group: example.com
  version: v1
  kind: Widget
  role: widget
  allowedNamespaces: {write: ["*"]}
  acknowledge: [ClusterRole.rbac.authorization.k8s.io]
`

/** The sandbox on a clock that runs, reached by a kubeconfig, is any cluster for what is tested here. */
describe('rolebook test --cluster', function () {
  this.timeout(240_000)
  const folder = temporaryFolder()
  const testFile = join(folder.path, 'roles/widget/tests/a.yaml')
  let cluster: SandboxCluster

  before(async () => {
    cluster = await SandboxCluster.start({ clock: systemClock, logger: nopLogger })
    writeKubeconfig(join(folder.path, 'kubeconfig'), cluster.access)
    mkdirSync(dirname(testFile), { recursive: true })
    writeFileSync(join(folder.path, 'watches.yaml'), WATCHES)
    writeFileSync(join(folder.path, 'roles/widget/role.yaml'), ROLE)
    writeFileSync(join(folder.path, 'roles/widget/crd.yaml'), printYaml([crd(WIDGET)]))
  })
  after(async () => {
    await cluster.stop()
    folder.remove()
  })
  afterEach('nothing is left', () => {
    expect(testNamespaces()).to.deep.equal([])
    expect(cluster.objects.list(CRD).map(({ metadata }) => metadata.name)).to.deep.equal([])
  })

  const testNamespaces = (): readonly KubeObject[] =>
    cluster.objects.list(NAMESPACE).filter(({ metadata }) => metadata.name?.startsWith('rolebook-test-'))

  /** Resolves once there is an object of this name. */
  function made(kind: string, name: string): Promise<void> {
    return new Promise((resolve) => {
      const unsubscribe = cluster.objects.subscribe(undefined, ({ object }) => {
        if (object.kind !== kind || object.metadata.name !== name) return
        unsubscribe()
        resolve()
      })
    })
  }

  async function runTest(spec: string, steps: string, terminal = new FakeTerminal()): Promise<string> {
    const widget = `{apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, spec: {colour: red${spec}}}`
    writeFileSync(testFile, `given: [${widget}]\nsteps:\n${steps}`)
    const files = ['--watches-file', join(folder.path, 'watches.yaml'), '--roles-path', join(folder.path, 'roles')]
    const place = ['--cluster', '--kubeconfig', join(folder.path, 'kubeconfig'), '--yes', '--timeout', '20s']
    const parsed = parseCommandLine(['test', ...files, ...place], { commands: [testCommand], terminal })
    if (!('command' in parsed)) throw new Error(terminal.stderr)
    const code = await parsed.command.run(parsed.invocation).catch(explain)
    return `${code}\n${terminal.stdout}${terminal.stderr}`
  }

  it('keeps what stands in `default` in a namespace of its own, in the words of the author', async () => {
    const text = await runTest(
      '',
      `
  - expect:
      - {kind: ConfigMap, name: a, data: {colour: red, host: a.default.svc}}
      - {kind: Namespace, name: default}
    writes: {ConfigMap: 1, Widget: 1, Widget/status: 7}
  - patch: {kind: Widget, name: a, namespace: default, spec: {colour: blue}}
    expect: [{kind: ConfigMap, name: a, namespace: default, data: {colour: blue}}]
    absent: [{kind: ConfigMap, name: b}]
    leaks: []
  - restart: crash
    writes: {}
  - delete: {kind: Widget, name: a}
    absent: [{kind: Widget, name: a}, {kind: ConfigMap, name: a}]
`,
    )
    expect(text).to.match(/^0\nok {2}/, text)
    expect(text).to.match(/1 test: 1 passed, 0 failed \(/)
    expect(cluster.objects.list({ group: '', version: 'v1', kind: 'ConfigMap' }, { namespace: 'default' })).to.satisfy(
      (all: readonly KubeObject[]) => all.every(({ metadata }) => metadata.name === 'kube-root-ca.crt'),
    )
  })

  it('shows in a failure what the author calls things, and no value of a Secret', async () => {
    const text = await runTest(
      '',
      `
  - create: {apiVersion: v1, kind: Secret, metadata: {name: vault}, stringData: {password: NOT-FOR-EVERYBODY}}
  - patch: {kind: Widget, name: a, spec: {colour: not-for-everybody}}
    expect:
      - {kind: ConfigMap, name: a, data: {host: other}}
      - {kind: Secret, name: vault, data: {password: other}}
    writes: {ConfigMap: 2}
    leaks: []
`,
    )
    expect(text).to.match(/^1\nFAIL/, text)
    expect(text).to.include('ConfigMap default/a is not as expected')
    expect(text).to.include('"a.default.svc"')
    expect(text).to.match(/a value of a Secret can be read[\s\S]*Widget default\/a status.colour/, text)
    expect(text).to.match(/patch Widget\/status default\/a/)
    expect(text).to.not.match(/rolebook-test-[a-z2-9]{8}\b/)
    expect(text).to.not.match(/NOT-FOR-EVERYBODY/)
    expect(text).to.not.include(Buffer.from('NOT-FOR-EVERYBODY').toString('base64'))
  })

  it('says what it skips, and that it is no pass', async () => {
    const text = await runTest(
      '',
      `
  - expect: [{kind: ConfigMap, name: a}]
  - name: at rest
    advance: 10h
    writes: {}
`,
    )
    expect(text).to.match(/^0\nok[\s\S]*a\.yaml:\d+:5 skipped: the clock of a cluster is not moved.*\(at rest\)/)
    expect(text).to.match(/1 test: 1 passed, 0 failed, 1 step skipped/)
    const all = await runTest('', '\n  - advance: 10h\n    writes: {}\n')
    expect(all).to.match(/^0\nskip[\s\S]*1 test: 0 passed, 0 failed, 1 skipped \(/)
  })

  it('makes cluster-scoped objects, and removes them', async () => {
    const text = await runTest(
      ', clusterRole: made-by-a-test',
      '\n  - expect: [{kind: ClusterRole, name: made-by-a-test}]\n',
    )
    expect(text).to.match(/^0\n/)
    expect(cluster.objects.get(CLUSTER_ROLE, { namespace: '', name: 'made-by-a-test' })).to.equal(undefined)
  })

  const foreign: readonly (readonly [string, string, string, RegExp])[] = [
    [
      'by its role',
      ', clusterRole: of-others',
      'expect: [{kind: Widget, name: a, status: {conditions: [{type: Ready, status: "True"}]}}]',
      /may not apply ClusterRole of-others of this cluster: it was there before the test/,
    ],
    [
      'by a step',
      '',
      'delete: {kind: ClusterRole, name: of-others}',
      /may not delete ClusterRole of-others of this cluster: it was there before the test/,
    ],
    [
      'by a step in a namespace of others',
      '',
      'create: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: kube-system}}',
      /may not create ConfigMap kube-system\/a of this cluster: it has not made the namespace kube-system/,
    ],
  ]
  for (const [name, spec, step, message] of foreign) {
    it(`changes nothing that it has not made: ${name}`, async () => {
      await cluster.apply({
        ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'of-others' } },
        rules: [],
      })
      const before = cluster.objects.get(CLUSTER_ROLE, { namespace: '', name: 'of-others' })
      const text = await runTest(spec, `\n  - ${step}\n`)
      expect(text).to.match(/^1\n/)
      expect(text).to.match(message)
      expect(cluster.objects.get(CLUSTER_ROLE, { namespace: '', name: 'of-others' })).to.deep.equal(before)
    })
  }

  it('clears away what its operator cannot let go of', async () => {
    const text = await runTest(', stays: true', '\n  - expect: [{kind: ConfigMap, name: a}]\n')
    expect(text).to.match(/^0\n/)
  })

  it('clears away when it is stopped in its midst', async () => {
    const terminal = new FakeTerminal()
    const running = runTest('', '\n  - expect: [{kind: ConfigMap, name: never}]\n', terminal)
    await made('ConfigMap', 'a')
    terminal.stop()
    const text = await running
    expect(text).to.match(/^1\n/)
    expect(text).to.include('stopped: 0 of 1 tests have run')
    expect(text).to.not.include('FAIL')
  })

  describe('on a cluster that has CRDs', () => {
    afterEach(async () => {
      await cluster.connection.client.delete(CRD, { namespace: '', name: 'widgets.example.com' })
    })

    it('leaves one that is the same as it is', async () => {
      await cluster.install(crd(WIDGET))
      const before = cluster.objects.list(CRD)
      expect(await runTest('', '\n  - expect: [{kind: ConfigMap, name: a}]\n')).to.match(/^0\n/)
      expect(cluster.objects.list(CRD)).to.deep.equal(before)
    })

    it('does nothing where one differs, and says where', async () => {
      await cluster.install(crd(WIDGET, { status: null }))
      const text = await runTest('', '\n  - expect: [{kind: ConfigMap, name: a}]\n')
      expect(text).to.match(
        /with other CRDs than those of the roles \(.*\)\n {2}widgets.example.com: .*differs in spec\.versions/,
      )
      expect(testNamespaces()).to.deep.equal([])
    })

    it('leaves one that others have come to use, and names it', async () => {
      const terminal = new FakeTerminal()
      const running = runTest('', '\n  - expect: [{kind: ConfigMap, name: never}]\n', terminal)
      await made('ConfigMap', 'a')
      const metadata = { name: 'of-others', namespace: 'default' }
      await cluster.apply({ apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec: {} })
      const text = await running
      expect(text).to.match(/could not be removed[\s\S]*widgets.example.com: it is in use by Widget default\/of-others/)
    })
  })
})
