import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { CONFIG_MAP, GADGET, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const ROLE = `
tasks:
  - name: Settings
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: "\${spec.name}" }
      data: { from: "\${metadata.name}" }
`

function configMap(
  name: string,
  metadata: KubeObject['metadata'] = {},
  data: JsonObject = { theirs: 'x' },
): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data }
}

describe('ownership of objects', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  it('refuses a name that an object of another owner has, touches nothing, and takes it when it becomes free', async () => {
    const theirs = await sandbox.apply(configMap('taken'))
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('w', { name: 'taken' })
    await sandbox.ready('Conflict')
    expect((await sandbox.condition('Stalled'))?.reason).to.equal('NameCollision')
    // The apply can only create, so the server refuses it.
    const sent = ['apply ConfigMap default/taken', 'patch Widget/status default/w']
    expect(await sandbox.settled()).to.deep.equal(sent)
    expect((await sandbox.get(CONFIG_MAP, 'taken'))?.metadata.resourceVersion).to.equal(theirs.metadata.resourceVersion)
    await sandbox.remove(CONFIG_MAP, 'taken')
    await sandbox.ready('Ready')
    expect((await sandbox.get(CONFIG_MAP, 'taken'))?.data).to.deep.equal({ from: 'w' })
  })

  it('gives an object that two resources want to the first, names it to the second, and passes it on', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('first', { name: 'shared' })
    await sandbox.ready('Ready', { name: 'first' })
    await sandbox.widget('second', { name: 'shared' })
    const refusal = await sandbox.ready('Conflict', { name: 'second' })
    expect(refusal.message).to.contain('Widget default/first')
    await sandbox.settled()
    expect((await sandbox.get(CONFIG_MAP, 'shared'))?.data).to.deep.equal({ from: 'first' })
    await sandbox.remove(WIDGET, 'first')
    await sandbox.ready('Ready', { name: 'second' })
    expect((await sandbox.get(CONFIG_MAP, 'shared'))?.data).to.deep.equal({ from: 'second' })
  })

  it('takes over an object without a controller when the role says so', async () => {
    const theirs = await sandbox.apply(configMap('taken'))
    sandbox.run(await projectOf({ widget: ROLE.replace('- name: Settings', '- name: Settings\n    adopt: ifUnowned') }))
    await sandbox.widget('w', { name: 'taken' })
    await sandbox.ready('Ready')
    const adopted = await sandbox.get(CONFIG_MAP, 'taken')
    expect(adopted?.metadata.uid).to.equal(theirs.metadata.uid)
    expect(adopted?.data).to.deep.equal({ theirs: 'x', from: 'w' })
    expect(adopted?.metadata.ownerReferences).to.have.lengthOf(1)
  })

  it('is not fooled by labels and annotations that anybody can write', async () => {
    const widget = await sandbox.widget('w', { name: 'mine' })
    const labels = { 'rolebook.dev/owner-uid': widget.metadata.uid ?? '' }
    const annotations = { 'rolebook.dev/owner': 'Widget.example.com/default/w' }
    await sandbox.apply(configMap('mine', { labels, annotations }))
    await sandbox.apply(configMap('bystander', { labels, annotations }))
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.ready('Conflict')
    await sandbox.widget('w', { name: 'free' })
    await sandbox.ready('Ready', { generation: 2 })
    await sandbox.settled()
    expect((await sandbox.get(CONFIG_MAP, 'mine'))?.data).to.deep.equal({ theirs: 'x' })
    expect(await sandbox.get(CONFIG_MAP, 'bystander')).to.not.equal(undefined)
  })

  it('is not fooled by an owner reference that another client made', async () => {
    const widget = await sandbox.widget('w', { name: 'free' })
    const { uid = '' } = widget.metadata
    const reference = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid, controller: true }
    await sandbox.apply(
      configMap('bystander', { labels: { 'rolebook.dev/owner-uid': uid }, ownerReferences: [reference] }),
    )
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.ready('Ready')
    await sandbox.settled()
    expect(await sandbox.get(CONFIG_MAP, 'bystander')).to.not.equal(undefined)
  })

  it('refuses the children of another installation', async () => {
    const project = await projectOf({ widget: ROLE })
    sandbox.run(project)
    await sandbox.widget('w', { name: 'child' })
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.halt()
    await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'elsewhere' } })
    sandbox.run(project, { namespace: 'elsewhere' })
    const refusal = await sandbox.ready('Conflict')
    expect(refusal.message).to.contain('another installation')
    expect(await sandbox.settled()).to.deep.equal(['patch Widget/status default/w'])
  })

  it('puts the owner reference and the label back when another client removes them', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('w', { name: 'child' })
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.edit(CONFIG_MAP, 'child', { metadata: { ownerReferences: [] } })
    await sandbox.settled()
    expect((await sandbox.get(CONFIG_MAP, 'child'))?.metadata.ownerReferences).to.have.lengthOf(1)
    await sandbox.edit(CONFIG_MAP, 'child', { metadata: { labels: { 'rolebook.dev/owner-uid': null } } })
    await sandbox.settled()
    expect((await sandbox.get(CONFIG_MAP, 'child'))?.metadata.labels).to.have.property('rolebook.dev/owner-uid')
  })

  it('does not take the children of a resource that was deleted and made anew', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    const first = await sandbox.widget('w', { name: 'child' })
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.halt()
    await sandbox.remove(WIDGET, 'w')
    const second = await sandbox.widget('w', { name: 'child' })
    expect(second.metadata.uid).to.not.equal(first.metadata.uid)
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.ready('Ready')
    const child = await sandbox.get(CONFIG_MAP, 'child')
    expect(child?.metadata.ownerReferences?.map(({ uid }) => uid)).to.deep.equal([second.metadata.uid])
  })

  it('names both tasks when two of them write one object', async () => {
    const twice = `${ROLE}
  - name: Again
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${spec.name}" } }
`
    sandbox.run(await projectOf({ widget: twice }))
    await sandbox.widget('w', { name: 'child' })
    const { message } = await sandbox.ready('Failed')
    expect(message).to.contain('"Settings"').and.to.contain('"Again"')
  })

  it('refuses a name that is none before any request', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('w', { name: '../secrets/x' })
    await sandbox.ready('Invalid')
    expect(sandbox.reads.filter((read) => read.startsWith('ConfigMap ') && !read.endsWith('ledger'))).to.deep.equal([])
  })
})

