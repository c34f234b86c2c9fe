import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../../src/core/base/logger.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import type { ResourceMapper } from '../../../../src/core/kube/resource-mapper.ts'
import { servedReader } from '../../../../src/engine/operator/watching/unserved-kinds.ts'
import { Informer } from '../../../../src/engine/runtime/informer.ts'
import { CONFIG_MAP, FakeCluster } from '../../../support/fake-cluster.ts'
import { fastClock } from '../../../support/fast-clock.ts'
import { crd, OperatorSandbox, projectOf } from '../../../support/operator-sandbox.ts'

const CRD = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
const LATE = { group: 'late.example.com', version: 'v1', kind: 'Late' }
const MAKES_LATE = `
tasks:
  - ensure: { apiVersion: late.example.com/v1, kind: Late, metadata: { name: l }, spec: { a: b } }
`

describe('A kind whose CRD is installed later', () => {
  it('is noticed soon by the resources that failed for it', async () => {
    const sandbox = await OperatorSandbox.start({ workloads: false })
    try {
      const { mapper } = sandbox.cluster.connection
      let looks = 0
      const counted: ResourceMapper = {
        mappingFor: (gvk) => {
          if (gvk.kind === LATE.kind) looks++
          return mapper.mappingFor(gvk)
        },
        preferred: (kind) => mapper.preferred(kind),
        refresh: () => mapper.refresh(),
      }
      // Ten seconds are half a second, the five minutes of a failed resource fifteen.
      sandbox.run(await projectOf({ widget: MAKES_LATE }), { clock: fastClock(20), mapper: counted })
      await sandbox.widget('w')
      await sandbox.ready('Failed')
      const before = looks
      await sandbox.until(
        async () => looks,
        () => looks >= before + 2,
      )
      await sandbox.cluster.install(crd(LATE))
      sandbox.cluster.connection.mapper.refresh()
      const late = await sandbox.until(
        () => sandbox.client.get(LATE, { namespace: 'default', name: 'l' }),
        (object) => object !== undefined,
      )
      expect(late?.spec).to.deep.equal({ a: 'b' })
    } finally {
      await sandbox.stop()
    }
  })

  it('is noticed soon when its CRD was removed in between', async () => {
    const sandbox = await OperatorSandbox.start({ workloads: false })
    try {
      await sandbox.cluster.install(crd(LATE))
      const clock = new FakeClock()
      sandbox.run(await projectOf({ widget: MAKES_LATE }), { clock })
      await sandbox.widget('w')
      await sandbox.ready('Ready')
      await sandbox.settled()
      await sandbox.remove(CRD, 'lates.late.example.com')
      await sandbox.ready('Failed')
      await sandbox.gone(CRD, 'lates.late.example.com')
      await sandbox.cluster.install(crd(LATE))
      // Four minutes at most: the terminal failure is tried again after five.
      let seconds = 0
      const late = async (): Promise<KubeObject | undefined> => {
        if (seconds++ < 240) await clock.advance(1_000)
        return sandbox.client.get(LATE, { namespace: 'default', name: 'l' })
      }
      await sandbox.until(late, (object) => object !== undefined)
    } finally {
      await sandbox.stop()
    }
  })

  it('is listed within ten seconds by an informer that has waited for it for an hour', async () => {
    const cluster = new FakeCluster()
    const notServed = new ApiError(404, 'KindNotServed', 'x')
    cluster.refusals.push(notServed)
    let served = false
    const mapper: Pick<ResourceMapper, 'mappingFor'> = {
      mappingFor: async (gvk) => {
        if (!served) throw notServed
        return { gvk, plural: 'x', namespaced: true, subresources: [], verbs: [] }
      },
    }
    const clock = new FakeClock()
    const client = servedReader(cluster, { mapper: mapper as ResourceMapper, clock })
    const informer = new Informer({ gvk: CONFIG_MAP }, { client, clock, logger: nopLogger })
    const abort = new AbortController()
    void informer.start(abort.signal)
    await clock.advance(3_600_000)
    const asked = cluster.calls.length
    served = true
    await clock.advance(10_000)
    expect([asked, informer.isSynced]).to.deep.equal([1, true])
    abort.abort()
  })
  it('is not asked for again, in pages either, before discovery shows it', async () => {
    const cluster = new FakeCluster()
    const notServed = new ApiError(404, 'KindNotServed', 'x')
    cluster.withoutWatchList = true
    cluster.refusals.push(undefined, notServed)
    let served = false
    const mappingFor: ResourceMapper['mappingFor'] = async (gvk) => {
      if (!served) throw notServed
      return { gvk, plural: 'x', namespaced: true, subresources: [], verbs: [] }
    }
    const clock = new FakeClock()
    const client = servedReader(cluster, { mapper: { mappingFor } as ResourceMapper, clock })
    const informer = new Informer({ gvk: CONFIG_MAP }, { client, clock, logger: nopLogger })
    const abort = new AbortController()
    void informer.start(abort.signal)
    await clock.advance(600_000)
    expect(cluster.calls).to.deep.equal(['stream list', 'list'])
    served = true
    await clock.advance(10_000)
    expect(informer.isSynced).to.equal(true)
    abort.abort()
  })
})
