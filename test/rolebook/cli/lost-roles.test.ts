import { expect } from 'chai'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import { writeKubeconfig } from '../../../src/sandbox/cluster/kubeconfig.ts'
import { besidesCheck } from '../../support/besides-check.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { OperatorSandbox, projectOf } from '../../support/operator-sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const ROLE = 'tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${metadata.name}"}}}]\n'
const WIDGETS = '- { group: example.com, version: v1, kind: Widget, role: widget }\n'
const GADGETS = '- { group: example.com, version: v1, kind: Gadget, role: gadget }\n'
const GADGET_ROLE = 'tasks: [{status: {seen: true}}]\n'

describe('resources that a changed watches.yaml would leave without a role', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  const { at, write } = folder
  let sandbox: OperatorSandbox
  before(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false, tls: true })
    writeKubeconfig(at('kubeconfig'), sandbox.access)
    sandbox.run(await projectOf({ widget: ROLE, gadget: GADGET_ROLE }, WIDGETS + GADGETS))
    for (const name of ['a', 'b']) await sandbox.widget(name)
    for (const name of ['a', 'b']) await sandbox.ready('Ready', { name })
    await sandbox.settled()
    await sandbox.halt()
    write('roles/widget/role.yaml', ROLE)
    write('roles/gadget/role.yaml', GADGET_ROLE)
  })
  after(async () => {
    await sandbox.stop()
    folder.remove()
  })

  async function rolebook(command: string, ...args: readonly string[]) {
    const terminal = new FakeTerminal()
    const flags = ['--watches-file', at('watches.yaml'), '--roles-path', at('roles'), '--kubeconfig', at('kubeconfig')]
    const code = await runProgram([command, ...flags, ...args], terminal)
    return { code, out: terminal.stdout, err: besidesCheck(terminal.stderr) }
  }

  it('are none in `rolebook diff` while their entry is there', async () => {
    write('watches.yaml', WIDGETS + GADGETS)
    expect((await rolebook('diff')).out).to.equal('2 resources: no differences\n')
  })

  const changes = [
    { name: 'its entry is removed', watches: GADGETS, by: 'the removal of all entries of Widget.example.com' },
    {
      name: 'its namespaces are others',
      watches: GADGETS + WIDGETS.replace(' }', ', namespaces: [kube-public] }'),
      by: 'the new namespaces',
    },
    {
      name: 'its selector is another',
      watches: GADGETS + WIDGETS.replace(' }', ', selector: {matchLabels: {a: b}} }'),
      by: 'the new selectors',
    },
  ]
  for (const { name, watches, by } of changes) {
    it(`are printed by \`rolebook diff\` when ${name}`, async () => {
      write('watches.yaml', watches)
      expect(await rolebook('diff')).to.deep.equal({
        code: 3,
        out: `! ${by} would leave 2 existing resources (Widget default/a, Widget default/b) without a role: refused, unless --allow-teardown removes what was made for them

0 resources: no differences
`,
        err: '',
      })
      const { out } = await rolebook('diff', '-o', 'json')
      const head = { apiVersion: 'example.com/v1', kind: 'Widget', namespace: 'default', by }
      expect(JSON.parse(out).withoutRole).to.deep.equal([
        { ...head, name: 'a' },
        { ...head, name: 'b' },
      ])
    })
  }

  it('are explained by `rolebook explain` where no operator answers', async () => {
    write('watches.yaml', GADGETS)
    const { code, err } = await rolebook('explain', 'widget', 'a', '--fresh')
    expect(code).to.equal(2)
    expect(err).to.contain(
      'looks after Widget a: the removal of all entries of Widget.example.com took its role away, and what was made for it is left (put the entry back)',
    )
  })

  it('are not named by `rolebook explain` for a resource of another kind that never had a role', async () => {
    write('watches.yaml', GADGETS.replace(' }', ', selector: {matchLabels: {a: b}} }'))
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'x' } })
    const { code, err } = await rolebook('explain', 'gadget', 'x', '--fresh')
    expect([code, err]).to.deep.equal([2, `rolebook explain: no entry of ${at('watches.yaml')} looks after Gadget x\n`])
  })
})
