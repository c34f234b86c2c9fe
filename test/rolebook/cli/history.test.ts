import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import type { ResourceHistory } from '../../../src/engine/operator/run-history.ts'
import type { RunTrace } from '../../../src/engine/reconcile/trace/run-trace.ts'
import { explainRoute } from '../../../src/rolebook/cli/explain/explain-route.ts'
import { printRuns } from '../../../src/rolebook/cli/explain/list-runs.ts'
import { openToQuestions, recordOfSandbox } from '../../../src/rolebook/cli/local-operator.ts'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import { writeKubeconfig } from '../../../src/sandbox/cluster/kubeconfig.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../support/operator-sandbox.ts'
import { steadyText } from '../../support/steady-text.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const ROLE = `tasks:
  - name: Settings
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}" }, data: { text: "\${spec.text}" } }
`

describe('rolebook history', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  const ending = new AbortController()
  let sandbox: OperatorSandbox
  let serving: Promise<void>

  before(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false, tls: true })
    for (const path of ['sandbox', 'other']) {
      folder.write(`${path}/kubeconfig`, '')
      writeKubeconfig(folder.at(`${path}/kubeconfig`), sandbox.access)
    }
    const operator = sandbox.run(await projectOf({ widget: ROLE }))
    const route = explainRoute({ history: operator.history, client: sandbox.client, leads: () => true })
    const server = { record: recordOfSandbox(folder.at('sandbox/kubeconfig')), serverUrl: sandbox.access.url }
    serving = (await openToQuestions(route, { ...server, clock: systemClock, logger: nopLogger })).start(ending.signal)
    await operator.idle()
    await sandbox.widget('w', { text: 'one' })
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.edit(WIDGET, 'w', { spec: { text: 'two' } })
    await sandbox.ready('Ready', { generation: 2 })
    await sandbox.settled()
    await sandbox.edit(CONFIG_MAP, 'w', { data: { text: 'mine' } })
    const isBack = (seen: unknown): boolean => JSON.stringify(seen).includes('"two"')
    await sandbox.until(() => sandbox.get(CONFIG_MAP, 'w'), isBack)
    await sandbox.settled()
  })
  after(async () => {
    ending.abort()
    await serving
    await sandbox.stop()
    folder.remove()
  })

  async function history(args: readonly string[], kubeconfig = 'sandbox') {
    const terminal = new FakeTerminal()
    const flags = ['--kubeconfig', folder.at(`${kubeconfig}/kubeconfig`), '--watches-file', folder.at('watches.yaml')]
    const code = await runProgram(['history', ...args, ...flags], terminal)
    return { code, out: terminal.stdout, err: terminal.stderr }
  }

  it('lists what triggered each run, what it changed, and who had changed what', async () => {
    const { code, out, err } = await history(['widget', 'w'])
    expect({ code, err }).to.deep.equal({ code: 0, err: '' })
    const lines = steadyText(out)
    expect(lines).to.match(/TIME {2}complete {2}the resource was created\n +created ConfigMap default\/w\n/)
    expect(lines).to.match(
      /TIME {2}complete {2}the resource was edited: spec\.text\n +changed ConfigMap default\/w: data\.text\n/,
    )
    expect(lines).to.match(
      /TIME {2}complete {2}ConfigMap default\/w was updated\n +corrected ConfigMap default\/w: data\.text, which "person" had changed\n/,
    )
  })

  it('prints the same as data, the latest first', async () => {
    const { out } = await history(['widget/w', '-o', 'json', '--runs', '20'])
    const { runs } = JSON.parse(out) as {
      readonly runs: readonly { readonly changes: readonly string[]; by: string[] }[]
    }
    const corrected = runs.find(({ by }) => by.length > 0)
    expect(corrected?.by).to.deep.equal(['person'])
    expect(corrected?.changes).to.deep.equal(['corrected ConfigMap default/w: data.text, which "person" had changed'])
    expect(runs.at(-1)?.changes[0]).to.equal('created ConfigMap default/w')
    expect((await history(['widget/w', '-o', 'yaml', '--runs', '1'])).out).to.match(/^runs:\n {2}- at: /)
  })

  it('says what to do where no operator answers', async () => {
    const { code, err } = await history(['widget', 'w'], 'other')
    expect(code).to.equal(1)
    expect(err).to.match(
      /^rolebook history: cannot list the runs: no operator answers \(.+\); `rolebook explain --fresh` /,
    )
  })

  it('says what is wrong with its arguments', async () => {
    expect(await history(['widget'])).to.deep.include({ code: 2 })
    expect((await history(['widget', 'v'])).err).to.equal('rolebook history: there is no Widget default/v\n')
  })
})

describe('the list of runs', () => {
  const run: RunTrace = {
    at: '2026-11-21T21:00:00.000Z',
    milliseconds: 12.5,
    uid: 'u',
    role: 'widget',
    woken: [{ kind: 'created' }],
    outcome: 'complete',
    tasks: [],
    requests: {},
  }
  const cases: readonly { name: string; history: ResourceHistory; runs?: number; text: string }[] = [
    { name: 'says that there is nothing', history: { runs: [], skipped: 0 }, text: 'no run is remembered\n' },
    {
      name: 'counts one that it does not show, and tasks without objects',
      history: { runs: [{ ...run, tasks: [{ name: 'A', outcome: 'waiting' }] }, run], skipped: 0 },
      runs: 1,
      text: `1 earlier run: --runs 2
2026-11-21T21:00:00.000Z  complete  the resource was created
                                    changed nothing
`,
    },
    {
      name: 'counts what it does not show',
      history: { runs: [run, run, run], skipped: 1 },
      runs: 1,
      text: `2 earlier runs: --runs 3
2026-11-21T21:00:00.000Z  complete  the resource was created
                                    changed nothing
`,
    },
    {
      name: 'says what was removed, what of the status was written, and why a run failed, and lets no text command the terminal',
      history: {
        runs: [
          {
            ...run,
            outcome: 'failed',
            removed: ['ConfigMap default/old'],
            status: ['phase', 'conditions'],
            ready: 'Failed: \u001b[2Jbad',
            tasks: [
              {
                name: 'A',
                outcome: 'changed',
                objects: [
                  { object: 'ConfigMap default/a', did: 'changed', fields: [{ field: 'data.a' }], more: 2 },
                  { object: 'ConfigMap default/b', did: 'corrected', lost: ['data.b'] },
                  { object: 'ConfigMap default/c', did: 'read' },
                ],
              },
            ],
          },
        ],
        skipped: 0,
      },
      text: `2026-11-21T21:00:00.000Z  failed  the resource was created
                                  changed ConfigMap default/a: data.a, and 2 more
                                  corrected ConfigMap default/b, which another client had changed
                                  removed ConfigMap default/old
                                  wrote the status: phase, conditions
                                  Failed:  [2Jbad
`,
    },
  ]
  for (const { name, history, runs = 20, text } of cases) {
    it(name, () => expect(printRuns(history, { color: false, runs })).to.equal(text))
  }
})
