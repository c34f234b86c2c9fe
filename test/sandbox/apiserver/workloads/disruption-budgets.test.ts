import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { KINDS } from '../../../../src/sandbox/apiserver/workloads/common/known-kinds.ts'
import { WorkloadServer } from './workload-server.ts'

const labels = { app: 'web' }
const cases: readonly { name: string; spec: JsonObject; expected: readonly (number | string)[] }[] = [
  { name: 'one may go', spec: { maxUnavailable: 1 }, expected: [4, 3, 1, 'SufficientPods'] },
  { name: 'a share that is rounded up may go', spec: { maxUnavailable: '30%' }, expected: [4, 2, 2, 'SufficientPods'] },
  { name: 'a share must stay', spec: { minAvailable: '60%' }, expected: [4, 3, 1, 'SufficientPods'] },
  { name: 'all must stay', spec: { minAvailable: 4 }, expected: [4, 4, 0, 'InsufficientPods'] },
  { name: 'more must stay than there are', spec: { minAvailable: 9 }, expected: [4, 9, 0, 'InsufficientPods'] },
]

describe('a PodDisruptionBudget', () => {
  const statusWith = async (spec: JsonObject, owner: string): Promise<JsonObject> => {
    const server = new WorkloadServer()
    const metadata = { name: 'web' }
    server.put({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec: { maxUnavailable: 1, ...spec } })
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: 'gone', controller: true }]
    const containers = [{ name: 'web', image: 'nginx:1' }]
    server.put({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', labels, ownerReferences },
      spec: { containers },
    })
    await server.rest()
    const status = server.api.get(KINDS.disruptionBudget, { namespace: 'default', name: 'web' })?.status
    server.stop()
    return status as JsonObject
  }
  it('without a selector is of no pods', async () => {
    expect(await statusWith({}, 'web')).to.include({ expectedPods: 0, currentHealthy: 0, observedGeneration: 1 })
  })
  it('expects nothing of a controller that is not there', async () => {
    expect(await statusWith({ selector: { matchLabels: labels } }, 'web')).to.include({ expectedPods: 0 })
  })

  for (const { name, spec, expected } of cases) {
    it(`says what is allowed when ${name}`, async () => {
      const server = new WorkloadServer()
      server.put({
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'web' },
        spec: { ...spec, selector: { matchLabels: labels } },
      })
      const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } }
      server.put({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: { replicas: 4, selector: { matchLabels: labels }, template },
      })
      await server.rest()
      const status = server.api.get(KINDS.disruptionBudget, { namespace: 'default', name: 'web' })?.status
      const { expectedPods, desiredHealthy, disruptionsAllowed, conditions } = status as JsonObject
      const [{ reason }] = conditions as [{ reason: string }]
      expect([expectedPods, desiredHealthy, disruptionsAllowed, reason]).to.deep.equal(expected)
      server.stop()
    })
  }
})
