import { expect } from 'chai'
import { ObjectApplier } from '../../../../src/engine/reconcile/apply/apply-object.ts'
import { OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const ROLE = 'tasks:\n  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: child } }\n'

describe('What is remembered of applied objects', () => {
  const { forgetOwner } = ObjectApplier.prototype
  const forgotten: string[] = []
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    forgotten.length = 0
    ObjectApplier.prototype.forgetOwner = function (this: ObjectApplier, uid?: string): void {
      if (uid) forgotten.push(uid)
      forgetOwner.call(this, uid)
    }
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(async () => {
    ObjectApplier.prototype.forgetOwner = forgetOwner
    await sandbox.stop()
  })

  it('goes with the resource, whichever client removes the objects', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    const { metadata } = await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.remove(WIDGET, 'w')
    const gone = await sandbox.until(
      async () => forgotten,
      (uids) => uids.length > 0,
    )
    expect(gone[0]).to.equal(metadata.uid)
  })
})
