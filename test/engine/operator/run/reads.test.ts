import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeClient } from '../../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { clientWith } from '../../../support/client-with.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

function object(kind: string, name: string, data: JsonObject, metadata: KubeObject['metadata'] = {}): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, ...metadata }, data }
}

describe('what a role reads', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  const statusOf = async (name = 'w'): Promise<JsonObject> =>
    ((await sandbox.get(WIDGET, name))?.status ?? {}) as JsonObject

  it('wakes it: a get waits for its object and follows it', async () => {
    const role = `
tasks:
  - name: Read
    get: { apiVersion: v1, kind: ConfigMap, name: "\${spec.from}" }
    register: source
  - name: Copy
    status: { copy: "\${$source.data.value}" }
`
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w', { from: 'source' })
    await sandbox.ready('Waiting')
    await sandbox.apply(object('ConfigMap', 'source', { value: 'one' }))
    await sandbox.until(statusOf, ({ copy }) => copy === 'one')
    await sandbox.edit(CONFIG_MAP, 'source', { data: { value: 'two' } })
    await sandbox.until(statusOf, ({ copy }) => copy === 'two')
    await sandbox.remove(CONFIG_MAP, 'source')
    await sandbox.ready('Waiting')
    // What a task that was not reached had set keeps its value.
    expect((await statusOf()).copy).to.equal('two')
  })

  it('wakes it: a list is sorted, selects by label and follows what comes and goes', async () => {
    const role = `
tasks:
  - name: Read
    list: { apiVersion: v1, kind: ConfigMap, labels: { for: "\${metadata.name}", tier: web } }
    register: found
  - name: Show
    status: { names: "\${[$found.metadata.name]}" }
`
    const labels = { for: 'w', tier: 'web' }
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.apply(object('ConfigMap', 'b', {}, { labels }))
    await sandbox.apply(object('ConfigMap', 'a', {}, { labels }))
    await sandbox.apply(object('ConfigMap', 'c', {}, { labels: { ...labels, tier: 'db' } }))
    await sandbox.until(statusOf, ({ names }) => JSON.stringify(names) === '["a","b"]')
    await sandbox.edit(CONFIG_MAP, 'b', { metadata: { labels: { for: 'x' } } })
    await sandbox.until(statusOf, ({ names }) => JSON.stringify(names) === '["a"]')
    await sandbox.remove(CONFIG_MAP, 'a')
    await sandbox.until(statusOf, ({ names }) => JSON.stringify(names) === '[]')
    await sandbox.settled()
    const runs = sandbox.runs.length
    await sandbox.edit(CONFIG_MAP, 'c', { data: { theirs: 'x' } })
    await sandbox.settled()
    expect(sandbox.runs.length).to.equal(runs)
  })

  it('is read of a Secret by name, and only when its version has changed', async () => {
    const role = `
tasks:
  - name: Read
    get: { apiVersion: v1, kind: Secret, name: password }
    register: secret
  - name: Digest
    status: { digest: "\${$sha256($secret.data.key)}", other: "\${spec.other}" }
`
    await sandbox.apply(object('Secret', 'password', { key: 'aHVudGVyMg==' }))
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w', { other: 1 })
    const { digest } = await sandbox.until(statusOf, (status) => status.digest !== undefined)
    await sandbox.widget('w', { other: 2 })
    await sandbox.ready('Ready', { generation: 2 })
    expect(sandbox.reads.filter((read) => read === 'Secret password')).to.have.lengthOf(1)
    await sandbox.apply(object('Secret', 'password', { key: 'b3RoZXI=' }))
    await sandbox.until(statusOf, (status) => status.digest !== digest)
    expect(JSON.stringify(await sandbox.get(WIDGET, 'w'))).to.not.contain('b3RoZXI=')
  })

  it('may be in all namespaces at once', async () => {
    const role = `
tasks:
  - name: Read
    list: { apiVersion: v1, kind: ConfigMap, namespace: "*", labels: { part: "yes" } }
    register: found
  - name: Show
    status: { names: "\${[$found.metadata.namespace]}" }
`
    const watches = '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: ["*"]}\n'
    const labels = { part: 'yes' }
    await sandbox.apply(object('ConfigMap', 'x', {}, { labels, namespace: 'kube-public' }))
    sandbox.run(await projectOf({ widget: role }, watches))
    await sandbox.widget('w')
    await sandbox.apply(object('ConfigMap', 'x', {}, { labels }))
    await sandbox.until(statusOf, ({ names }) => JSON.stringify(names) === '["default","kube-public"]')
  })

  it('may be missing where the role says so', async () => {
    const role = `
tasks:
  - name: Read
    get: { apiVersion: v1, kind: ConfigMap, name: source, optional: true }
    register: source
  - name: Show
    status: { there: "\${$exists($source)}" }
`
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    expect((await statusOf()).there).to.equal(false)
  })

  it('may be in no namespace that the entry does not allow', async () => {
    const role = 'tasks: [{name: Read, get: {apiVersion: v1, kind: ConfigMap, name: x, namespace: "${spec.where}"}}]\n'
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w', { where: 'kube-system' })
    const { message } = await sandbox.ready('Forbidden')
    expect(message).to.contain('allowedNamespaces.read')
  })

  it('is the live object that an ensure registers, and its readiness', async () => {
    const role = `
tasks:
  - name: Part
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: part } }
    register: part
    readyWhen: \${$self.data.done = "yes"}
    waitReady: true
  - name: After
    status: { uid: "\${$part.metadata.uid}" }
`
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w')
    const { message } = await sandbox.ready('Waiting')
    expect(message).to.equal('task "Part": ConfigMap default/part is not ready: `readyWhen` is false')
    await sandbox.edit(CONFIG_MAP, 'part', { data: { done: 'yes' } })
    await sandbox.ready('Ready')
    expect((await statusOf()).uid).to.equal((await sandbox.get(CONFIG_MAP, 'part'))?.metadata.uid)
  })

  it('fails a wait whose time is up, and lets it go on when its condition holds', async () => {
    const role = `
tasks:
  - name: Read
    get: { apiVersion: v1, kind: ConfigMap, name: gate, optional: true }
    register: gate
  - name: Gate
    wait: { for: "\${$exists($gate)}", message: the gate is closed, timeout: 50ms }
`
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w')
    const { message } = await sandbox.ready('Failed')
    expect(message).to.equal('task "Gate": waited too long: the gate is closed (roles/widget/role.yaml:6)')
    await sandbox.apply(object('ConfigMap', 'gate', {}))
    await sandbox.ready('Ready')
  })

  it('fails a run that asserts what is not so, until the resource changes', async () => {
    const role = 'tasks: [{name: Check, assert: {that: ["${spec.size > 1}"], message: "too small: ${spec.size}"}}]\n'
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w', { size: 1 })
    const { message } = await sandbox.ready('Failed')
    expect(message).to.equal('task "Check": too small: 1 (roles/widget/role.yaml:1)')
    await sandbox.widget('w', { size: 2 })
    await sandbox.ready('Ready')
    expect(await sandbox.condition('Stalled')).to.equal(undefined)
  })

  for (const late of ['of children', 'of what is read'] as const) {
    it(`wakes it again when the watch ${late} is behind the other one of the same object`, async () => {
      const role = `
tasks:
  - name: Make
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: page } }
    readyWhen: "\${$exists($self.data.seen)}"
  - name: Read
    get: { apiVersion: v1, kind: ConfigMap, name: page }
    register: page
  - name: Copy
    status: { copy: "\${$page.data.seen}" }
`
      const gate = Promise.withResolvers<void>()
      let isHeld = false
      const watch: KubeClient['watch'] = async function* (gvk, options) {
        const isOfChildren = options.labelSelector === 'rolebook.dev/owner-uid'
        for await (const event of sandbox.client.watch(gvk, options)) {
          if (isHeld && gvk.kind === 'ConfigMap' && isOfChildren === (late === 'of children')) await gate.promise
          yield event
        }
      }
      sandbox.run(await projectOf({ widget: role }), { client: clientWith(sandbox.client, { watch }) })
      await sandbox.widget('w')
      await sandbox.ready('NotReady')
      await sandbox.settled()
      isHeld = true
      const { length } = sandbox.runs
      await sandbox.edit(CONFIG_MAP, 'page', { data: { seen: 'yes' } })
      await sandbox.until(
        async () => sandbox.runs.length,
        (count) => count > length,
      )
      gate.resolve()
      await sandbox.ready('Ready')
      await sandbox.until(statusOf, ({ copy }) => copy === 'yes')
    })
  }
})
