import { expect } from 'chai'
import type { Project } from '../../src/config/project.ts'
import type { KubeObject } from '../../src/kube/object.ts'
import { OperatorAccount } from '../support/operator-account.ts'
import { OperatorSandbox, projectOf, WIDGET } from '../support/operator-sandbox.ts'

const MAKE = '  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${metadata.name}"}}\n'
const PATCH_SERVICE = '  - patch: {apiVersion: v1, kind: Service, metadata: {name: theirs, labels: {touched: "yes"}}}\n'
const SERVICE: KubeObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'theirs' },
  spec: { ports: [{ port: 80 }] },
}
/** Its finalizer is needed before and after. */
const role = (tasks: string): string => `tasks:\n${tasks}finalize: [{set: {a: 1}}]\n`

describe('Once a role needs less, and the rights are narrowed', () => {
  let sandbox: OperatorSandbox
  let account: OperatorAccount
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false, authorization: 'rbac' })
    account = await OperatorAccount.create(sandbox)
  })
  afterEach(async () => {
    await sandbox.stop()
    await account.close()
  })

  /** Changes the role before the rights, as is documented, and starts anew. */
  async function narrow(before: Project, after: Project): Promise<void> {
    await account.grant(before)
    const operator = sandbox.run(before, { client: account.client })
    for (const name of ['v', 'w']) await sandbox.widget(name)
    for (const name of ['v', 'w']) await sandbox.ready('Ready', { name })
    await sandbox.settled()
    operator.replaceProject(after)
    await sandbox.settled()
    await account.grant(after)
    await sandbox.restart(after, { client: account.client, runs: 2 })
    await sandbox.settled()
  }

  it('resources whose role patched something stay ready, and can be deleted', async () => {
    await sandbox.apply(SERVICE)
    await narrow(await projectOf({ widget: role(MAKE + PATCH_SERVICE) }), await projectOf({ widget: role(MAKE) }))
    expect(sandbox.runs.map(({ outcome }) => outcome)).to.not.include('failed')
    await sandbox.remove(WIDGET, 'v')
    await sandbox.until(
      () => sandbox.get(WIDGET, 'v'),
      (widget) => widget === undefined,
    )
    expect(sandbox.warnings.filter((text) => text.startsWith('cannot look for what a former role'))).to.have.lengthOf(1)
  })
})
