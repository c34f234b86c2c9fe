import { expect } from 'chai'
import type { KubeObject } from '../../src/kube/object.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../support/operator-sandbox.ts'

const ROLE = `
tasks:
  - name: Settings
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}" }, data: { by: one } }
  - name: Foreign
    patch: { apiVersion: v1, kind: ConfigMap, metadata: { name: foreign }, data: { by: "\${metadata.name}" } }
`
const OTHER = `
tasks:
  - name: Settings
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}" }, data: { by: two } }
`
const SELECTED =
  '- {group: example.com, version: v1, kind: Widget, role: widget, selector: {matchLabels: {tier: one}}}\n'
const BOTH = `${SELECTED}- {group: example.com, version: v1, kind: Widget, role: other, selector: {matchLabels: {tier: two}}}\n`

describe('A resource and the selectors of the watches', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'foreign' }, data: { own: 'x' } })
  })
  afterEach(() => sandbox.stop())

  const child = async (): Promise<KubeObject | undefined> => sandbox.get(CONFIG_MAP, 'w')
  const relabel = (tier: string | null): Promise<unknown> =>
    sandbox.edit(WIDGET, 'w', { metadata: { labels: { tier } } })

  async function expectTornDown(): Promise<void> {
    await sandbox.until(
      () => sandbox.get(WIDGET, 'w'),
      (widget) => (widget?.metadata.finalizers ?? []).length === 0,
    )
    expect(await child()).to.equal(undefined)
    expect((await sandbox.get(CONFIG_MAP, 'foreign'))?.data).to.deep.equal({ own: 'x' })
  }

  it('is looked after only while one selects it', async () => {
    sandbox.run(await projectOf({ widget: ROLE }, SELECTED))
    await sandbox.widget('w', {}, { labels: { tier: 'none' } })
    await sandbox.settled()
    expect(await child()).to.equal(undefined)
    await relabel('one')
    await sandbox.ready('Ready')
    expect((await child())?.data).to.deep.equal({ by: 'one' })
  })

  it('is torn down when it leaves', async () => {
    sandbox.run(await projectOf({ widget: ROLE }, SELECTED))
    await sandbox.widget('w', {}, { labels: { tier: 'one' } })
    await sandbox.ready('Ready')
    await relabel(null)
    await expectTornDown()
  })

  it('is torn down when it left while the operator was away', async () => {
    const project = await projectOf({ widget: ROLE }, SELECTED)
    sandbox.run(project)
    await sandbox.widget('w', {}, { labels: { tier: 'one' } })
    await sandbox.ready('Ready')
    await sandbox.halt()
    await relabel(null)
    sandbox.run(project)
    await expectTornDown()
  })

  it('keeps its children when its labels move it to another entry', async () => {
    sandbox.run(await projectOf({ widget: ROLE, other: OTHER }, BOTH))
    await sandbox.widget('w', {}, { labels: { tier: 'one' } })
    await sandbox.ready('Ready')
    const before = await child()
    await relabel('two')
    const after = await sandbox.until(child, (object) => JSON.stringify(object?.data) === '{"by":"two"}')
    expect(after?.metadata.uid).to.equal(before?.metadata.uid)
    await sandbox.settled()
    expect((await sandbox.get(CONFIG_MAP, 'foreign'))?.data).to.deep.equal({ own: 'x' })
  })
})

