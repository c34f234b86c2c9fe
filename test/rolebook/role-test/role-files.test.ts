import { join } from 'node:path'
import { expect } from 'chai'
import { printYaml } from '../../../src/core/yaml/print-yaml.ts'
import { testCommand } from '../../../src/rolebook/cli/commands/test.ts'
import { parseCommandLine } from '../../../src/rolebook/cli/parse-command-line.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { crd, WIDGET } from '../../support/operator-sandbox.ts'
import { temporaryFolder, writeFiles } from '../../support/temporary-folder.ts'

const FILES: Readonly<Record<string, string>> = {
  'watches.yaml': '- {group: example.com, version: v1, kind: Widget, role: widget}\n',
  'roles/widget/role.yaml': `tasks:
  - name: Parts
    loop: \${spec.parts}
    include: {tasks: tasks/part.yaml, vars: {name: "\${$item}"}}
`,
  'roles/widget/tasks/part.yaml': `- name: Map
  ensure:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "\${$name}"}
    data: {motd: "\${$template('motd.txt')}"}
- name: Say so
  event: {type: Normal, reason: PartMade, message: "\${$name} is made"}
`,
  'roles/widget/files/motd.txt': 'part ${$name ?? "?"} of ${metadata.name}\n',
  'roles/widget/crd.yaml': printYaml([crd(WIDGET)]),
  'roles/widget/tests/parts.yaml': `given:
  - apiVersion: example.com/v1
    kind: Widget
    metadata: {name: w}
    spec: {parts: [a]}
steps:
  - expect:
      - {kind: ConfigMap, name: a, data: {motd: "part a of w\\n"}}
      - {kind: Event, reason: PartMade, message: a is made, involvedObject: {kind: Widget, name: w}}
    absent: [{kind: Event, reason: PartGone}]
    writes: {ConfigMap: 1, Widget/status: 1}
  - patch: {kind: Widget, name: w, spec: {parts: [a, b]}}
    expect:
      - {kind: ConfigMap, name: b, data: {motd: "part b of w\\n"}}
      - {kind: Event, reason: PartMade, message: b is made}
      - {kind: Event, reason: PartMade, message: {matches: ^a}}
    writes: {ConfigMap: 1, Widget/status: 1}
  - advance: 10h
    writes: {}
`,
}

describe('tests of a role with files of its own', () => {
  const folder = temporaryFolder()
  before(() => {
    writeFiles(folder.path, FILES)
  })
  after(() => folder.remove())

  async function run(...more: string[]): Promise<FakeTerminal & { code: number }> {
    const terminal = new FakeTerminal()
    const places = ['--watches-file', join(folder.path, 'watches.yaml'), '--roles-path', join(folder.path, 'roles')]
    const parsed = parseCommandLine(['test', ...places, ...more], { commands: [testCommand], terminal })
    if (!('command' in parsed)) throw new Error(terminal.stderr)
    const code = await parsed.command.run(parsed.invocation)
    return Object.assign(terminal, { code })
  }

  it('run what is included, and count no events among the writes', async () => {
    const { code, stdout, stderr } = await run()
    expect(code, stdout + stderr).to.equal(0)
  })

  it('cover the branches of texts', async () => {
    const { stdout } = await run('--coverage')
    expect(stdout).to.match(/`\?\?` never right, without a value on the left: \$name \?\? "\?"/)
  })
})
