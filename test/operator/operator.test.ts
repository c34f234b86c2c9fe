import { expect } from 'chai'
import { CONFIG_MAP, OperatorSandbox, projectOf } from '../support/operator-sandbox.ts'

const ROLE = `
tasks:
  - name: Settings
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: "\${metadata.name}" }
      data: { size: "\${$string(spec.size)}" }
  - name: Size
    status: { size: "\${spec.size}" }
`

describe('Operator', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start()
  })
  afterEach(() => sandbox.stop())

  it('makes what a role says with one write an object and one of the status', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('w', { size: 3 })
    await sandbox.ready('Ready')
    expect(await sandbox.settled()).to.deep.equal(['apply ConfigMap default/w', 'patch Widget/status default/w'])
    expect((await sandbox.get(CONFIG_MAP, 'w'))?.data).to.deep.equal({ size: '3' })
  })
})
