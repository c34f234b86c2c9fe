import { expect } from 'chai'
import { conditionsOf } from '../../../../src/core/kube/condition.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { clientWith } from '../../../support/client-with.ts'
import { eventually } from '../../../support/eventually.ts'
import { HeldWatch } from '../../../support/held-watch.ts'
import { OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const THEIRS = { type: 'Theirs', status: 'True' }
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

describe('The first condition that another controller sets', () => {
  it('stays when the status is written before a watch has shown the condition', async () => {
    const sandbox = await OperatorSandbox.start({ workloads: false })
    const watch = new HeldWatch(sandbox.client, 'Widget')
    try {
      let tries = 0
      const client = clientWith(watch.client, {
        patch: (gvk, ...rest) => {
          if (gvk.kind === 'Widget') tries++
          return watch.client.patch(gvk, ...rest)
        },
      })
      const role = 'tasks: [{get: {apiVersion: v1, kind: ConfigMap, name: c}}]\n'
      sandbox.run(await projectOf({ widget: role }), { client })
      await sandbox.widget('w')
      await sandbox.ready('Waiting')
      await sandbox.settled()

      watch.hold()
      const conditions = [...conditionsOf((await sandbox.get(WIDGET, 'w')) as KubeObject), THEIRS]
      await sandbox.edit(WIDGET, 'w', { status: { conditions } }, 'status')
      const before = tries
      await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } })
      await eventually(() => tries > before, 'the status is written, as it was seen')
      watch.letGo()
      await sandbox.ready('Ready')
      expect((await sandbox.condition('Theirs'))?.status).to.equal('True')
    } finally {
      watch.letGo()
      await sandbox.stop()
    }
  })
})
