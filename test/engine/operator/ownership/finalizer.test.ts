import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const FINALIZER = 'rolebook.dev/finalizer'
const FAR = 'ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: far, namespace: other } }'
const WATCH = '- {group: example.com, version: v1, kind: Widget, role: widget'
const ALLOWED = `${WATCH}, allowedNamespaces: {write: [other]}}\n`

const cases: { name: string; task: string }[] = [
  { name: 'a child in another namespace', task: FAR },
  {
    name: 'a child that is retained',
    task: 'ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: near } }\n    retain: true',
  },
  { name: 'a patch', task: 'patch: { apiVersion: v1, kind: ConfigMap, metadata: { name: theirs }, data: { a: b } }' },
]

describe('the finalizer', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } })
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'theirs' } })
  })
  afterEach(() => sandbox.stop())

  const gone = (): Promise<void> => sandbox.gone(WIDGET, 'w')
  const finalizers = async (): Promise<readonly string[] | undefined> =>
    (await sandbox.get(WIDGET, 'w'))?.metadata.finalizers

  for (const { name, task } of cases) {
    it(`comes back when another client takes it from a resource with ${name}, and costs nothing else`, async () => {
      sandbox.run(await projectOf({ widget: `tasks:\n  - ${task}\n` }, ALLOWED))
      await sandbox.widget('w')
      await sandbox.ready('Ready')
      await sandbox.settled()
      const stripped: JsonObject = { metadata: { finalizers: null } }
      await sandbox.edit(WIDGET, 'w', stripped)
      await sandbox.until(finalizers, (present) => present?.includes(FINALIZER) ?? false)
      expect(await sandbox.settled()).to.deep.equal(['patch Widget default/w'])
      const runs = sandbox.runs.length
      expect(sandbox.runs.filter(({ outcome }) => outcome === 'complete')).to.have.lengthOf(2)
      await sandbox.settled()
      expect(sandbox.runs).to.have.lengthOf(runs)
    })
  }

  it('that came back still removes what the garbage collector cannot reach', async () => {
    sandbox.run(await projectOf({ widget: `tasks:\n  - ${FAR}\n` }, ALLOWED))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.edit(WIDGET, 'w', { metadata: { finalizers: null } })
    await sandbox.until(finalizers, (present) => present?.includes(FINALIZER) ?? false)
    await sandbox.remove(WIDGET, 'w')
    await gone()
    expect(await sandbox.get(CONFIG_MAP, 'far', 'other')).to.equal(undefined)
  })

  it('stays while a child is in a namespace that is not allowed any more, and the condition names the child', async () => {
    const role = { widget: `tasks:\n  - when: \${spec.far}\n    ${FAR}\n` }
    const operator = sandbox.run(await projectOf(role, ALLOWED))
    await sandbox.widget('w', { far: true })
    await sandbox.ready('Ready')
    await sandbox.settled()
    operator.replaceProject(await projectOf(role, `${WATCH}}\n`))
    await sandbox.settled()
    await sandbox.remove(WIDGET, 'w')
    const { message } = await sandbox.ready('Deleting')
    expect(message).to.contain('ConfigMap other/far').and.to.contain('allowedNamespaces.write')
    await sandbox.client.delete(CONFIG_MAP, { namespace: 'other', name: 'far' })
    await gone()
  })
})
