import { expect } from 'chai'
import { CONFIG_MAP, OperatorSandbox, projectOf } from '../support/operator-sandbox.ts'

const ROLE = 'tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: part}}}]\n'
const ENTRY = '- {group: example.com, version: v1, kind: Widget, role: widget, selector: {matchLabels: {shard: '

describe('7: a resource that left the selector', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  it('is not called ready any more', async () => {
    sandbox.run(await projectOf({ widget: ROLE }, `${ENTRY}a}}}\n`))
    await sandbox.widget('w', {}, { labels: { shard: 'a' } })
    await sandbox.ready('Ready')
    await sandbox.widget('w', {}, { labels: { shard: 'c' } })
    const { status, message } = await sandbox.ready('Deleting')
    await sandbox.settled()
    expect(status).to.equal('False')
    expect((await sandbox.condition('Ready'))?.message ?? message).to.include('no watch entry selects')
    expect(await sandbox.get(CONFIG_MAP, 'part')).to.equal(undefined)
  })

  it('stays ready when another entry takes it', async () => {
    sandbox.run(await projectOf({ widget: ROLE }, `${ENTRY}a}}}\n${ENTRY}b}}}\n`))
    await sandbox.widget('w', {}, { labels: { shard: 'a' } })
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.widget('w', {}, { labels: { shard: 'b' } })
    await sandbox.settled()
    expect((await sandbox.condition('Ready'))?.reason).to.equal('Ready')
  })
})
