import { expect } from 'chai'
import { conditionsOf } from '../../src/kube/condition.ts'
import { OperatorSandbox, projectOf, WIDGET } from '../support/operator-sandbox.ts'

const DEGRADED = '{type: Degraded, status: "True", reason: Bad, message: m}'

describe('A condition that the role does not set any more', () => {
  it('goes from a list that the schema calls atomic, and those of others stay', async () => {
    const sandbox = await OperatorSandbox.start({ workloads: false })
    const types = async (): Promise<readonly string[]> => {
      const widget = await sandbox.get(WIDGET, 'w')
      return widget ? conditionsOf(widget).map(({ type }) => type) : []
    }
    try {
      const operator = sandbox.run(await projectOf({ widget: `tasks: [{status: {conditions: [${DEGRADED}]}}]\n` }))
      await sandbox.widget('w')
      await sandbox.ready('Ready')
      const widget = await sandbox.get(WIDGET, 'w')
      const conditions = [...(widget ? conditionsOf(widget) : []), { type: 'Theirs', status: 'True' }]
      await sandbox.edit(WIDGET, 'w', { status: { conditions } }, 'status')
      operator.replaceProject(await projectOf({ widget: 'tasks: [{status: {ok: "yes"}}]\n' }))
      const left = await sandbox.until(types, (seen) => !seen.includes('Degraded'))
      expect([...left].sort()).to.deep.equal(['Ready', 'Theirs'])
      await sandbox.settled()
      expect(await types()).to.include('Theirs')
    } finally {
      await sandbox.stop()
    }
  })
})
