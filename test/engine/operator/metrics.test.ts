import { expect } from 'chai'
import { Metrics } from '../../../src/engine/runtime/metrics.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf } from '../../support/operator-sandbox.ts'

const ROLE = `tasks:
  - name: Make it
    ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${metadata.name}"}, data: {size: "\${spec.size}"}}
`

describe('the metrics of an operator at work', () => {
  let sandbox: OperatorSandbox
  let metrics: Metrics

  beforeEach(async () => {
    sandbox = await OperatorSandbox.start()
    metrics = new Metrics({ version: '1' })
  })
  afterEach(() => sandbox.stop())

  const samples = async (): Promise<Readonly<Record<string, number>>> => {
    const { text } = await metrics.expose()
    const lines = text.split('\n').filter((line) => line.startsWith('rolebook_') && !line.includes('_bucket{'))
    return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)?.[0])]))
  }

  it('count its runs, tasks, expressions, writes, lists and what it puts back', async () => {
    sandbox.run(await projectOf({ widget: ROLE }), { metrics })
    await sandbox.widget('w', { size: 'one' })
    await sandbox.ready('Ready')
    await sandbox.edit(CONFIG_MAP, 'w', { data: { size: 'mine' } })
    await sandbox.until(samples, (seen) => seen['rolebook_drift_corrected_total{kind="ConfigMap"}'] === 1)
    await sandbox.settled()
    const seen = await samples()
    const [complete, skipped] = ['complete', 'skipped'].map(
      (outcome) => seen[`rolebook_reconcile_total{kind="Widget.example.com",outcome="${outcome}"}`] ?? 0,
    ) as [number, number]
    expect(complete, 'the first run and the one that puts back').to.be.at.least(2)
    expect(seen['rolebook_skipped_runs_total{kind="Widget.example.com"}'] ?? 0).to.equal(skipped)
    expect(seen['rolebook_reconcile_duration_seconds_count{kind="Widget.example.com"}']).to.equal(complete + skipped)
    expect(seen['rolebook_task_duration_seconds_count{role="widget",task="Make it"}']).to.equal(complete)
    expect(seen['rolebook_expression_seconds_count{role="widget"}']).to.equal(2 * complete)
    expect(seen).to.include({
      'rolebook_writes_total{kind="ConfigMap",verb="apply",result="ok"}': 2,
      'rolebook_writes_total{kind="Widget.example.com/status",verb="patch",result="ok"}': 1,
      'rolebook_writes_total{kind="Event.events.k8s.io",verb="create",result="ok"}': 2,
      'rolebook_relists_total{kind="Widget.example.com",reason="first"}': 1,
      'rolebook_watch_live{kind="Widget.example.com"}': 1,
      'rolebook_watch_live{kind="ConfigMap"}': 1,
      'rolebook_queue_depth{kind="Widget.example.com",class="edit"}': 0,
      rolebook_leader: 1,
    })
  })

  it('have as many series with ten resources as with one, and name none of them', async () => {
    sandbox.run(await projectOf({ widget: ROLE }), { metrics })
    await sandbox.widget('some-name-0', { size: 'one' })
    await sandbox.ready('Ready', { name: 'some-name-0' })
    await sandbox.edit(CONFIG_MAP, 'some-name-0', { data: { size: 'mine' } })
    await sandbox.settled()
    const before = Object.keys(await samples()).filter((name) => !name.includes('skipped'))
    for (let index = 1; index < 10; index++) await sandbox.widget(`some-name-${index}`, { size: `${index}` })
    await sandbox.ready('Ready', { name: 'some-name-9' })
    await sandbox.settled()
    const after = Object.keys(await samples()).filter((name) => !name.includes('skipped'))
    expect(after.filter((name) => !before.includes(name) && !name.startsWith('rolebook_queue_wait'))).to.deep.equal([])
    expect(after.join()).not.to.include('some-name')
  })
})
