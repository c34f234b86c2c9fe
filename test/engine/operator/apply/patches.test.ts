import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { CONFIG_MAP, DEPLOYMENT, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const ROLE = `
tasks:
  - name: Annotate
    patch:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: theirs, annotations: { color: "\${spec.color}" } }
      data: { added: "\${spec.color}" }
`
const NOTHING = 'tasks: [{name: Idle, status: {idle: true}}]\n'

const THEIRS: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'theirs' }, data: { own: 'x' } }

describe('patches of foreign objects', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  const theirs = async (): Promise<KubeObject> => (await sandbox.get(CONFIG_MAP, 'theirs')) as KubeObject
  const gone = (): Promise<void> => sandbox.gone(WIDGET, 'w')

  it('wait for the object, never create it, and set its fields when it comes', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('w', { color: 'red' })
    const { message } = await sandbox.ready('Waiting')
    expect(message).to.contain('ConfigMap default/theirs does not exist')
    expect(await sandbox.settled()).to.deep.equal(['patch Widget/status default/w'])
    await sandbox.apply(THEIRS)
    await sandbox.ready('Ready')
    expect((await theirs()).data).to.deep.equal({ own: 'x', added: 'red' })
    expect((await sandbox.get(WIDGET, 'w'))?.metadata.finalizers).to.deep.equal(['rolebook.dev/finalizer'])
  })

  it('follow the resource, and write nothing at rest or after a restart', async () => {
    const project = await projectOf({ widget: ROLE })
    await sandbox.apply(THEIRS)
    sandbox.run(project)
    await sandbox.widget('w', { color: 'red' })
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.widget('w', { color: 'blue' })
    await sandbox.ready('Ready', { generation: 2 })
    expect(await sandbox.settled()).to.deep.equal(['apply ConfigMap default/theirs', 'patch Widget/status default/w'])
    expect((await theirs()).data).to.deep.equal({ own: 'x', added: 'blue' })
    await sandbox.restart(project)
    expect(await sandbox.settled()).to.deep.equal([])
  })

  it('let go of the fields when the resource goes', async () => {
    await sandbox.apply(THEIRS)
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('w', { color: 'red' })
    await sandbox.ready('Ready')
    await sandbox.remove(WIDGET, 'w')
    await gone()
    const { data, metadata } = await theirs()
    expect(data).to.deep.equal({ own: 'x' })
    expect([metadata.labels, metadata.annotations]).to.deep.equal([undefined, undefined])
  })

  it('let go of the fields when the task goes, also while the operator was down', async () => {
    await sandbox.apply(THEIRS)
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('w', { color: 'red' })
    await sandbox.ready('Ready')
    await sandbox.halt()
    sandbox.run(await projectOf({ widget: NOTHING }))
    await sandbox.until(theirs, ({ metadata }) => metadata.labels === undefined)
    expect((await theirs()).data).to.deep.equal({ own: 'x' })
  })

  it('report a conflict with the field and its manager, change nothing, and go on when it is solved', async () => {
    await sandbox.apply({ ...THEIRS, data: { own: 'x', added: 'green' } }, 'rival')
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('w', { color: 'red' })
    const { message } = await sandbox.ready('Conflict')
    expect(message).to.contain('.data.added').and.to.contain('"rival"')
    expect((await sandbox.condition('Stalled'))?.reason).to.equal('FieldConflict')
    expect((await theirs()).data).to.deep.equal({ own: 'x', added: 'green' })
    await sandbox.apply(THEIRS, 'rival')
    await sandbox.ready('Ready')
    expect((await theirs()).data).to.deep.equal({ own: 'x', added: 'red' })
  })

  it('reach the status through its subresource', async () => {
    const role = `
tasks:
  - name: Report
    patch:
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: theirs }
      status: { replicas: 7 }
`
    const labels = { app: 'x' }
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } }
    const spec = { selector: { matchLabels: labels }, template }
    await sandbox.apply({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'theirs' }, spec })
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    const deployment = async (): Promise<KubeObject> => (await sandbox.get(DEPLOYMENT, 'theirs')) as KubeObject
    expect((await deployment()).status).to.include({ replicas: 7 })
    await sandbox.remove(WIDGET, 'w')
    await gone()
    expect(JSON.stringify(await deployment())).to.not.contain('rolebook')
  })
})