describe('Operator.replaceProject', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  const simple = (data: string, extra = ''): string => `
tasks:
  - name: Settings
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}" }, data: { by: ${data} } }${extra}
`

  it('brings a changed role to every resource, with one write each and none for the rest', async () => {
    const operator = sandbox.run(await projectOf({ widget: simple('one') }))
    for (const name of ['a', 'b']) await sandbox.widget(name)
    for (const name of ['a', 'b']) await sandbox.ready('Ready', { name })
    await sandbox.settled()
    expect(operator.replaceProject(await projectOf({ widget: simple('two') }))).to.deep.equal({ kind: 'replaced' })
    expect([...(await sandbox.settled())].sort()).to.deep.equal([
      'apply ConfigMap default/a',
      'apply ConfigMap default/b',
    ])
    operator.replaceProject(await projectOf({ widget: simple('two') }))
    const runs = sandbox.runs.length
    await sandbox.settled()
    expect(sandbox.runs.length).to.equal(runs)
  })

  it('removes what the new role does not make any more', async () => {
    const extra = '\n  - ensure: { apiVersion: v1, kind: Secret, metadata: { name: extra } }'
    const operator = sandbox.run(await projectOf({ widget: simple('one', extra) }))
    await sandbox.widget('a')
    await sandbox.ready('Ready', { name: 'a' })
    await sandbox.settled()
    operator.replaceProject(await projectOf({ widget: simple('one') }))
    expect(await sandbox.settled()).to.deep.equal(['delete Secret default/extra'])
  })

  it('removes also after a restart what only a former role made: the ledger knows its kind', async () => {
    const extra = '\n  - ensure: { apiVersion: v1, kind: Secret, metadata: { name: extra } }'
    sandbox.run(await projectOf({ widget: simple('one', extra) }))
    await sandbox.widget('a')
    await sandbox.ready('Ready', { name: 'a' })
    await sandbox.settled()
    await sandbox.halt()
    sandbox.runs.length = 0
    sandbox.run(await projectOf({ widget: simple('one') }))
    await sandbox.until(
      async () => sandbox.runs.length,
      (count) => count > 0,
    )
    expect(await sandbox.settled()).to.deep.equal(['delete Secret default/extra'])
  })

  it('starts and stops watches without disturbing the others', async () => {
    const gadgets = '- {group: example.com, version: v1, kind: Gadget, role: gadget}\n'
    const widgets = '- {group: example.com, version: v1, kind: Widget, role: widget}\n'
    const role = 'tasks: [{name: Show, status: {seen: true}}]\n'
    const operator = sandbox.run(await projectOf({ widget: simple('one') }, widgets))
    await sandbox.widget('a')
    await sandbox.ready('Ready', { name: 'a' })
    await sandbox.settled()
    operator.replaceProject(await projectOf({ widget: simple('one'), gadget: role }, widgets + gadgets))
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' }, spec: {} })
    await sandbox.until(
      async () => sandbox.runs.some(({ request }) => request.kind === 'Gadget'),
      (ran) => ran,
    )
    expect((await sandbox.settled()).filter((write) => write.includes('/a'))).to.deep.equal([])
    operator.replaceProject(await projectOf({ widget: simple('one') }, widgets))
    const runs = sandbox.runs.length
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'h' }, spec: {} })
    await sandbox.settled()
    expect(sandbox.runs.length).to.equal(runs)
  })

  it('restarts a watch whose settings have changed, and writes nothing for that', async () => {
    const watch = '- {group: example.com, version: v1, kind: Widget, role: widget, maxConcurrentReconciles: 2}\n'
    const operator = sandbox.run(await projectOf({ widget: simple('one') }))
    await sandbox.widget('a')
    await sandbox.ready('Ready', { name: 'a' })
    await sandbox.settled()
    operator.replaceProject(await projectOf({ widget: simple('one') }, watch))
    await sandbox.settled()
    await sandbox.widget('b')
    await sandbox.ready('Ready', { name: 'b' })
    expect(await sandbox.settled()).to.deep.equal(['apply ConfigMap default/b', 'patch Widget/status default/b'])
  })

  it('refuses to tear down what exists, unless that is allowed', async () => {
    const operator = sandbox.run(await projectOf({ widget: simple('one') }))
    await sandbox.widget('a')
    await sandbox.ready('Ready', { name: 'a' })
    await sandbox.settled()
    const result = operator.replaceProject(await projectOf({ widget: simple('one') }, SELECTED))
    expect(result.kind).to.equal('refused')
    expect(JSON.stringify(result)).to.contain('1 existing resources').and.to.contain('default/a')
    expect(await sandbox.settled()).to.deep.equal([])
  })

  it('says which resources keep a finalizer when their kind is not watched any more', async () => {
    const role = `tasks: [{name: Kept, retain: true, ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: kept}}}]\n`
    const gadgets = '- {group: example.com, version: v1, kind: Gadget, role: gadget}\n'
    const operator = sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('a')
    await sandbox.ready('Ready', { name: 'a' })
    operator.replaceProject(await projectOf({ gadget: 'tasks: [{name: Show, status: {seen: true}}]\n' }, gadgets))
    expect(sandbox.warnings.join()).to.contain('keep a finalizer')
  })
})
