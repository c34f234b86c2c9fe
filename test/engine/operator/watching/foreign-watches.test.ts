import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import type { KubeClient } from '../../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { ForeignWatches, SubscriptionTable } from '../../../../src/engine/operator/watching/change-router.ts'
import { clientWith } from '../../../support/client-with.ts'
import { fastClock } from '../../../support/fast-clock.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const ROLE = 'tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: taken}}}]\n'
const NAMESPACE = { group: '', version: 'v1', kind: 'Namespace' }
const NAMES = ['n1', 'n2', 'n3']

describe('A watch of objects that others own', () => {
  let sandbox: OperatorSandbox
  /** Namespaces in which metadata is watched. */
  let open: string[]
  beforeEach(async () => {
    open = []
    sandbox = await OperatorSandbox.start({ workloads: false })
    sandbox.run(await projectOf({ widget: ROLE }), { client: counted(sandbox.client), clock: fastClock(40) })
    for (const name of NAMES) await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    for (const namespace of NAMES) {
      await sandbox.apply(taken(namespace))
      await sandbox.widget('w', {}, { namespace })
    }
    await opens(...NAMES)
  })
  afterEach(() => sandbox.stop())

  const taken = (namespace: string): KubeObject => {
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'taken', namespace } }
  }
  const opens = (...namespaces: readonly string[]): Promise<unknown> =>
    sandbox.until(
      async () => open.toSorted(),
      (seen) => seen.join() === namespaces.join(),
    )

  function counted(client: KubeClient): KubeClient {
    return clientWith(client, {
      watch: async function* (gvk, options) {
        const place = options.metadataOnly ? [options.namespace ?? ''] : []
        open.push(...place)
        try {
          yield* client.watch(gvk, options)
        } finally {
          for (const one of place) open.splice(open.indexOf(one), 1)
        }
      },
    })
  }

  const ends: { name: string; end: (namespace: string) => Promise<unknown> }[] = [
    { name: 'the resource has gone', end: (namespace) => sandbox.client.delete(WIDGET, { namespace, name: 'w' }) },
    {
      name: 'the object has gone, and the resource has its own',
      end: (namespace) => sandbox.client.delete(CONFIG_MAP, { namespace, name: 'taken' }),
    },
    {
      name: 'the namespace has gone',
      end: async (namespace) => {
        await sandbox.client.delete(WIDGET, { namespace, name: 'w' })
        await sandbox.client.delete(CONFIG_MAP, { namespace, name: 'taken' })
        await sandbox.client.delete(NAMESPACE, { namespace: '', name: namespace })
      },
    },
  ]
  for (const { name, end } of ends) {
    it(`is released when ${name}, and those that are needed stay`, async () => {
      for (const namespace of ['n1', 'n2']) await end(namespace)
      await opens('n3')
      await end('n3')
      await opens()
    })
  }

  it('stays as long as the name is taken, and wakes the role when it is free', async () => {
    await sandbox.client.delete(WIDGET, { namespace: 'n1', name: 'w' })
    await opens('n2', 'n3')
    await sandbox.client.delete(CONFIG_MAP, { namespace: 'n2', name: 'taken' })
    await sandbox.until(
      () => sandbox.get(CONFIG_MAP, 'taken', 'n2'),
      (object) => object?.metadata.labels?.['rolebook.dev/owner-uid'] !== undefined,
    )
    await opens('n3')
  })
})

describe('ForeignWatches', () => {
  const request = { group: 'example.com', kind: 'Widget', namespace: 'd', name: 'w' }
  let clock: FakeClock
  let watches: ForeignWatches
  let releases: number
  let watchesForeign: boolean
  beforeEach(() => {
    clock = new FakeClock()
    releases = 0
    watchesForeign = true
    const caches = {
      get watchesForeign() {
        return watchesForeign
      },
      releaseForeign: () => void releases++,
    }
    watches = new ForeignWatches({ subscriptions: new SubscriptionTable(), caches, clock })
  })

  it('go once some time after the first of many ends, and again after later ones', async () => {
    for (let end = 0; end < 3; end++) watches.keep(request, [])
    expect(releases).to.equal(0)
    await clock.advance(10_000)
    expect(releases).to.equal(1)
    await clock.advance(60_000)
    expect(releases).to.equal(1)
    watches.keep(request, [])
    await clock.advance(10_000)
    expect(releases).to.equal(2)
  })

  it('cost nothing where there are none', () => {
    watchesForeign = false
    watches.keep(request, [])
    expect(clock.pending).to.equal(0)
  })

  it('leave nothing to do when they are stopped', () => {
    watches.stop()
    watches.keep(request, [])
    watches.stop()
    expect(clock.pending).to.equal(0)
  })
})
