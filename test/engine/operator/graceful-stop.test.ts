import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf } from '../../support/operator-sandbox.ts'

const ROLE = `
order: sequential
tasks:
  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: first}, data: {a: b}}
  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: second}, data: {a: b}}
`

describe('an operator that is stopped', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  /** A client whose first apply is held until it is let go. */
  function held(): { client: KubeClient; reached: Promise<void>; letGo: () => void } {
    const reached = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const client: KubeClient = {
      ...bound(sandbox.client),
      async apply(object, options) {
        if (object.metadata.name === 'first') {
          reached.resolve()
          await Promise.race([gate.promise, aborted(options.signal)])
        }
        return sandbox.client.apply(object, options)
      },
    }
    return { client, reached: reached.promise, letGo: gate.resolve }
  }

  it('finishes the run under way, begins no other, and then ends', async () => {
    const { client, reached, letGo } = held()
    const watches = '- {group: example.com, version: v1, kind: Widget, role: widget, maxConcurrentReconciles: 1}\n'
    sandbox.run(await projectOf({ widget: ROLE }, watches), { client, gracePeriod: 30_000 })
    await sandbox.widget('w')
    await reached
    await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } })
    await sandbox.widget('later', {}, { namespace: 'other' })
    const halted = sandbox.halt()
    letGo()
    await halted
    expect(sandbox.runs.map(({ request, outcome }) => `${request.name} ${outcome}`)).to.deep.equal(['w complete'])
    expect(await sandbox.get(CONFIG_MAP, 'second')).to.not.equal(undefined)
  })

  it('gives work up that takes longer than it may, and says so', async () => {
    const clock = new FakeClock()
    const { client, reached } = held()
    sandbox.run(await projectOf({ widget: ROLE }), { client, clock, gracePeriod: 30_000 })
    await sandbox.widget('w')
    await reached
    const halted = sandbox.halt()
    await clock.advance(29_999)
    expect(sandbox.warnings).to.deep.equal([])
    await clock.advance(1)
    await halted
    expect(sandbox.warnings).to.deep.equal(['runs are aborted: they did not end within the grace period'])
    expect(await sandbox.get(CONFIG_MAP, 'second')).to.equal(undefined)
  })

  it('waits for nothing when nothing is under way', async () => {
    sandbox.run(await projectOf({ widget: ROLE }), { clock: new FakeClock(), gracePeriod: 30_000 })
    await sandbox.halt()
    expect(sandbox.warnings).to.deep.equal([])
  })
})

function bound(client: KubeClient): KubeClient {
  return {
    get: client.get.bind(client),
    list: client.list.bind(client),
    watch: client.watch.bind(client),
    create: client.create.bind(client),
    apply: client.apply.bind(client),
    patch: client.patch.bind(client),
    delete: client.delete.bind(client),
  }
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
}
