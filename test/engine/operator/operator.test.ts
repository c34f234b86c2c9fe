import { expect } from 'chai'
import { CONFIG_MAP, crd, DEPLOYMENT, OperatorSandbox, projectOf, WIDGET } from '../../support/operator-sandbox.ts'

const SETTINGS = `
  - name: Settings
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: "\${spec.name ?? metadata.name}" }
      data: { size: "s\${spec.size}" }
`
const ROLE = `tasks:${SETTINGS}
  - name: Size
    status: { size: "\${spec.size}" }
`
const DEPLOYED = `
tasks:
  - name: Pods
    ensure:
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: "\${metadata.name}" }
      spec:
        replicas: \${spec.size}
        selector: { matchLabels: { app: "\${metadata.name}" } }
        template:
          metadata: { labels: { app: "\${metadata.name}" } }
          spec:
            containers:
              - { name: main, image: "nginx:1", env: [], resources: { requests: { cpu: 1000m } }, ports: [{containerPort: 80}] }
`

describe('Operator', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  it('makes what a role says with one write of each object and one of the status', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('w', { size: 3 })
    await sandbox.ready('Ready')
    expect(await sandbox.settled()).to.deep.equal(['apply ConfigMap default/w', 'patch Widget/status default/w'])
    expect((await sandbox.get(CONFIG_MAP, 'w'))?.data).to.deep.equal({ size: 's3' })
    const status = (await sandbox.get(WIDGET, 'w'))?.status as Record<string, unknown>
    expect([status.size, status.observedGeneration]).to.deep.equal([3, 1])
  })

  it('writes nothing after a restart, and asks for no child that its caches show', async () => {
    const project = await projectOf({ widget: DEPLOYED })
    sandbox.run(project)
    for (const name of ['a', 'b', 'c']) await sandbox.widget(name, { size: 1 })
    for (const name of ['a', 'b', 'c']) await sandbox.ready('NotReady', { name })
    await sandbox.settled()
    sandbox.reads.length = 0
    await sandbox.restart(project, { runs: 3 })
    expect(await sandbox.settled()).to.deep.equal([])
    expect(sandbox.reads.filter((read) => read.startsWith('Deployment'))).to.deep.equal([])
  })

  it('puts back what another client changed, once, and leaves alone what it added', async () => {
    sandbox.run(await projectOf({ widget: DEPLOYED }))
    await sandbox.widget('w', { size: 2 })
    await sandbox.ready('NotReady')
    await sandbox.settled()
    await sandbox.edit(DEPLOYMENT, 'w', { metadata: { labels: { theirs: 'x' } } })
    expect(await sandbox.settled()).to.deep.equal([])
    await sandbox.edit(DEPLOYMENT, 'w', { spec: { replicas: 5 } })
    const writes = await sandbox.settled()
    expect(writes.filter((write) => write.startsWith('apply'))).to.deep.equal(['apply Deployment default/w'])
    const deployment = await sandbox.get(DEPLOYMENT, 'w')
    expect(deployment?.spec).to.include({ replicas: 2 })
    expect(deployment?.metadata.labels).to.include({ theirs: 'x' })
  })

  it('makes again what another client deleted', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('w', { size: 1 })
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.remove(CONFIG_MAP, 'w')
    await sandbox.until(
      () => sandbox.get(CONFIG_MAP, 'w'),
      (object) => object !== undefined,
    )
    expect(await sandbox.settled()).to.deep.equal(['apply ConfigMap default/w'])
  })

  it('removes an object that the role names no more, after the new one is there', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('w', { size: 1 })
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.widget('w', { size: 1, name: 'other' })
    await sandbox.ready('Ready', { generation: 2 })
    expect(await sandbox.settled()).to.deep.equal([
      'apply ConfigMap default/other',
      'delete ConfigMap default/w',
      'patch Widget/status default/w',
    ])
  })

  it('removes children with their resource, without a write of its own', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('w', { size: 1 })
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.remove(WIDGET, 'w')
    await sandbox.gone(CONFIG_MAP, 'w')
    expect(await sandbox.settled()).to.deep.equal([])
    expect(sandbox.runs.at(-1)?.outcome).to.equal('gone')
  })

  it('runs nothing for its own status writes, and none for annotations that the role does not read', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('w', { size: 1 })
    await sandbox.ready('Ready')
    await sandbox.settled()
    const before = sandbox.runs.filter(({ outcome }) => outcome !== 'skipped').length
    await sandbox.edit(WIDGET, 'w', { status: { theirs: 1 } }, 'status')
    await sandbox.edit(WIDGET, 'w', { metadata: { annotations: { unread: 'x' } } })
    await sandbox.edit(CONFIG_MAP, 'w', { metadata: { annotations: { theirs: 'x' } } })
    await sandbox.settled()
    // The child changed, so the role ran once more; the resource's own status and an unread annotation ran nothing.
    expect(sandbox.runs.filter(({ outcome }) => outcome !== 'skipped').length - before).to.equal(1)
    expect(await sandbox.settled()).to.deep.equal([])
  })

  it('does nothing while a resource is paused, and goes on after', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('w', { size: 1 }, { annotations: { 'rolebook.dev/paused': 'true' } })
    await sandbox.ready('Paused')
    expect(await sandbox.settled()).to.deep.equal(['patch Widget/status default/w'])
    await sandbox.edit(WIDGET, 'w', { metadata: { annotations: { 'rolebook.dev/paused': null } } })
    await sandbox.ready('Ready')
    expect(await sandbox.settled()).to.deep.equal(['apply ConfigMap default/w', 'patch Widget/status default/w'])
  })

  it('runs a resource again when its annotation reconcile-at gets a new value', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('w', { size: 1 })
    await sandbox.ready('Ready')
    await sandbox.settled()
    const before = sandbox.runs.length
    await sandbox.edit(WIDGET, 'w', { metadata: { annotations: { 'rolebook.dev/reconcile-at': 'now' } } })
    await sandbox.settled()
    expect(sandbox.runs.slice(before).map(({ outcome }) => outcome)).to.deep.equal(['complete'])
  })

  it('starts to work on a kind as soon as its CRD comes, and says once that it is missing', async () => {
    const project = await projectOf({ widget: ROLE }, WATCH_TWO)
    sandbox.run(project)
    await sandbox.widget('w', { size: 1 })
    await sandbox.ready('Ready')
    await sandbox.cluster.install(crd({ group: 'late.example.com', version: 'v1', kind: 'Latecomer' }))
    const LATECOMER = { group: 'late.example.com', version: 'v1', kind: 'Latecomer' }
    await sandbox.apply({
      apiVersion: 'late.example.com/v1',
      kind: 'Latecomer',
      metadata: { name: 'l' },
      spec: { size: 2, name: 'late' },
    })
    await sandbox.ready('Ready', { gvk: LATECOMER, name: 'l' })
    const interruptions = sandbox.warnings.filter((warning) => warning.includes('interrupted'))
    expect(interruptions).to.have.lengthOf(1)
  })
})

const WATCH_TWO = `
- {group: example.com, version: v1, kind: Widget, role: widget}
- {group: late.example.com, version: v1, kind: Latecomer, role: widget}
`
