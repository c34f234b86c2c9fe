import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import { operatorService } from '../../src/rolebook/cli/explain/ask-operator.ts'
import { explainRoute } from '../../src/rolebook/cli/explain/explain-route.ts'
import { openToQuestions, recordOfSandbox } from '../../src/rolebook/cli/local-operator.ts'
import { runProgram } from '../../src/rolebook/cli/run-program.ts'
import { writeKubeconfig } from '../../src/sandbox/cluster/kubeconfig.ts'
import { FakeTerminal } from '../support/fake-terminal.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../support/operator-sandbox.ts'
import { steadyText } from '../support/steady-text.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const page = readFileSync('docs/debugging.md', 'utf8')
const blocks = [...page.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(([, kind, text]) => ({ kind, text: text ?? '' }))
const [explained = '', listed = '', tree = '', differences = ''] = blocks
  .filter(({ kind }) => kind === '')
  .map(({ text }) => text)
const [role = ''] = blocks.filter(({ kind }) => kind === 'yaml').map(({ text }) => text)

describe('the page on debugging', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  const ending = new AbortController()
  const at = (path: string): string => join(folder.path, path)
  let sandbox: OperatorSandbox
  let serving: Promise<void>

  before(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false, tls: true })
    writeKubeconfig(at('kubeconfig'), sandbox.access)
    const operator = sandbox.run(await projectOf({ widget: role }))
    const route = explainRoute({ history: operator.history, client: sandbox.client, leads: () => true })
    const server = { record: recordOfSandbox(at('kubeconfig')), serverUrl: sandbox.access.url }
    serving = (await openToQuestions(route, { ...server, clock: systemClock, logger: nopLogger })).start(ending.signal)
    await operator.idle()
    await sandbox.widget('sample', { text: 'one' })
    await sandbox.ready('Waiting', { name: 'sample' })
    await sandbox.settled()
    await sandbox.edit(WIDGET, 'sample', { spec: { approved: true, text: 'two' } })
    await sandbox.ready('Ready', { name: 'sample', generation: 2 })
    await sandbox.settled()
    await sandbox.edit(CONFIG_MAP, 'sample-settings', { data: { level: 'debug' } })
    const isBack = (seen: unknown): boolean => JSON.stringify(seen).includes('"level":"info"')
    await sandbox.until(() => sandbox.get(CONFIG_MAP, 'sample-settings'), isBack)
    await sandbox.settled()
    write(role)
  })
  after(async () => {
    ending.abort()
    await serving
    await sandbox.stop()
    folder.remove()
  })

  function write(text: string): void {
    mkdirSync(at('roles/widget'), { recursive: true })
    writeFileSync(at('watches.yaml'), '- { group: example.com, version: v1, kind: Widget, role: widget }\n')
    writeFileSync(at('roles/widget/role.yaml'), text)
  }

  async function ask(...args: readonly string[]): Promise<string> {
    const terminal = new FakeTerminal()
    await runProgram([...args, '--kubeconfig', at('kubeconfig')], terminal)
    return steadyText(terminal.stdout)
  }

  async function run(...args: readonly string[]): Promise<string> {
    const terminal = new FakeTerminal()
    const flags = ['--watches-file', at('watches.yaml'), '--roles-path', at('roles'), '--kubeconfig', at('kubeconfig')]
    await runProgram([...args, ...flags], terminal)
    return steadyText(terminal.stdout)
  }

  it('shows what explain prints', async () => {
    const printed = await run('explain', 'widget', 'sample', '--runs', '20')
    const shown = steadyText(explained).split('\n\n')
    expect(shown).to.have.length(3)
    // Between these runs are some that own writes have woken.
    for (const block of shown) {
      const [head = '', ...lines] = block.trimEnd().split('\n')
      const wanted = printed.split('\n\n').find((one) => one.startsWith(head))
      expect(wanted?.split('\n').slice(1), head).to.deep.equal(lines)
    }
  })

  it('shows what history prints', async () => {
    const printed = await ask('history', 'widget', 'sample', '--watches-file', at('watches.yaml'))
    const runsIn = (text: string): readonly string[] => text.trimEnd().split(/\n(?=TIME)/)
    expect(runsIn(steadyText(listed))).to.have.length(3)
    for (const run of runsIn(steadyText(listed))) expect(runsIn(printed)).to.include(run)
  })

  it('shows what tree prints', async () => expect(await ask('tree', 'widget', 'sample')).to.equal(tree))

  it('shows what diff prints', async () => {
    const changed = role
      .replace('text: ${spec.text}', 'text: "${spec.text}!"')
      .replace('    when: ${spec.extra}\n', '')
      .replace(/\n {2}- name: Say so[\s\S]*/, '')
    write(changed)
    expect(await run('diff', 'widget')).to.equal(differences)
  })

  it('names the Service', () => expect(page).to.include(`resourceNames: ["${operatorService('rolebook')}"]`))
})
