import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { CONFIG_MAP, DEPLOYMENT, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const map = (name: string): string => `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}`
const WATCH = '- {group: example.com, version: v1, kind: Widget, role: widget'

let sandbox: OperatorSandbox
const start = async (): Promise<void> => {
  sandbox = await OperatorSandbox.start({ workloads: false })
}
const stop = (): Promise<void> => sandbox.stop()

/** Names of the ConfigMaps that the engine has made, as far as the role of a test says. */
async function made(...names: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(names.map((name) => sandbox.get(CONFIG_MAP, name)))
  return found.flatMap((object) => object?.metadata.name ?? [])
}

describe('what a run makes and removes', () => {
  beforeEach(start)
  afterEach(stop)

  it('is what the entry says to which labels have moved the resource', async () => {
    const selecting = (role: string, tier: string): string =>
      `- {group: example.com, version: v1, kind: Widget, role: ${role}, selector: {matchLabels: {tier: ${tier}}}}\n`
    const one = `tasks: [{ensure: ${map('shared')}}, {ensure: ${map('former')}}]\n`
    const two = `tasks: [{ensure: ${map('shared')}}, {ensure: ${map('later')}}]\n`
    sandbox.run(await projectOf({ one, two }, selecting('one', 'a') + selecting('two', 'b')))
    await sandbox.widget('w', {}, { labels: { tier: 'a' } })
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.edit(WIDGET, 'w', { metadata: { labels: { tier: 'b' } } })
    await sandbox.until(
      () => made('later', 'former'),
      (names) => names.join() === 'later',
    )
    expect(await sandbox.settled()).to.deep.equal(['apply ConfigMap default/later', 'delete ConfigMap default/former'])
    expect(await made('shared', 'former', 'later')).to.deep.equal(['shared', 'later'])
  })

  it('is removed when it is not wanted any more', async () => {
    sandbox.run(await projectOf({ widget: `tasks: [{ensure: ${map('part')}, when: "\${spec.on}"}]\n` }))
    await sandbox.widget('w', { on: true })
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.widget('w', { on: false })
    await sandbox.ready('Ready', { generation: 2 })
    expect(await sandbox.settled()).to.include('delete ConfigMap default/part')
    expect(await made('part')).to.deep.equal([])
  })

  it('stays without our marks when it is retained', async () => {
    sandbox.run(await projectOf({ widget: `tasks: [{ensure: ${map('part')}, when: "\${spec.on}", retain: true}]\n` }))
    await sandbox.widget('w', { on: true })
    await sandbox.ready('Ready')
    await sandbox.widget('w', { on: false })
    await sandbox.ready('Ready', { generation: 2 })
    await sandbox.settled()
    const kept = (await sandbox.get(CONFIG_MAP, 'part')) as KubeObject
    expect(JSON.stringify({ ...kept.metadata, managedFields: [] })).to.not.contain('rolebook.dev')
  })

  it('stays while the run does not come to its end, also what it made before', async () => {
    const role = `
tasks:
  - ensure: ${map('first')}
  - {ensure: ${map('former')}, when: "\${spec.go = 1}"}
  - {ensure: ${map('before')}, when: "\${spec.go = 1}"}
  - wait: {for: "\${spec.go != 2}", message: not yet}
  - ensure: ${map('last')}
`
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w', { go: 1 })
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.remove(CONFIG_MAP, 'first')
    await sandbox.widget('w', { go: 2 })
    await sandbox.ready('Waiting')
    expect(await sandbox.settled()).to.not.include('delete ConfigMap default/former')
    expect(await made('first', 'former', 'before', 'last')).to.have.lengthOf(4)
    await sandbox.widget('w', { go: 3 })
    await sandbox.ready('Ready', { generation: 3 })
    const writes = (await sandbox.settled()).filter((write) => write.startsWith('delete'))
    expect(writes).to.deep.equal(['delete ConfigMap default/before', 'delete ConfigMap default/former'])
  })

  it('stays in a run that has rescued a failure', async () => {
    const role = `
tasks:
  - {ensure: ${map('part')}, when: "\${spec.on}"}
  - block:
      tasks: [{fail: {message: broken}, when: "\${$not(spec.on)}"}]
      rescue: [{ensure: ${map('instead')}}]
`
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w', { on: true })
    await sandbox.ready('Ready')
    await sandbox.widget('w', { on: false })
    const { message } = await sandbox.ready('Failed')
    expect(message).to.contain('broken')
    await sandbox.settled()
    expect(await made('part', 'instead')).to.deep.equal(['part', 'instead'])
  })

  it('goes in reverse order with the resource', async () => {
    await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } })
    const far = (kind: string, name: string): string =>
      `{ensure: {apiVersion: v1, kind: ${kind}, metadata: {name: ${name}, namespace: other}}}`
    const role = `tasks: [${far('ConfigMap', 'b')}, ${far('Secret', 'x')}, ${far('ConfigMap', 'a')}, ${far('ConfigMap', 'c')}]\n`
    sandbox.run(await projectOf({ widget: role }, `${WATCH}, allowedNamespaces: [other]}\n`))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.remove(WIDGET, 'w')
    await sandbox.gone(WIDGET, 'w')
    const deletes = (await sandbox.settled()).filter((write) => write.startsWith('delete'))
    const expected = ['ConfigMap other/c', 'ConfigMap other/a', 'Secret other/x', 'ConfigMap other/b']
    expect(deletes).to.deep.equal(expected.map((object) => `delete ${object}`))
  })
})

