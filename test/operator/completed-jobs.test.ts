import { expect } from 'chai'
import { OperatorSandbox, projectOf, WIDGET } from '../support/operator-sandbox.ts'

const JOB = { group: 'batch', version: 'v1', kind: 'Job' }
const EVENT = { group: 'events.k8s.io', version: 'v1', kind: 'Event' }
const SAID = 'a Job is gone and counts as complete, although its end was not seen'
const MADE = 'apply Job default/migrate'

const role = (spec = ''): string => `
tasks:
  - waitReady: true
    ensure:
      apiVersion: batch/v1
      kind: Job
      metadata: { name: migrate }
      spec:
        ${spec}
        template:
          spec:
            restartPolicy: Never
            containers: [{ name: main, image: "migrate:\${spec.version}" }]
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: migrated } }
`
const SHORT_LIVED = role('ttlSecondsAfterFinished: 0')

describe('A Job that has run', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  /** What the Job controller does: the Job completes, and is removed as its time to live says. */
  async function complete(): Promise<void> {
    const now = new Date().toISOString()
    const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: now,
    }))
    const status = { startTime: now, completionTime: now, succeeded: 1, conditions }
    await sandbox.edit(JOB, 'migrate', { status }, 'status')
  }

  async function runOnce(): Promise<void> {
    await sandbox.until(
      () => sandbox.get(JOB, 'migrate'),
      (job) => job !== undefined,
    )
    await complete()
    await sandbox.remove(JOB, 'migrate')
    await sandbox.gone(JOB, 'migrate')
  }

  const presumed = async (): Promise<readonly unknown[]> => {
    const { items } = await sandbox.client.list(EVENT, { namespace: 'default' })
    return items.filter(({ reason }) => reason === 'JobPresumedComplete').map(({ note }) => note)
  }

  const made = async (): Promise<number> => (await sandbox.settled()).filter((write) => write === MADE).length

  it('and is gone at once is not run again, and counts as complete', async () => {
    sandbox.run(await projectOf({ widget: SHORT_LIVED }))
    await sandbox.widget('w', { version: '1' })
    await runOnce()
    await sandbox.ready('Ready')
    expect(await made()).to.equal(1)
    expect(await sandbox.get(JOB, 'migrate')).to.equal(undefined)
  })

  it('is not run again after a restart', async () => {
    const project = await projectOf({ widget: SHORT_LIVED })
    sandbox.run(project)
    await sandbox.widget('w', { version: '1' })
    await runOnce()
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.restart(project)
    await sandbox.ready('Ready')
    expect(await sandbox.settled()).to.deep.equal([])
  })

  it('while the operator was down is not run again', async () => {
    const project = await projectOf({ widget: SHORT_LIVED })
    sandbox.run(project)
    await sandbox.widget('w', { version: '1' })
    await sandbox.ready('Waiting')
    await sandbox.settled()
    await sandbox.halt()
    await runOnce()
    await sandbox.restart(project)
    await sandbox.ready('Ready')
    expect(await made()).to.equal(0)
    expect(await presumed()).to.deep.equal([
      'cannot see how Job default/migrate ended: it was removed while no operator was running; it counts as complete and is not run again (change its manifest to run it again)',
    ])
    expect(sandbox.warnings).to.deep.equal([SAID])
    await sandbox.restart(project)
    expect([sandbox.warnings, await sandbox.settled()]).to.deep.equal([[SAID], []])
  })

  it('is not said to be in doubt when its end was seen, neither then nor after a restart', async () => {
    const project = await projectOf({ widget: SHORT_LIVED })
    sandbox.run(project)
    await sandbox.widget('w', { version: '1' })
    await runOnce()
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.restart(project)
    expect([await presumed(), sandbox.warnings, await sandbox.settled()]).to.deep.equal([[], [], []])
  })

  it('without a time to live is not run again when a person removes it', async () => {
    const project = await projectOf({ widget: role() })
    sandbox.run(project)
    await sandbox.widget('w', { version: '1' })
    await runOnce()
    await sandbox.ready('Ready')
    expect(await made()).to.equal(1)
    await sandbox.restart(project)
    expect(await made()).to.equal(0)
  })

  it('is run again when its manifest changes', async () => {
    sandbox.run(await projectOf({ widget: SHORT_LIVED }))
    await sandbox.widget('w', { version: '1' })
    await runOnce()
    await sandbox.ready('Ready')
    await sandbox.widget('w', { version: '2' })
    await runOnce()
    await sandbox.ready('Ready', { generation: 2 })
    expect(await made()).to.equal(2)
  })

  it('is made again when it was removed before it was complete', async () => {
    sandbox.run(await projectOf({ widget: SHORT_LIVED }))
    await sandbox.widget('w', { version: '1' })
    await sandbox.ready('Waiting')
    await sandbox.settled()
    await sandbox.remove(JOB, 'migrate')
    await sandbox.until(
      () => sandbox.get(JOB, 'migrate'),
      (job) => job !== undefined,
    )
  })

  it('for another resource says nothing about a copy of that resource', async () => {
    const project = await projectOf({ widget: SHORT_LIVED })
    sandbox.run(project)
    await sandbox.widget('w', { version: '1' })
    await runOnce()
    await sandbox.ready('Ready')
    await sandbox.settled()
    const annotations = (await sandbox.get(WIDGET, 'w'))?.metadata.annotations
    expect(annotations).to.have.property('rolebook.dev/jobs')
    await sandbox.remove(WIDGET, 'w')
    await sandbox.gone(WIDGET, 'w')
    await sandbox.settled()
    await sandbox.widget('w', { version: '1' }, { annotations })
    await sandbox.ready('Waiting')
    expect(await made()).to.equal(1)
  })
})
