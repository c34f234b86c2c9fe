import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonValue } from '../../../src/core/base/json.ts'
import { printYaml } from '../../../src/core/yaml/print-yaml.ts'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { crd } from '../../support/operator-sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const WEB = `tasks:
  - name: Settings of "web"
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}-a" } }
    register: settings
  - name: Group
    block:
      tasks:
        - name: Look
          set: { text: "\${$settings.metadata.name}" }
        - status: { name: "\${$text}" }
  - name: Last
    after: [{ task: Group, optional: true }]
    ensure: { apiVersion: v1, kind: Secret, metadata: { name: "\${metadata.name}" } }
finalize:
  - name: First
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}-b" } }
  - name: Second
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}-c" } }
`

const MERMAID = `flowchart TD
  t0["ensure: Settings of #34;web#34;"]
  subgraph t1["Group"]
    t1_0["set: Look"]
    t1_1["status: status (task 2 of Group)"]
  end
  t2["ensure: Last"]
  f0["ensure: First"]
  f1["ensure: Second"]
  t0 -->|"reads $settings"| t1
  t1 -.->|"after"| t2
  t1_0 -->|"reads $text"| t1_1
  f0 -->|"sequence"| f1
`

const DOT = `digraph "web" {
  node [shape=box]
  t0 [label="ensure: Settings of \\"web\\""]
  subgraph cluster_t1 { label="Group"; t1 [shape=point]
    t1_0 [label="set: Look"]
    t1_1 [label="status: status (task 2 of Group)"]
  }
  t2 [label="ensure: Last"]
  f0 [label="ensure: First"]
  f1 [label="ensure: Second"]
  t0 -> t1 [label="reads $settings"]
  t1 -> t2 [label="after", style=dashed]
  t1_0 -> t1_1 [label="reads $text"]
  f0 -> f1 [label="sequence"]
}
`

describe('rolebook graph', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  before(() => {
    const watches = ['web', 'other'].map(
      (role) => `- { group: example.com, version: v1, kind: ${kindOf(role)}, role: ${role} }\n`,
    )
    writeFileSync(join(folder.path, 'watches.yaml'), watches.join(''))
    for (const [role, text] of [
      ['web', WEB],
      ['other', 'tasks:\n  - set: { one: 1 }\n  - status: { one: "${$one}" }\n'],
    ] as const) {
      mkdirSync(join(folder.path, 'roles', role), { recursive: true })
      writeFileSync(join(folder.path, 'roles', role, 'role.yaml'), text)
      writeFileSync(
        join(folder.path, 'roles', role, 'crd.yaml'),
        printYaml([crd({ group: 'example.com', version: 'v1', kind: kindOf(role) }) as JsonValue]),
      )
    }
  })

  const kindOf = (role: string): string => (role === 'web' ? 'Web' : 'Other')

  async function graph(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
    const terminal = new FakeTerminal()
    const place = ['--watches-file', join(folder.path, 'watches.yaml'), '--roles-path', join(folder.path, 'roles')]
    const code = await runProgram(['graph', ...args, ...place], terminal)
    return { code, out: terminal.stdout, err: terminal.stderr }
  }

  it('prints none of a project with mistakes', async () => {
    const root = join(folder.path, 'broken')
    mkdirSync(root)
    writeFileSync(join(root, 'watches.yaml'), 'nonsense')
    const terminal = new FakeTerminal()
    const places = ['--watches-file', join(root, 'watches.yaml'), '--roles-path', join(folder.path, 'roles')]
    expect(await runProgram(['graph', ...places], terminal)).to.equal(2)
    expect([terminal.stdout, /error RB\d+/.test(terminal.stderr)]).to.deep.equal(['', true])
  })

  it('prints what orders the tasks of a role, for Markdown', async () => {
    const { code, out, err } = await graph('web')
    expect({ code, out, err }).to.deep.equal({ code: 0, out: MERMAID, err: '' })
  })

  it('prints it for Graphviz', async () => expect((await graph('web', '-o', 'dot')).out).to.equal(DOT))

  it('prints it for programs', async () => {
    const printed = JSON.parse((await graph('other', '-o', 'json')).out)
    expect(printed).to.deep.equal({
      role: 'other',
      tasks: [
        { id: 't0', name: 'set (task 1)', kind: 'set' },
        { id: 't1', name: 'status (task 2)', kind: 'status' },
      ],
      edges: [{ from: 't0', to: 't1', reason: 'reads $one', optional: false }],
    })
  })

  const refused = [
    { name: 'no role, where there are several', args: [], says: 'which role? choose one of web, other' },
    { name: 'a role that is not there', args: ['none'], says: 'there is no role "none": choose one of web, other' },
  ]
  for (const { name, args, says } of refused) {
    it(`refuses ${name}`, async () => {
      const { code, err } = await graph(...args)
      expect([code, err]).to.deep.equal([2, `rolebook graph: ${says}\n`])
    })
  }
})
