import { expect } from 'chai'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { clientWith } from '../../../support/client-with.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const FINALIZER = 'rolebook.dev/finalizer'
const WATCH = '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: {write: [other]}}\n'
const map = (name: string, rest = ''): string => `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}${rest}}`
const GATE = `get: ${map('gate').replace('metadata: {name: gate}', 'name: gate')}`

/** A role with a child of its own, which waits for `gate` when it is deleted. */
const ROLE = `
tasks:
  - ensure: ${map('child')}
finalize:
  - {name: Clean up, ensure: ${map('cleanup')}}
  - {name: Wait for the gate, ${GATE}}
`

describe('finalize', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    for (const name of ['default', 'other'])
      await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  })
  afterEach(() => sandbox.stop())

  const run = async (role: string) => sandbox.run(await projectOf({ widget: role }, WATCH))
  const begin = async (role: string): Promise<void> => {
    await run(role)
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
  }
  const gone = (): Promise<void> => sandbox.gone(WIDGET, 'w')
  const open = (): Promise<KubeObject> =>
    sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'gate' } })
  const names = async (namespace = 'default'): Promise<readonly string[]> =>
    (await sandbox.client.list(CONFIG_MAP, { namespace })).items
      .map(({ metadata }) => metadata.name ?? '')
      .filter((name) => !['kube-root-ca.crt', 'rolebook-ledger'].includes(name))

  it('puts the finalizer on before the first child', async () => {
    await run(ROLE)
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    const writes = await sandbox.settled()
    expect(writes.slice(0, 2)).to.deep.equal(['patch Widget default/w', 'apply ConfigMap default/child'])
    expect((await sandbox.get(WIDGET, 'w'))?.metadata.finalizers).to.deep.equal([FINALIZER])
    expect(await names()).to.deep.equal(['child'])
  })

  it('puts it on for a role that makes nothing', async () => {
    await begin(`tasks: [{set: {a: 1}}]\nfinalize: [{${GATE}}]`)
    expect((await sandbox.get(WIDGET, 'w'))?.metadata.finalizers).to.deep.equal([FINALIZER])
  })

  it('keeps the resource and its children while a task waits, and the condition says which', async () => {
    await begin(ROLE)
    await sandbox.remove(WIDGET, 'w')
    const { message } = await sandbox.ready('Deleting')
    expect(message).to.equal('task "Wait for the gate": ConfigMap default/gate does not exist')
    expect(await names()).to.deep.equal(['child', 'cleanup'])
    expect(await sandbox.condition('Stalled')).to.equal(undefined)
    await open()
    await gone()
  })

  it('makes objects with the mark of the owner and no owner reference, and removes them last', async () => {
    await begin(ROLE)
    await sandbox.remove(WIDGET, 'w')
    await sandbox.ready('Deleting')
    const { metadata } = (await sandbox.get(CONFIG_MAP, 'cleanup')) as KubeObject
    expect(metadata.ownerReferences).to.equal(undefined)
    expect(metadata.annotations).to.include({
      'rolebook.dev/finalize': 'true',
      'rolebook.dev/owner': 'Widget.example.com/default/w',
    })
    await sandbox.settled()
    await open()
    await gone()
    expect(await names()).to.not.include('cleanup')
    expect(await sandbox.settled()).to.deep.equal([
      'patch Widget default/w',
      'delete ConfigMap default/cleanup',
      'patch Widget default/w',
    ])
  })

  it('comes before other children that no owner reference reaches, which go before what it made', async () => {
    await begin(`
tasks:
  - {name: Far, ensure: ${map('far').replace('name: far', 'name: far, namespace: other')}}
  - {name: Kept, ensure: ${map('kept')}, retain: true}
finalize:
  - {name: Read, get: {apiVersion: v1, kind: ConfigMap, name: gate, namespace: default}}
  - {name: Clean up, ensure: ${map('cleanup')}}
`)
    await sandbox.remove(WIDGET, 'w')
    await sandbox.ready('Deleting')
    expect(await names('other')).to.deep.equal(['far'])
    await sandbox.settled()
    await open()
    await gone()
    expect(await sandbox.settled()).to.deep.equal([
      'apply ConfigMap default/cleanup',
      'patch Widget default/w',
      'patch ConfigMap default/kept',
      'delete ConfigMap other/far',
      'delete ConfigMap default/cleanup',
      'patch Widget default/w',
    ])
    expect(await names()).to.deep.equal(['gate', 'kept'])
  })

  it('does not run again among what is left, also after a restart', async () => {
    await begin(`
tasks:
  - {ensure: ${map('far').replace('name: far', 'name: far, namespace: other')}}
finalize:
  - {ensure: ${map('cleanup')}}
  - {get: {apiVersion: v1, kind: ConfigMap, name: gate}}
`)
    const held = { metadata: { finalizers: ['example.com/hold'] } }
    const key = { namespace: 'other', name: 'far' }
    await sandbox.client.patch(CONFIG_MAP, key, { type: 'merge', body: held }, { fieldManager: 'person' })
    await open()
    await sandbox.remove(WIDGET, 'w')
    const { message } = await sandbox.ready('Deleting')
    expect(message).to.equal('ConfigMap other/far is being deleted: finalizer example.com/hold is still set')
    await sandbox.settled()
    await sandbox.halt()
    // A run of the tasks would wait for it.
    await sandbox.remove(CONFIG_MAP, 'gate')
    await run(ROLE)
    expect(await sandbox.settled()).to.deep.equal([])
    const freed = { metadata: { finalizers: null } }
    await sandbox.client.patch(CONFIG_MAP, key, { type: 'merge', body: freed }, { fieldManager: 'person' })
    await gone()
    expect(await sandbox.settled()).to.deep.equal(['delete ConfigMap default/cleanup', 'patch Widget default/w'])
  })

  it('writes nothing after a restart while it waits', async () => {
    await begin(ROLE)
    await sandbox.remove(WIDGET, 'w')
    await sandbox.ready('Deleting')
    await sandbox.settled()
    await sandbox.halt()
    await run(ROLE)
    expect(await sandbox.settled()).to.deep.equal([])
    await open()
    await gone()
  })

  it('that fails for good keeps the resource, and says that it needs a person', async () => {
    await begin(
      `tasks: [{ensure: ${map('child')}}]\nfinalize: [{name: Never, fail: {message: the bucket is not empty}}]`,
    )
    await sandbox.remove(WIDGET, 'w')
    const { message } = await sandbox.ready('Deleting')
    expect(message).to.equal('task "Never": the bucket is not empty (roles/widget/role.yaml:2)')
    expect(await sandbox.condition('Stalled')).to.include({ status: 'True', reason: 'Failed', message })
    expect(await names()).to.deep.equal(['child'])
  })

  it('with a failure that is rescued lets the resource go', async () => {
    await begin(`
tasks: [{set: {a: 1}}]
finalize:
  - block:
      tasks: [{fail: {message: never}}]
      rescue: [{ensure: ${map('note')}, retain: true}]
`)
    await sandbox.remove(WIDGET, 'w')
    await gone()
    expect(await names()).to.deep.equal(['note'])
  })

  it('takes the place of what a live run made, and of its fields in foreign objects afterwards', async () => {
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'theirs' } })
    await begin(`
tasks:
  - {ensure: ${map('child', ', data: {phase: live}')}}
  - {patch: ${map('theirs', ', data: {used: "yes"}')}}
finalize:
  - {ensure: ${map('child', ', data: {phase: last}')}}
  - {get: {apiVersion: v1, kind: ConfigMap, name: theirs}, register: theirs}
  - {wait: {for: "\${$theirs.data.go = 'yes'}", message: not yet}}
  - {status: {saw: "\${$theirs.data.used}"}}
`)
    await sandbox.remove(WIDGET, 'w')
    await sandbox.ready('Deleting')
    const child = await sandbox.get(CONFIG_MAP, 'child')
    expect(child?.data).to.deep.equal({ phase: 'last' })
    expect(child?.metadata.ownerReferences).to.equal(undefined)
    expect((await sandbox.get(CONFIG_MAP, 'theirs'))?.data).to.deep.equal({ used: 'yes' })
    await sandbox.settled()
    await sandbox.edit(CONFIG_MAP, 'theirs', { data: { go: 'yes' } })
    await gone()
    expect(await sandbox.settled()).to.deep.equal([
      'patch Widget/status default/w',
      'patch Widget default/w',
      'apply ConfigMap default/theirs',
      'delete ConfigMap default/child',
      'patch Widget default/w',
    ])
    expect((await sandbox.get(CONFIG_MAP, 'theirs'))?.data).to.deep.equal({ go: 'yes' })
  })

  it('removes what it made, and nothing else, when the children are to stay', async () => {
    await begin(`tasks: [{ensure: ${map('child')}}]\nfinalize: [{ensure: ${map('cleanup')}}, {${GATE}}]`)
    await sandbox.client.delete(WIDGET, { namespace: 'default', name: 'w' }, { propagationPolicy: 'Orphan' })
    await sandbox.ready('Deleting')
    await open()
    await gone()
    expect(await names()).to.deep.equal(['child', 'gate'])
  })

  it('is left out when the resource leaves its selector', async () => {
    const selected =
      '- {group: example.com, version: v1, kind: Widget, role: widget, selector: {matchLabels: {use: "1"}}}\n'
    sandbox.run(await projectOf({ widget: ROLE }, selected))
    await sandbox.widget('w', {}, { labels: { use: '1' } })
    await sandbox.ready('Ready')
    await sandbox.edit(WIDGET, 'w', { metadata: { labels: { use: null } } })
    await sandbox.until(
      () => sandbox.get(WIDGET, 'w'),
      (widget) => widget?.metadata.finalizers === undefined,
    )
    await sandbox.settled()
    expect(await names()).to.deep.equal([])
  })

  it('is added by a reload, and taken away by one, also while it waits', async () => {
    const without = ROLE.slice(0, ROLE.indexOf('finalize:'))
    const operator = await run(without)
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
    expect((await sandbox.get(WIDGET, 'w'))?.metadata.finalizers).to.equal(undefined)
    operator.replaceProject(await projectOf({ widget: ROLE }, WATCH))
    await sandbox.until(
      () => sandbox.get(WIDGET, 'w'),
      (widget) => widget?.metadata.finalizers?.includes(FINALIZER) ?? false,
    )
    expect(await sandbox.settled()).to.deep.equal(['patch Widget default/w'])
    await sandbox.remove(WIDGET, 'w')
    await sandbox.ready('Deleting')
    await sandbox.settled()
    operator.replaceProject(await projectOf({ widget: without }, WATCH))
    await gone()
    expect(await sandbox.settled()).to.deep.equal(['delete ConfigMap default/cleanup', 'patch Widget default/w'])
  })

  it('counts what a namespace that is deleted takes no more as done, and waits for nothing of it', async () => {
    await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'doomed' } })
    await run(`
tasks: [{ensure: ${map('child')}}]
finalize:
  - {ensure: ${map('cleanup')}, waitReady: true, readyWhen: "\${$self.data.done = 'yes'}", register: cleanup}
  - {wait: {for: "\${$cleanup.data.done = 'yes'}", message: not cleaned up}}
  - {get: {apiVersion: v1, kind: ConfigMap, name: "\${$cleanup.data.result}"}, register: result}
  - {ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${$result.metadata.name}"}}}
  - {ensure: ${map('elsewhere').replace('name: elsewhere', 'name: elsewhere, namespace: other')}, retain: true}
`)
    await sandbox.widget('w', {}, { namespace: 'doomed' })
    await sandbox.until(
      () => names('doomed'),
      (present) => present.includes('child'),
    )
    await sandbox.client.delete({ group: '', version: 'v1', kind: 'Namespace' }, { namespace: '', name: 'doomed' })
    await sandbox.gone({ group: '', version: 'v1', kind: 'Namespace' }, 'doomed')
    expect(await names('other')).to.deep.equal(['elsewhere'])
  })

  it('says what is refused when it is put on, and makes nothing', async () => {
    const patch: typeof sandbox.client.patch = (gvk, key, body, options) =>
      gvk.kind === 'Widget' && options.subresource === undefined
        ? Promise.reject(new ApiError(422, 'Invalid', 'no finalizers here'))
        : sandbox.client.patch(gvk, key, body, options)
    sandbox.run(await projectOf({ widget: ROLE }, WATCH), { client: clientWith(sandbox.client, { patch }) })
    await sandbox.widget('w')
    const { message } = await sandbox.ready('Invalid')
    expect(message).to.equal('task "finalizer": no finalizers here')
    expect(await names()).to.deep.equal([])
  })
})
