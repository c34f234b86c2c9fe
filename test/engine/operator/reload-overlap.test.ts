import { expect } from 'chai'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { LEDGER_NAME } from '../../../src/engine/reconcile/ownership/ledger.ts'
import { clientWith } from '../../support/client-with.ts'
import { CONFIG_MAP, GADGET, OperatorSandbox, projectOf } from '../../support/operator-sandbox.ts'

const SETTINGS = `
tasks:
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}" }, data: { size: "s\${spec.size}" } }
`
const STATUS = 'tasks:\n  - status: { a: b }\n'
const GADGETS = '- {group: example.com, version: v1, kind: Gadget, role: gadget}\n'
const BOTH = `- {group: example.com, version: v1, kind: Widget, role: widget}\n${GADGETS}`

/** A client whose first write of the ledger is answered when `release` is called, or its signal aborts. */
function withSlowLedger(
  client: KubeClient,
  heedsSignal: boolean,
): { client: KubeClient; begun: () => boolean; release: () => void } {
  const gate = Promise.withResolvers<void>()
  let begun = false
  const create: KubeClient['create'] = async (object, options) => {
    if (object.kind === 'ConfigMap' && object.metadata.name === LEDGER_NAME && !begun) {
      begun = true
      const { signal } = options
      if (heedsSignal) signal?.addEventListener('abort', () => gate.reject(signal.reason), { once: true })
      await gate.promise
    }
    return client.create(object, options)
  }
  return { client: clientWith(client, { create }), begun: () => begun, release: () => gate.resolve() }
}

describe('A watch that is removed and added again while a run of it has not ended', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  const made = (name: string): Promise<KubeObject | undefined> =>
    sandbox.until(
      () => sandbox.get(CONFIG_MAP, name),
      (object) => object !== undefined,
    )

  for (const { name, heedsSignal } of [
    { name: 'sees its resources, although the run ends late', heedsSignal: false },
    { name: 'sees its resources, and the write that never ended is given up', heedsSignal: true },
  ]) {
    it(name, async () => {
      const slow = withSlowLedger(sandbox.client, heedsSignal)
      const both = await projectOf({ widget: SETTINGS, gadget: STATUS }, BOTH)
      const operator = sandbox.run(both, { client: slow.client })
      await sandbox.widget('w', { size: 1 })
      await sandbox.until(async () => slow.begun(), Boolean)
      operator.replaceProject(await projectOf({ gadget: STATUS }, GADGETS))
      operator.replaceProject(both)
      if (!heedsSignal) {
        await sandbox.widget('early', { size: 1 })
        slow.release()
      }
      await made('w')
      await sandbox.widget('late', { size: 2 })
      expect((await made('late'))?.data).to.deep.equal({ size: 's2' })
    })
  }

  it('is run by the new role only when the run of the former one has ended', async () => {
    const seen: string[] = []
    const gate = Promise.withResolvers<void>()
    const apply: KubeClient['apply'] = async (object, options) => {
      if (object.kind !== 'ConfigMap' || object.metadata.name !== 'w') return sandbox.client.apply(object, options)
      const { size } = object.data as { size: string }
      seen.push(`begins ${size}`)
      if (size === 's1') await gate.promise
      try {
        return await sandbox.client.apply(object, options)
      } finally {
        seen.push(`ends ${size}`)
      }
    }
    const client = clientWith(sandbox.client, { apply })
    const operator = sandbox.run(await projectOf({ widget: SETTINGS, gadget: STATUS }, BOTH), { client })
    await sandbox.widget('w', { size: 1 })
    await sandbox.until(async () => seen.length, Boolean)
    const next = { widget: SETTINGS.replace('"s$', '"new s$'), gadget: STATUS }
    const inDefault = BOTH.replace('role: widget', 'role: widget, namespaces: [default]')
    expect(operator.replaceProject(await projectOf(next, inDefault))).to.deep.equal({ kind: 'replaced' })
    for (const name of ['a', 'b', 'c']) {
      await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name } })
      await sandbox.ready('Ready', { gvk: GADGET, name })
    }
    gate.resolve()
    await sandbox.until(
      async () => seen,
      (all) => all.includes('ends new s1'),
    )
    expect(seen).to.deep.equal(['begins s1', 'ends s1', 'begins new s1', 'ends new s1'])
  })
})
