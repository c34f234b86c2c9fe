import { expect } from 'chai'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import type { WatchState } from '../../../src/engine/operator/operator.ts'
import type { Project } from '../../../src/engine/operator/project.ts'
import { OperatorHealth } from '../../../src/rolebook/cli/operator-health.ts'
import { OperatorAccount } from '../../support/operator-account.ts'
import { OperatorSandbox, projectOf, WIDGET } from '../../support/operator-sandbox.ts'

const MAKE = '  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${metadata.name}"}}\n'
const MAKE_SERVICE =
  '  - ensure: {apiVersion: v1, kind: Service, metadata: {name: "${metadata.name}"}, spec: {ports: [{port: 80}]}}\n'
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
    sandbox = await OperatorSandbox.start({ workloads: false, authorization: 'rbac', port: 0 })
    account = await OperatorAccount.create(sandbox)
  })
  afterEach(async () => {
    await sandbox.stop()
    await account.close()
  })

  const states = (): readonly WatchState[] => [...(sandbox.operator?.watches() ?? [])]
  const down = (): readonly string[] => states().flatMap(({ live, kind }) => (live ? [] : [kind]))
  /** The checks that fail, were each look at objects to have taken too long. */
  const failing = (): readonly string[] => {
    const late = states().map((state) => ({ ...state, blindFor: state.live ? 0 : 60_000 }))
    const health = new OperatorHealth(
      { isStarted: true, longestRun: 0, failing: [], reconciliationTimeout: 0, watches: () => late.values() },
      { isStarved: false },
    )
    return health.ready().flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`]))
  }

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
    await sandbox.gone(WIDGET, 'v')
    expect(sandbox.warnings.filter((text) => text.startsWith('cannot look for what a former role'))).to.have.lengthOf(1)
  })

  it('the operator is ready without what only the former role made', async () => {
    await narrow(await projectOf({ widget: role(MAKE + MAKE_SERVICE) }), await projectOf({ widget: role(MAKE) }))
    expect([down(), failing()]).to.deep.equal([['Service'], []])
  })

  it('the operator is ready without what another role still makes, but elsewhere', async () => {
    const watches =
      '- {group: example.com, version: v1, kind: Widget, role: widget, namespaces: [default]}\n' +
      '- {group: example.com, version: v1, kind: Gadget, role: gadget}\n'
    const widget = role(MAKE_SERVICE)
    const gadget = role(MAKE_SERVICE.replace('{name: ', '{namespace: default, name: '))
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' } })
    await narrow(
      await projectOf({ widget, gadget }, watches),
      await projectOf({ widget, gadget: 'finalize: [{set: {a: 1}}]\ntasks: [{set: {a: 1}}]\n' }, watches),
    )
    expect([down(), failing()]).to.deep.equal([['Service'], []])
  })

  it('the operator is not ready without what a role still makes', async () => {
    await account.grant(await projectOf({ widget: role(MAKE) }))
    sandbox.run(await projectOf({ widget: role(MAKE + MAKE_SERVICE) }), { client: account.client })
    await sandbox.widget('w')
    await sandbox.ready('Forbidden')
    expect([down(), failing()]).to.deep.equal([['Service'], ['watch-Service: its objects have not been seen yet']])
  })
})