describe('a task that waits', () => {
  beforeEach(start)
  afterEach(stop)

  it('holds no worker', async () => {
    const role = 'tasks: [{wait: {for: "${spec.go = true}", message: not yet}}]\n'
    sandbox.run(await projectOf({ widget: role }, `${WATCH}, maxConcurrentReconciles: 1}\n`))
    await sandbox.widget('w')
    await sandbox.ready('Waiting')
    await sandbox.widget('other', { go: true })
    await sandbox.ready('Ready', { name: 'other' })
    expect((await sandbox.condition('Ready'))?.reason).to.equal('Waiting')
  })

  it('is woken by the status of a child', async () => {
    const labels = '{app: w}'
    const spec = `{selector: {matchLabels: ${labels}}, template: {metadata: {labels: ${labels}}, spec: {containers: [{name: c, image: i}]}}}`
    const role = `
tasks:
  - {ensure: {apiVersion: apps/v1, kind: Deployment, metadata: {name: w}, spec: ${spec}}, waitReady: true}
  - ensure: ${map('after')}
`
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w')
    await sandbox.ready('Waiting')
    const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 }
    const conditions = [
      { type: 'Available', status: 'True' },
      { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' },
    ]
    await sandbox.edit(DEPLOYMENT, 'w', { status: { observedGeneration: 1, ...counts, conditions } }, 'status')
    await sandbox.ready('Ready')
    expect(await made('after')).to.deep.equal(['after'])
  })
})

describe('a value of another type', () => {
  beforeEach(start)
  afterEach(stop)

  it('fails its task, and is not made to fit', async () => {
    const role = `tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: part}, data: {a: "\${spec.a}"}}}]\n`
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w', { a: 1 })
    const { message } = await sandbox.ready('Invalid')
    expect(message).to.contain('data.a')
    expect(await made('part')).to.deep.equal([])
    await sandbox.widget('w', { a: ['x'] })
    await sandbox.ready('Invalid', { generation: 2 })
    expect(await made('part')).to.deep.equal([])
  })
})

describe('an expression that takes too long', () => {
  beforeEach(start)
  afterEach(stop)

  it('stalls its resource, and says so', async () => {
    const endless = '${($f := function($n){$f($n + 1)}; $f(0))}'
    sandbox.run(await projectOf({ widget: `tasks: [{name: Count, status: {size: "${endless}"}}]\n` }))
    await sandbox.widget('w')
    const { message } = await sandbox.ready('Failed')
    expect(message).to.contain('task "Count"')
    expect((await sandbox.condition('Stalled'))?.reason).to.equal('ExpressionLimit')
  })
})
