import { expect } from 'chai'
import { GADGET, OperatorSandbox, projectOf } from '../../../support/operator-sandbox.ts'

const STATUS = 'tasks:\n  - status: { name: "${metadata.name}" }\n'
const OWNS = `
tasks:
  - ensure: { apiVersion: example.com/v1, kind: Gadget, metadata: { name: "of-\${metadata.name}" }, spec: {} }
`

describe('a cluster-scoped kind that is watched', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  for (const { name, watch = '', watchNamespaces } of [
    { name: 'is reconciled although the operator is limited to namespaces', watchNamespaces: ['default', 'other'] },
    { name: 'is reconciled although its entry names namespaces', watch: ', namespaces: [default, other]' },
  ]) {
    it(name, async () => {
      const watches = `- {group: example.com, version: v1, kind: Gadget, role: gadget${watch}}\n`
      sandbox.run(await projectOf({ gadget: STATUS }, watches), { watchNamespaces })
      await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' }, spec: {} })
      await sandbox.ready('Ready', { gvk: GADGET, name: 'g' })
      expect(await sandbox.settled()).to.deep.equal(['patch Gadget/status g'])
      expect(sandbox.warnings).to.deep.equal([])
    })
  }

  it('may own another cluster-scoped object in a confined operator', async () => {
    const watches =
      '- {group: example.com, version: v1, kind: Gadget, role: gadget, selector: {matchLabels: {own: "yes"}}}\n'
    sandbox.run(await projectOf({ gadget: OWNS }, watches), { watchNamespaces: ['default'] })
    const metadata = { name: 'g', labels: { own: 'yes' } }
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata, spec: {} })
    await sandbox.ready('Ready', { gvk: GADGET, name: 'g' })
    await sandbox.settled()
    expect(await sandbox.get(GADGET, 'of-g')).to.be.an('object')
  })

  it('owns, patches and reads cluster-scoped objects whose manifests give a namespace, as many in the world do', async () => {
    const role = `
tasks:
  - ensure: { apiVersion: example.com/v1, kind: Gadget, metadata: { name: of-g, namespace: default }, spec: {} }
  - patch: { apiVersion: example.com/v1, kind: Gadget, metadata: { name: other, namespace: default, labels: { seen: "yes" } } }
  - get: { apiVersion: example.com/v1, kind: Gadget, name: other, namespace: default }
    register: read
  - status: { seen: "\${$read.metadata.labels.seen}" }
`
    const watches =
      '- {group: example.com, version: v1, kind: Gadget, role: gadget, selector: {matchLabels: {own: "yes"}}}\n'
    sandbox.run(await projectOf({ gadget: role }, watches))
    const gadget = (name: string, labels = {}): Promise<unknown> =>
      sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name, labels }, spec: {} })
    await gadget('other', { of: 'somebody' })
    await gadget('g', { own: 'yes' })
    await sandbox.ready('Ready', { gvk: GADGET, name: 'g' })
    expect((await sandbox.get(GADGET, 'g'))?.status).to.include({ seen: 'yes' })
    expect((await sandbox.get(GADGET, 'of-g'))?.metadata).not.to.have.property('namespace')
    await sandbox.settled()
    expect(await sandbox.settled(), 'writes at rest').to.deep.equal([])
  })

  it('waits until a cluster-scoped object of another owner is gone', async () => {
    const watches =
      '- {group: example.com, version: v1, kind: Gadget, role: gadget, selector: {matchLabels: {own: "yes"}}}\n'
    sandbox.run(await projectOf({ gadget: OWNS }, watches))
    const gadget = (name: string, labels = {}): Promise<unknown> =>
      sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name, labels }, spec: {} })
    await gadget('of-g')
    await gadget('g', { own: 'yes' })
    await sandbox.ready('Conflict', { gvk: GADGET, name: 'g' })
    await sandbox.remove(GADGET, 'of-g')
    await sandbox.ready('Ready', { gvk: GADGET, name: 'g' })
  })
})
