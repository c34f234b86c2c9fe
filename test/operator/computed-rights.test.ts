import { expect } from 'chai'
import type { Project } from '../../src/config/project.ts'
import type { Connection } from '../../src/kube-client/connect.ts'
import { explainPath, explainRoute, PROOF_HEADER, proofOf } from '../../src/operator/explain-route.ts'
import type { OperatorOptions } from '../../src/operator/operator.ts'
import type { ResourceHistory } from '../../src/reconcile/run-history.ts'
import { connectWithRights } from '../support/computed-rights.ts'
import { OperatorSandbox, projectOf, WIDGET } from '../support/operator-sandbox.ts'

describe('D1: an operator that has the computed rights and no more', function () {
  this.timeout(60_000)
  let sandbox: OperatorSandbox
  let connection: Connection | undefined
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false, authorization: 'rbac' })
  })
  afterEach(async () => {
    await sandbox.halt()
    await connection?.close()
    connection = undefined
    await sandbox.stop()
  })

  async function run(project: Project): Promise<Connection> {
    connection = await connectWithRights(sandbox.cluster, project)
    const { client, mapper, openApi }: Pick<OperatorOptions, 'client' | 'mapper' | 'openApi'> = connection
    sandbox.run(project, { client, mapper, openApi })
    return connection
  }

  it('explains what it did to who has read the resource', async () => {
    const { client } = await run(await projectOf({ widget: 'tasks: [{set: {a: 1}}]\n' }))
    const resource = await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
    const history = sandbox.operator?.history ?? { of: () => undefined }
    const answer = await explainRoute({ history, client, leads: () => true }).handle({
      path: explainPath(WIDGET, { namespace: 'default', name: 'w' }),
      query: new URLSearchParams(),
      signal: new AbortController().signal,
      header: (name) => (name === PROOF_HEADER ? proofOf(resource) : undefined),
    })
    expect([answer.status, answer.body]).to.deep.include(200)
    expect((JSON.parse(answer.body) as ResourceHistory).runs).to.have.length.above(0)
  })
})
