import { expect } from 'chai'
import { conditionsOf } from '../../../../src/core/kube/condition.ts'
import { OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const condition = (when = 'true'): string =>
  `tasks: [{when: "\${${when}}", status: {conditions: [{type: Degraded, status: "True", reason: Bad, message: m}]}}]\n`
const NONE = 'tasks: [{status: {ok: "yes"}}]\n'

describe('A condition that went out of use while the operator was down', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  const types = async (): Promise<readonly string[]> => {
    const widget = await sandbox.get(WIDGET, 'w')
    return widget ? conditionsOf(widget).map(({ type }) => type) : []
  }
  /** Another client adds a condition of its own, and so is the last writer of the whole list. */
  const join = async (type: string): Promise<void> => {
    const widget = await sandbox.get(WIDGET, 'w')
    const conditions = [...(widget ? conditionsOf(widget) : []), { type, status: 'True' }]
    await sandbox.edit(WIDGET, 'w', { status: { conditions } }, 'status')
  }

  const cases: { name: string; before: string; after: string; size: number }[] = [
    { name: 'the role lost it', before: condition(), after: NONE, size: 1 },
    { name: 'its `when` became false', before: condition('spec.size = 1'), after: condition('spec.size = 1'), size: 2 },
  ]
  for (const { name, before, after, size } of cases) {
    it(`goes from a list that the schema calls atomic: ${name}`, async () => {
      sandbox.run(await projectOf({ widget: before }))
      await sandbox.widget('w', { size: 1 })
      await sandbox.ready('Ready')
      await sandbox.halt()
      await sandbox.widget('w', { size })
      sandbox.run(await projectOf({ widget: after }))
      const left = await sandbox.until(types, (seen) => !seen.includes('Degraded'))
      expect(left).to.deep.equal(['Ready'])
    })
  }

  it('stays where another client writes the status, too: the condition may be its own by now', async () => {
    sandbox.run(await projectOf({ widget: condition() }))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.edit(WIDGET, 'w', { status: { theirs: 1 } }, 'status')
    await sandbox.halt()
    await sandbox.widget('w', { more: true })
    sandbox.run(await projectOf({ widget: NONE }))
    await sandbox.ready('Ready', { generation: 2 })
    await sandbox.settled()
    expect(await types()).to.have.members(['Ready', 'Degraded'])
  })

  it('is not taken from others who use its name from then on', async () => {
    sandbox.run(await projectOf({ widget: condition() }))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.halt()
    const operator = sandbox.run(await projectOf({ widget: NONE }))
    await sandbox.until(types, (seen) => !seen.includes('Degraded'))
    await join('Degraded')
    await sandbox.widget('w', { more: true })
    await sandbox.ready('Ready', { generation: 2 })
    operator.replaceProject(await projectOf({ widget: NONE.replace('yes', 'no') }))
    await sandbox.settled()
    expect(await types()).to.include('Degraded')
  })

  it('stays while no run is complete', async () => {
    sandbox.run(await projectOf({ widget: condition() }))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.halt()
    sandbox.run(await projectOf({ widget: 'tasks: [{wait: {for: "${spec.go}", message: m}}]\n' }))
    await sandbox.ready('Waiting')
    expect(await types()).to.include('Degraded')
    await sandbox.widget('w', { go: true })
    await sandbox.until(types, (seen) => !seen.includes('Degraded'))
  })
})