const ELSEWHERE = `
order: sequential
tasks:
  - name: Local
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: local } }
  - name: Remote
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: remote, namespace: "\${spec.where}" } }
`
const ALLOWED = '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: [shared]}\n'

describe('children that no owner reference reaches', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shared' } })
  })
  afterEach(() => sandbox.stop())

  it('have a finalizer before them, and are deleted and seen gone before it goes', async () => {
    sandbox.run(await projectOf({ widget: ELSEWHERE }, ALLOWED))
    await sandbox.widget('w', { where: 'shared' })
    await sandbox.ready('Ready')
    expect(await sandbox.settled()).to.deep.equal([
      'apply ConfigMap default/local',
      'patch Widget default/w',
      'apply ConfigMap shared/remote',
      'patch Widget/status default/w',
    ])
    expect((await sandbox.get(CONFIG_MAP, 'remote', 'shared'))?.metadata.ownerReferences).to.equal(undefined)
    await sandbox.remove(WIDGET, 'w')
    await sandbox.gone(WIDGET, 'w')
    expect(await sandbox.get(CONFIG_MAP, 'remote', 'shared')).to.equal(undefined)
    const writes = (await sandbox.settled()).filter((write) => !write.includes('status'))
    expect(writes).to.deep.equal(['patch Widget default/w', 'delete ConfigMap shared/remote', 'patch Widget default/w'])
  })

  it('hold the resource while something holds them, and the condition says what', async () => {
    sandbox.run(await projectOf({ widget: ELSEWHERE }, ALLOWED))
    await sandbox.widget('w', { where: 'shared' })
    await sandbox.ready('Ready')
    const key = { namespace: 'shared', name: 'remote' }
    const held = { metadata: { finalizers: ['example.com/hold'] } }
    await sandbox.client.patch(CONFIG_MAP, key, { type: 'merge', body: held }, { fieldManager: 'person' })
    await sandbox.remove(WIDGET, 'w')
    const { message } = await sandbox.ready('Deleting')
    expect(message).to.contain('ConfigMap shared/remote')
    const free = { metadata: { finalizers: [] } }
    await sandbox.client.patch(CONFIG_MAP, key, { type: 'merge', body: free }, { fieldManager: 'person' })
    await sandbox.gone(WIDGET, 'w')
  })

  it('are refused in a namespace that the entry does not allow, before any request', async () => {
    sandbox.run(await projectOf({ widget: ELSEWHERE }, ALLOWED))
    await sandbox.widget('w', { where: 'kube-system' })
    const { message } = await sandbox.ready('Forbidden')
    expect(message).to.contain('kube-system').and.to.contain('allowedNamespaces')
    expect(sandbox.reads).to.not.include('ConfigMap remote')
    const { metadata } = (await sandbox.get(WIDGET, 'w')) as KubeObject
    expect(metadata.finalizers).to.equal(undefined)
  })

  it('belong to a cluster-scoped resource by owner reference, wherever they are', async () => {
    const watches = '- {group: example.com, version: v1, kind: Gadget, role: gadget}\n'
    sandbox.run(
      await projectOf({ gadget: ELSEWHERE.replace('name: local', 'name: local, namespace: default') }, watches),
    )
    await sandbox.apply({
      apiVersion: 'example.com/v1',
      kind: 'Gadget',
      metadata: { name: 'g' },
      spec: { where: 'shared' },
    })
    await sandbox.ready('Ready', { gvk: GADGET, name: 'g' })
    const remote = await sandbox.get(CONFIG_MAP, 'remote', 'shared')
    expect(remote?.metadata.ownerReferences?.map(({ kind }) => kind)).to.deep.equal(['Gadget'])
    expect((await sandbox.get(GADGET, 'g'))?.metadata.finalizers).to.equal(undefined)
  })

  it('stay without our marks when they are retained', async () => {
    const role = ELSEWHERE.replace('- name: Local', '- name: Local\n    retain: true')
    sandbox.run(await projectOf({ widget: role }, ALLOWED))
    await sandbox.widget('w', { where: 'shared' })
    await sandbox.ready('Ready')
    expect((await sandbox.get(CONFIG_MAP, 'local'))?.metadata.ownerReferences).to.equal(undefined)
    await sandbox.remove(WIDGET, 'w')
    await sandbox.gone(WIDGET, 'w')
    const kept = (await sandbox.get(CONFIG_MAP, 'local')) as KubeObject
    expect(JSON.stringify({ ...kept.metadata, managedFields: [] })).to.not.contain('rolebook.dev')
  })
})
