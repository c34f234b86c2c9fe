import { expect } from 'chai'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { KubeClient, WatchEvent } from '../../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { clientWith } from '../../../support/client-with.ts'
import { CONFIG_MAP, GADGET, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const ROLE = `
tasks:
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: child } }
finalize:
  - status: { size: "\${spec.size}" }
`
const READER = `
tasks:
  - get: { apiVersion: example.com/v1, kind: Widget, name: other }
    register: other
  - status: { size: "\${$other.spec.size}" }
`

/** An object whose spec says so is served with so many levels: the sandbox itself takes no such body. */
function deepened(object: KubeObject): KubeObject {
  const { levels } = (object.spec ?? {}) as { readonly levels?: number }
  if (levels === undefined) return object
  let deep: JsonValue = 'end'
  for (let level = 0; level < levels; level++) deep = level % 2 === 0 ? { a: deep } : [deep]
  return { ...object, spec: { ...(object.spec as object), deep } }
}

async function* deepenedEvents(events: AsyncIterable<WatchEvent>): AsyncGenerator<WatchEvent> {
  for await (const event of events) yield event.type === 'ERROR' ? event : { ...event, object: deepened(event.object) }
}

function deepServer(client: KubeClient): KubeClient {
  return clientWith(client, {
    get: async (...given) => {
      const object = await client.get(...given)
      return object && deepened(object)
    },
    list: async (...given) => {
      const list = await client.list(...given)
      return { ...list, items: list.items.map(deepened) }
    },
    watch: (...given) => deepenedEvents(client.watch(...given)),
    apply: async (...given) => deepened(await client.apply(...given)),
    patch: async (...given) => deepened(await client.patch(...given)),
  })
}

describe('A resource that is nested very deeply', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  for (const levels of [1_000, 5_000, 10_000, 100_000]) {
    it(`says so in its condition, is not run, and can be deleted: ${levels} levels`, async () => {
      sandbox.run(await projectOf({ widget: ROLE }), { client: deepServer(sandbox.client) })
      await sandbox.widget('w', { levels })
      const { message, status } = await sandbox.ready('Failed')
      expect([status, message]).to.deep.equal([
        'False',
        'task "resource": cannot read the resource: it is nested more than 1000 levels deep (make it flatter)',
      ])
      expect((await sandbox.condition('Stalled'))?.reason).to.equal('ExpressionLimit')
      expect(await sandbox.get(CONFIG_MAP, 'child')).to.equal(undefined)
      await sandbox.settled()
      expect(await sandbox.settled()).to.deep.equal([])
      await sandbox.remove(WIDGET, 'w')
      await sandbox.gone(WIDGET, 'w')
    })
  }

  it('keeps what it made before, becomes ready when it is flat again, and goes although it has finalize tasks', async () => {
    sandbox.run(await projectOf({ widget: ROLE }), { client: deepServer(sandbox.client) })
    await sandbox.widget('w', { size: 1 })
    await sandbox.ready('Ready')
    await sandbox.widget('w', { levels: 8_000 })
    const condition = await sandbox.ready('Failed', { generation: 2 })
    expect(condition.observedGeneration).to.equal(2)
    expect(await sandbox.get(CONFIG_MAP, 'child')).to.not.equal(undefined)
    await sandbox.widget('w', { size: 2 })
    await sandbox.ready('Ready', { generation: 3 })
    await sandbox.widget('w', { levels: 8_000 })
    await sandbox.ready('Failed')
    await sandbox.remove(WIDGET, 'w')
    await sandbox.gone(WIDGET, 'w')
  })

  it('is a failure with a name where another role reads it', async () => {
    const selective =
      '- {group: example.com, version: v1, kind: Widget, role: widget, selector: {matchLabels: {run: "yes"}}}\n'
    sandbox.run(await projectOf({ widget: READER }, selective), { client: deepServer(sandbox.client) })
    await sandbox.widget('other', { levels: 8_000 })
    await sandbox.widget('w', {}, { labels: { run: 'yes' } })
    const { message } = await sandbox.ready('Failed')
    expect(message).to.include('cannot read Widget default/other: it is nested more than 1000 levels deep')
  })

  for (const reading of ['register: deep', 'readyWhen: "${$self.spec.size = 1}"']) {
    it(`that a role makes is a failure with a name where expressions read it: ${reading}`, async () => {
      const role = `
tasks:
  - ensure: { apiVersion: example.com/v1, kind: Gadget, metadata: { name: deep }, spec: { levels: 8000, size: 1 } }
    ${reading}
`
      const anywhere =
        '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: {write: ["*"]}}\n'
      sandbox.run(await projectOf({ widget: role }, anywhere), { client: deepServer(sandbox.client) })
      await sandbox.widget('w')
      const { message } = await sandbox.ready('Failed')
      expect(message).to.include('cannot read Gadget deep: it is nested more than 1000 levels deep')
    })
  }

  it('that a role makes is changed, corrected, made again and deleted like any other', async () => {
    const role = `
tasks:
  - ensure: { apiVersion: example.com/v1, kind: Gadget, metadata: { name: deep }, spec: { levels: 20000, size: "\${spec.size}" } }
`
    const anywhere =
      '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: {write: ["*"]}}\n'
    sandbox.run(await projectOf({ widget: role }, anywhere), { client: deepServer(sandbox.client) })
    const size = async (): Promise<unknown> =>
      ((await sandbox.get(GADGET, 'deep'))?.spec as JsonObject | undefined)?.size
    await sandbox.widget('w', { size: 1 })
    await sandbox.ready('Ready')
    await sandbox.widget('w', { size: 2 })
    await sandbox.ready('Ready', { generation: 2 })
    await sandbox.edit(GADGET, 'deep', { spec: { size: 7 } })
    await sandbox.until(size, (seen) => seen === 2)
    await sandbox.settled()
    await sandbox.remove(GADGET, 'deep')
    await sandbox.until(size, (seen) => seen === 2)
    await sandbox.settled()
    expect(await sandbox.settled()).to.deep.equal([])
    await sandbox.remove(WIDGET, 'w')
    await sandbox.gone(WIDGET, 'w')
    expect([await sandbox.get(GADGET, 'deep'), sandbox.warnings]).to.deep.equal([undefined, []])
  })
})
