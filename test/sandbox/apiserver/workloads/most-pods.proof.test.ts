import { expect } from 'chai'
import { KINDS } from '../../../../src/sandbox/apiserver/workloads/common/known-kinds.ts'
import { deployment } from './web-deployment.ts'
import { WorkloadServer } from './workload-server.ts'

/** They take seconds, since all the pods are made. */
describe('Deployments that want more pods than any node takes', () => {
  it('do not bring the server down', async () => {
    const server = new WorkloadServer({ events: false, podScheduled: 1_000_000 })
    try {
      server.put(deployment({ replicas: 2_000_000_000 }))
      await server.rest(1000)
      expect(server.api.list(KINDS.pod, { namespace: 'default' }).length).to.equal(10_000)
    } finally {
      server.stop()
    }
  }).timeout(60_000)
})
