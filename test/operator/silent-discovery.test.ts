import { OperatorSandbox, projectOf } from '../support/operator-sandbox.ts'

describe('A confined operator whose server does not answer discovery', () => {
  it('stops when it is told to', async () => {
    const sandbox = await OperatorSandbox.start({ workloads: false })
    const { mapper } = sandbox.cluster.connection
    const silent = {
      mappingFor: () => new Promise<never>(() => undefined),
      preferred: () => mapper.preferred({ group: '', kind: 'Pod' }),
      refresh: () => mapper.refresh(),
    }
    const project = await projectOf({ widget: 'tasks:\n  - status: { a: b }\n' })
    sandbox.run(project, { mapper: silent, watchNamespaces: ['default'] })
    await sandbox.stop()
  })
})
