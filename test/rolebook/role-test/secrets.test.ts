import { join } from 'node:path'
import { expect } from 'chai'
import { printYaml } from '../../../src/core/yaml/print-yaml.ts'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { long } from '../../support/long-tests.ts'
import { crd, WIDGET } from '../../support/operator-sandbox.ts'
import { formsIn } from '../../support/secret-sinks.ts'
import { temporaryFolder, writeFiles } from '../../support/temporary-folder.ts'

const CANARY = 'c4nary/Tr0ub4dor-9xQ'
const ROLE = `
tasks:
  - get: { apiVersion: v1, kind: Secret, name: creds }
    register: creds
  - name: Copy
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: copy }
      data: { url: "https://\${$base64decode($creds.data.password)}@host", plain: words }
  - name: Named
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: "n-\${$lowercase($replace($base64decode($creds.data.password), /[^A-Za-z0-9]/, ''))}" }
  - name: Kept
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: kept-words } }
  - name: Own
    ensure: { apiVersion: v1, kind: Secret, metadata: { name: own }, stringData: { user: somebody } }
    generate: { key: { length: 20 } }
    register: own
  - name: Use
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: use }
      data: { key: "\${$base64decode($own.data.key)}" }
  - name: License
    sensitive: true
    get: { apiVersion: v1, kind: ConfigMap, name: license }
    register: license
  - name: Licensed
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: licensed }
      data: { key: "\${$license.data.key}" }
`
const GIVEN = `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {}\n`
const CREDS = `apiVersion: v1\nkind: Secret\nmetadata: {name: creds}\nstringData: {password: ${CANARY}, host: kept-words}\n`
const SENSITIVE = 'l1cense/Kx7-qqZ42vWm'
const LICENSE = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: license}\ndata: {key: ${SENSITIVE}}\n`
const TEST = `given: [../samples/widget.yaml, ../samples/creds.yaml, ../samples/license.yaml]
steps:
  - expect:
      - {kind: ConfigMap, name: copy, data: {url: wrong, plain: other}}
      - {kind: Secret, name: creds, data: {password: d3Jvbmc=}}
      - {kind: ConfigMap, name: use, data: {key: wrong}}
      - {kind: ConfigMap, name: licensed, data: {key: wrong}}
`

describe('values of Secrets and of sensitive tasks', () => {
  const folder = temporaryFolder()
  const files: Readonly<Record<string, string>> = {
    'watches.yaml': '- {group: example.com, version: v1, kind: Widget, role: widget}\n',
    'roles/widget/role.yaml': ROLE,
    'roles/widget/crd.yaml': printYaml([crd(WIDGET)]),
    'roles/widget/samples/widget.yaml': GIVEN,
    'roles/widget/samples/creds.yaml': CREDS,
    'roles/widget/samples/license.yaml': LICENSE,
    'roles/widget/tests/secrets.yaml': TEST,
  }
  before(() => {
    writeFiles(folder.path, files)
  })
  after(() => folder.remove())

  async function run(command: string, ...args: string[]): Promise<string> {
    const terminal = new FakeTerminal()
    const project = ['--watches-file', join(folder.path, 'watches.yaml'), '--roles-path', join(folder.path, 'roles')]
    await runProgram([command, ...args, ...project], terminal)
    return terminal.stdout + terminal.stderr
  }

  for (const reporter of ['table', 'junit', 'json']) {
    it(`are not in the differences that rolebook test --reporter ${reporter} shows`, async () => {
      const output = await run('test', '--reporter', reporter)
      expect(output)
        .to.match(/actual {4}\\?"?(&quot;)?.*redacted/)
        .and.to.contain('words')
      for (const secret of [CANARY, SENSITIVE]) expect(formsIn(output, secret)).to.deep.equal([])
    })

    it(`are not in the names of objects that rolebook test --reporter ${reporter} shows; what the role itself says is`, async () => {
      const output = await run('test', '--reporter', reporter)
      expect(output)
        .to.match(/apply ConfigMap default\/(<|&lt;)redacted/)
        .and.to.contain('apply ConfigMap default/kept-words')
        .and.not.contain('tr0ub4dor')
    })
  }

  it('fail a test that keeps them where a role shows one in other letters', async () => {
    const role = 'tasks:\n  - status: { word: "${$uppercase(spec.word)}" }\n'
    const widget = GIVEN.replace('spec: {}', `spec: {word: ${CANARY.toLowerCase()}}`)
    const test = 'given: [../samples/widget.yaml, ../samples/creds.yaml]\nsteps:\n  - leaks: []\n'
    writeFiles(folder.path, {
      'roles/widget/role.yaml': role,
      'roles/widget/samples/widget.yaml': widget,
      'roles/widget/tests/secrets.yaml': test,
    })
    try {
      expect(await run('test')).to.match(
        /secrets\.yaml:3:12 a value of a Secret can be read \(step 1\)\n {4}Widget default\/w status\.word\n/,
      )
    } finally {
      writeFiles(folder.path, files)
    }
  })

  long.it('are not in what rolebook render prints, and generated ones are placeholders', async () => {
    const sample = (name: string): string => join(folder.path, `roles/widget/samples/${name}.yaml`)
    for (const more of [[], ['--marks'], ['--output', 'json']]) {
      const output = await run(
        'render',
        sample('widget'),
        '--given',
        sample('creds'),
        '--given',
        sample('license'),
        ...more,
      )
      for (const secret of [CANARY, SENSITIVE]) expect(formsIn(output, secret)).to.deep.equal([])
      expect(output).to.contain('<redacted>').and.to.contain('words').and.not.contain('resourceVersion')
      expect(output).to.not.contain('somebody').and.not.contain(Buffer.from('somebody').toString('base64'))
    }
  })
})
