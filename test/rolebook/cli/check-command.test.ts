import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { formatDiagnostics } from '../../../src/rolebook/cli/check-formats.ts'
import { UsageError } from '../../../src/rolebook/cli/command.ts'
import { checkCommand } from '../../../src/rolebook/cli/commands/check.ts'
import { parseCommandLine } from '../../../src/rolebook/cli/parse-command-line.ts'
import { writeKubeconfig } from '../../../src/sandbox/cluster/kubeconfig.ts'
import { SandboxCluster } from '../../../src/sandbox/cluster/sandbox-cluster.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { long } from '../../support/long-tests.ts'
import { temporaryFolder, writeFiles } from '../../support/temporary-folder.ts'

function crd(kind: string, { status = true } = {}): string {
  const [spec, room] = [
    'spec: {type: object, properties: {size: {type: integer}}}',
    'conditions: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}, observedGeneration: {type: integer}',
  ]
  const plural = `${kind.toLowerCase()}s`
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: ${kind}, plural: ${plural}, singular: ${kind.toLowerCase()}, listKind: ${kind}List}
  versions:
    - name: v1
      served: true
      storage: true
      subresources: {status: {}}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            ${spec}
            status: {type: object, properties: {${status ? room : ''}}}
`
}

const WATCHES = '- {group: example.com, version: v1, kind: Web, role: web}\n'
const THING = 'tasks:\n  - ensure: {apiVersion: example.com/v1, kind: Thing, metadata: {name: x}, spec: {siez: 1}}\n'
const FINE = 'tasks:\n  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: web}}\n'
const WRONG = 'vars: {x: 1}\ntasks:\n  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${spec.size}"}}\n'

describe('rolebook check', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  after(() => folder.remove())
  let count = 0

  function project(files: { readonly [path: string]: string }): string {
    count += 1
    const root = join(folder.path, String(count))
    writeFiles(root, { 'watches.yaml': WATCHES, 'roles/web/crd.yaml': crd('Web'), ...files })
    return root
  }

  async function check(root: string, ...args: readonly string[]): Promise<{ code: number; out: string }> {
    const terminal = new FakeTerminal()
    const places = ['--watches-file', join(root, 'watches.yaml'), '--roles-path', join(root, 'roles')]
    const parsed = parseCommandLine(['check', ...places, ...args], { commands: [checkCommand], terminal })
    if ('exitCode' in parsed) throw new Error(terminal.stderr)
    const code = await checkCommand.run(parsed.invocation)
    return { code, out: terminal.stdout }
  }

  it('types a role, and ends with code 3', async () => {
    const { code, out } = await check(project({ 'roles/web/role.yaml': WRONG }))
    expect(code).to.equal(3)
    expect(out).to.match(/role\.yaml:1:8 warning RB1133 nothing uses `x`/)
    expect(out).to.match(/role\.yaml:3:67 error RB1221 this is a number, where text is wanted/)
    expect(out).to.include('hint: write `${$string(…)}` for its text')
  })

  it('prints SARIF', async () => {
    const { out } = await check(project({ 'roles/web/role.yaml': WRONG }), '--format', 'sarif')
    const { version, runs } = JSON.parse(out)
    expect(version).to.equal('2.1.0')
    const [first, second] = runs[0].results
    expect([first.ruleId, first.level]).to.deep.equal(['RB1133', 'warning'])
    expect([second.ruleId, second.level]).to.deep.equal(['RB1221', 'error'])
    const { artifactLocation, region } = second.locations[0].physicalLocation
    expect(artifactLocation.uri).to.match(/^file:.*roles\/web\/role\.yaml$/)
    expect(region).to.deep.equal({ startLine: 3, startColumn: 67, endColumn: 76 })
    expect(runs[0].tool.driver.rules.map(({ id }: { id: string }) => id)).to.deep.equal(['RB1133', 'RB1221'])
  })

  describe('a task that renders a chart', () => {
    const chart = (name: string): Readonly<Record<string, string>> => ({
      'roles/web/charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'roles/web/charts/web/values.yaml': 'size: 1\n',
      'roles/web/charts/web/templates/config.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`,
      'roles/web/samples/web.yaml':
        'apiVersion: example.com/v1\nkind: Web\nmetadata: { name: web }\nspec: { size: 7 }\n',
      'roles/web/role.yaml':
        'tasks:\n  - name: Release\n    chart: { path: charts/web, kinds: [v1/ConfigMap], values: "${spec}" }\n',
    })

    long.it('is tried with the values of the samples', async () => {
      const { code, out } = await check(project(chart('{{ .Release.Name }}-{{ .Values.size }}_x')))
      expect(code).to.equal(3)
      expect(out).to.match(/role\.yaml:3:\d+ error RB180\d task "Release": .*web-7_x/)
    })

    it('sees the versions that a server of today has', async () => {
      const files = {
        ...chart('web'),
        'roles/web/charts/web/templates/config.yaml':
          '{{ $served := .Capabilities.APIVersions.Has "batch/v1/CronJob" }}{{ $own := .Capabilities.APIVersions.Has "example.com/v1/Web" }}\n' +
          'apiVersion: v1\nkind: {{ if and $served $own (not (.Capabilities.APIVersions.Has "batch/v9")) }}ConfigMap{{ else }}Secret{{ end }}\n' +
          'metadata: { name: web }\n',
      }
      expect(await check(project(files), '--strict')).to.deep.equal({ code: 0, out: '' })
    })

    it('is in order when a server takes what it makes', async () => {
      expect(await check(project(chart('{{ .Release.Name }}')), '--strict')).to.deep.equal({ code: 0, out: '' })
    })
  })

  it('prints commands of a GitHub workflow', async () => {
    const { out } = await check(project({ 'roles/web/role.yaml': WRONG }), '--format', 'github')
    const [warning, error] = out.split('\n')
    expect(warning).to.match(/^::warning file=.*role\.yaml,line=1,col=8,endColumn=9,title=RB1133::nothing uses `x` \(/)
    expect(error).to.match(/^::error file=.*role\.yaml,line=3,col=67,endColumn=76,title=RB1221::/)
  })

  it('prints JSON, and places in files that are named from here', async () => {
    const { out } = await check(project({ 'roles/web/role.yaml': WRONG }), '--format', 'json')
    expect(JSON.parse(out).map(({ code }: { code: string }) => code)).to.deep.equal(['RB1133', 'RB1221'])
    const diagnostic = {
      severity: 'error',
      code: 'RB1301',
      message: 'm',
      file: 'a b.yaml',
      line: 1,
      column: 1,
    } as const
    const [{ results }] = JSON.parse(formatDiagnostics('sarif', [diagnostic])).runs
    expect(results[0].locations[0].physicalLocation).to.deep.equal({
      artifactLocation: { uri: 'a%20b.yaml' },
      region: { startLine: 1, startColumn: 1 },
    })
  })

  it('escapes what would end a command of GitHub', async () => {
    const files = { 'watches.yaml': '- {group: example.com, version: v1, kind: Web, role: "a%\\nb"}\n' }
    const { out } = await check(project(files), '--format', 'github')
    expect(
      out
        .split('\n')
        .filter((line) => line !== '')
        .every((line) => line.startsWith('::')),
    ).to.equal(true)
  })

  it('finds a field that a built-in kind does not have, and its own status', async () => {
    const root = project({
      'watches.yaml': '- {group: "", version: v1, kind: Namespace, role: web, manageStatus: false}\n',
      'roles/web/role.yaml': 'tasks: [{fail: {message: "${metaata.name} ${status.phase}"}}]\n',
      'roles/web/crd.yaml': crd('Web'),
    })
    const { out } = await check(root)
    expect(out).to.match(/role\.yaml:1:\d+ error RB1207 the resource has no field metaata/)
    expect(out).to.match(/role\.yaml:1:\d+ error RB1208/)
  })

  it('takes warnings for errors with --strict', async () => {
    const root = project({ 'roles/web/role.yaml': 'vars: {x: 1}\ntasks: [{fail: {message: x}}]\n' })
    expect((await check(root)).code).to.equal(0)
    expect((await check(root, '--strict')).code).to.equal(3)
  })

  it('finds a status without room for conditions', async () => {
    const role = 'tasks: [{fail: {message: x}}]\n'
    const root = project({ 'roles/web/role.yaml': role, 'roles/web/crd.yaml': crd('Web', { status: false }) })
    const { out } = await check(root)
    expect(out).to.match(/crd\.yaml:18:13 warning RB1136 the status has no room for conditions and observedGeneration/)
    const unmanaged = project({
      'watches.yaml': WATCHES.replace('}', ', manageStatus: false}'),
      'roles/web/role.yaml': role,
      'roles/web/crd.yaml': crd('Web', { status: false }),
    })
    expect((await check(unmanaged)).out).to.equal('')
  })

  const damaged = [
    { name: 'a property that is text', from: 'size: {type: integer}', to: 'size: integer' },
    { name: 'a property that is nothing', from: 'size: {type: integer}', to: 'size: null' },
    { name: 'a type that there is not', from: 'size: {type: integer}', to: 'size: {type: int}' },
  ]
  for (const { name, from, to } of damaged) {
    it(`has nothing but a note of a kind whose CRD has ${name}`, async () => {
      const root = project({ 'roles/web/role.yaml': THING, 'more/thing.yaml': crd('Thing').replace(from, to) })
      const { code, out } = await check(root, '--strict', '--schemas', join(root, 'more'))
      expect(code).to.equal(0)
      expect(out).to.match(/:2:48 note RB1807 .*\n(?:.*\n)*1 note\n$/)
    })
  }

  it('reads the tests of the roles', async () => {
    const test = 'steps:\n  - expekt: [{kind: Web, name: a}]\n'
    const root = project({ 'roles/web/role.yaml': FINE, 'roles/web/tests/life.yaml': test })
    const { code, out } = await check(root)
    expect(code).to.equal(3)
    expect(out).to.match(/life\.yaml:2:5 error RB1020 unknown key `expekt`(?:.*\n)*.*did you mean `expect`\?/)
  })

  it('warns of a sample that the role refuses, unless a role test expects it', async () => {
    const files = {
      'roles/web/role.yaml': 'tasks:\n  - assert: {that: ["${spec.size > 5}"], message: too small}\n',
      'roles/web/samples/web.yaml': 'apiVersion: example.com/v1\nkind: Web\nmetadata: {name: web}\nspec: {size: 1}\n',
    }
    expect((await check(project(files))).out).to.match(/warning RB1808 .*is refused: too small/)
    const refused = '{kind: Web, name: web, status: {conditions: [{type: Ready, status: "False"}]}}'
    const test = `given: [../samples/web.yaml]\nsteps:\n  - expect: [${refused}]\n`
    expect(await check(project({ ...files, 'roles/web/tests/refused.yaml': test }))).to.include({ code: 0, out: '' })
  })

  describe('--schemas', () => {
    it('knows the kinds of further CRDs', async () => {
      const root = project({
        'roles/web/role.yaml': THING,
        'more/deep/thing.yaml': crd('Thing'),
        'more/README.md': '-',
      })
      expect((await check(root)).code).to.equal(0)
      const { code, out } = await check(root, '--schemas', join(root, 'more'))
      expect(code).to.equal(3)
      expect(out).to.match(/error RB1130 there is no field `siez` in `spec`/)
    })

    it('refuses a folder that is not there', async () => {
      const refused = await check(project({}), '--schemas', join(folder.path, 'nowhere')).catch((error) => error)
      expect(refused).to.be.instanceOf(UsageError)
      expect(refused.message).to.match(/cannot read .*nowhere: ENOENT/)
    })
  })

  describe('--cluster', () => {
    let cluster: SandboxCluster
    const kubeconfig = join(folder.path, 'kubeconfig')

    before(async () => {
      cluster = await SandboxCluster.start({ clock: systemClock, logger: nopLogger })
      writeKubeconfig(kubeconfig, cluster.access)
    })
    after(() => cluster.stop())

    long.it('knows what the cluster serves', async () => {
      const found = JSON.parse(JSON.stringify((await import('yaml')).parse(crd('Thing'))))
      await cluster.install(found)
      const root = project({ 'roles/web/role.yaml': `${THING}${WRONG.replace(/^vars.*\ntasks:\n/, '')}` })
      const { code, out } = await check(root, '--cluster', '--kubeconfig', kubeconfig)
      expect(code).to.equal(3)
      expect(out).to.match(/error RB1130 there is no field `siez` in `spec`/)
      expect(out).to.match(/error RB1221 this is a number, where text is wanted/)
    })

    it('says why it cannot ask', async () => {
      const missing = join(folder.path, 'no-kubeconfig')
      writeFileSync(missing, 'apiVersion: v1\nkind: Config\ncurrent-context: none\n')
      const refused = await check(project({}), '--cluster', '--kubeconfig', missing).catch((error) => error)
      expect(refused).to.be.instanceOf(UsageError)
    })
  })
})
