import { expect } from 'chai'
import type { KubeClient } from '../../../../src/core/kube/client.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf } from '../../../support/operator-sandbox.ts'

describe('An object that has a name of ours', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  it('may go before its watch has begun: the name is taken all the same', async () => {
    let armed = true
    const plain = sandbox.client
    const remove = (): Promise<void> => sandbox.remove(CONFIG_MAP, 'taken')
    const client: KubeClient = {
      get: plain.get.bind(plain),
      list: plain.list.bind(plain),
      create: plain.create.bind(plain),
      apply: plain.apply.bind(plain),
      patch: plain.patch.bind(plain),
      delete: plain.delete.bind(plain),
      async *watch(gvk, options) {
        if (armed && gvk.kind === 'ConfigMap' && options.metadataOnly) {
          armed = false
          await remove()
        }
        yield* plain.watch(gvk, options)
      },
    }
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'taken' } })
    const role = 'tasks:\n  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: taken }, data: { a: b } }\n'
    sandbox.run(await projectOf({ widget: role }), { client })
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    expect([armed, (await sandbox.get(CONFIG_MAP, 'taken'))?.data]).to.deep.equal([false, { a: 'b' }])
  })
})
