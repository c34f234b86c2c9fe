import { expect } from 'chai'
import { getPath } from '../../../../src/core/base/json.ts'
import { DEPLOYMENT, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const role = (handOver: string): string => `
tasks:
  - ensure:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, labels: {tier: "\${spec.tier}"}}
      spec:
        replicas: \${spec.size}
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: web, image: "web:1"}]}
    readyWhen: true
    ${handOver}
`
const ROLE = role('handOver: [spec.replicas]')

describe('handOver', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  const begin = async (text = ROLE) => {
    const operator = sandbox.run(await projectOf({ widget: text }))
    await sandbox.widget('w', { size: 2, tier: 'a' })
    await sandbox.ready('Ready')
    await sandbox.settled()
    return operator
  }
  const scale = async (replicas: number, fieldManager = 'autoscaler'): Promise<unknown> => {
    const patch = { type: 'merge', body: { spec: { replicas } } } as const
    return sandbox.client.patch(DEPLOYMENT, { namespace: 'default', name: 'web' }, patch, {
      fieldManager,
      subresource: 'scale',
    })
  }
  const replicas = async (): Promise<unknown> => getPath(await sandbox.get(DEPLOYMENT, 'web'), ['spec', 'replicas'])
  const until = (count: number): Promise<unknown> => sandbox.until(replicas, (seen) => seen === count)

  it('sets the field first, and leaves it to who scales afterwards, without a write', async () => {
    await begin()
    expect(await replicas()).to.equal(2)
    for (const count of [5, 6]) {
      await scale(count)
      expect(await sandbox.settled()).to.deep.equal([])
      expect(await replicas()).to.equal(count)
    }
  })

  it('asks the server once for each change of what was handed over, not for others', async () => {
    await begin()
    await scale(5)
    await sandbox.settled()
    sandbox.reads.length = 0
    await sandbox.edit(DEPLOYMENT, 'web', { metadata: { labels: { note: 'x' } } })
    await sandbox.settled()
    expect(sandbox.reads).to.deep.equal([])
    await scale(7)
    await sandbox.settled()
    expect(sandbox.reads).to.deep.equal(['Deployment web'])
  })

  it('leaves it out of an apply that something else calls for', async () => {
    await begin()
    await scale(5)
    await sandbox.settled()
    await sandbox.widget('w', { size: 3, tier: 'b' })
    await sandbox.until(
      () => sandbox.get(DEPLOYMENT, 'web'),
      (web) => web?.metadata.labels?.tier === 'b',
    )
    expect(await replicas()).to.equal(5)
    expect(await sandbox.settled()).to.include('apply Deployment default/web')
    expect(await sandbox.settled()).to.deep.equal([])
  })

  it('writes nothing after a restart', async () => {
    await begin()
    await scale(5)
    await sandbox.settled()
    await sandbox.halt()
    sandbox.run(await projectOf({ widget: ROLE }))
    expect(await sandbox.settled()).to.deep.equal([])
    expect(await replicas()).to.equal(5)
  })

  it('is over when the field is no longer listed', async () => {
    const operator = await begin()
    await scale(5)
    await sandbox.settled()
    operator.replaceProject(await projectOf({ widget: role('handOver: []') }))
    await until(2)
  })

  it('is over when the other lets go', async () => {
    await begin()
    const head = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'default' } }
    const options = { fieldManager: 'other', force: true }
    await sandbox.client.apply({ ...head, spec: { replicas: 9 } }, options)
    await sandbox.settled()
    expect(await replicas()).to.equal(9)
    await sandbox.client.apply(head, options)
    await until(2)
  })

  it('may be made of expressions', async () => {
    await begin(role("handOver: \"${spec.tier = 'a' ? ['spec.replicas'] : []}\""))
    await scale(5)
    await sandbox.settled()
    expect(await replicas()).to.equal(5)
    await sandbox.edit(WIDGET, 'w', { spec: { tier: 'b' } })
    await until(2)
  })

  it('puts other fields back all the same, and leaves the handed-over one alone', async () => {
    await begin()
    await scale(5)
    await sandbox.settled()
    await sandbox.edit(DEPLOYMENT, 'web', { metadata: { labels: { tier: 'z' } } })
    await sandbox.until(
      () => sandbox.get(DEPLOYMENT, 'web'),
      (web) => web?.metadata.labels?.tier === 'a',
    )
    expect(await replicas()).to.equal(5)
  })
})
