import { expect } from 'chai'
import { OperatorSandbox, projectOf } from '../../../support/operator-sandbox.ts'

const ROLE = `tasks:
  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${metadata.name}"}}
  - status: {size: "\${$count([1..spec.size][$ > 0])}"}
`
/** More than a run may compute that does not wait for its turn. */
const MUCH = 40_000

describe('resources whose runs compute for long', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  it('come to their ends beside others, in one run and with each write once', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    const names = ['long-1', 'long-2', 'long-3', 'short']
    for (const name of names) await sandbox.widget(name, { size: name === 'short' ? 1 : MUCH })
    for (const name of names) await sandbox.ready('Ready', { name })
    const writes = await sandbox.settled()
    expect(writes.toSorted()).to.deep.equal(
      names.flatMap((name) => [`apply ConfigMap default/${name}`, `patch Widget/status default/${name}`]).toSorted(),
    )
    const ends = (name: string) => sandbox.runs.filter(({ request }) => request.name === name).map((run) => run.outcome)
    for (const name of names) expect(ends(name).filter((outcome) => outcome !== 'skipped')).to.deep.equal(['complete'])
  })

  it('are served at once when they compute less, with no word of what was given up', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('long', { size: MUCH })
    await sandbox.ready('Ready', { name: 'long' })
    await sandbox.widget('long', { size: 1 })
    await sandbox.ready('Ready', { name: 'long', generation: 2 })
    expect(sandbox.warnings).to.deep.equal([])
  })
})
