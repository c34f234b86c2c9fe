import { expect } from 'chai'
import { type KubeObject, keyOf } from '../../../../src/core/kube/object.ts'
import { KINDS } from '../../../../src/sandbox/apiserver/workloads/common/known-kinds.ts'
import { deployment } from './web-deployment.ts'
import { WorkloadServer } from './workload-server.ts'

const key = { namespace: 'default', name: 'web' }

describe('what a workload takes as its own, and lets go', () => {
  let server: WorkloadServer
  const pods = () => server.api.list(KINDS.pod, { namespace: 'default' })

  beforeEach(() => {
    server = new WorkloadServer({ podStarted: 100, podStopped: 50 })
  })
  afterEach(() => server.stop())

  it('take orphaned ReplicaSets and pods as their own again', async () => {
    server.put(deployment({ replicas: 2 }))
    await server.rest()
    const before = pods().map(({ metadata }) => metadata.name)
    server.api.delete(KINDS.deployment, key, { propagationPolicy: 'Orphan' })
    await server.rest()
    server.api.delete(KINDS.replicaSet, keyOf(server.api.list(KINDS.replicaSet)[0]!), { propagationPolicy: 'Orphan' })
    await server.rest()
    expect(pods().map(({ metadata }) => metadata.ownerReferences ?? [])).to.deep.equal([[], []])
    server.put(deployment({ replicas: 2 }))
    await server.rest()
    const [set] = server.api.list(KINDS.replicaSet)
    const owners = pods().map(({ metadata }) => metadata.ownerReferences?.[0]?.uid)
    expect(owners).to.deep.equal([set?.metadata.uid, set?.metadata.uid])
    expect(pods().map(({ metadata }) => metadata.name)).to.deep.equal(before)
  })

  it('let a pod go that loses its labels, and replace it', async () => {
    server.put(deployment({ replicas: 1 }))
    await server.rest()
    const [pod] = pods()
    server.api.update({ ...pod!, metadata: { ...pod!.metadata, labels: { app: 'debug' } } }, 'kubectl')
    await server.rest()
    const owned = pods().map(({ metadata }) => [metadata.labels?.app, metadata.ownerReferences?.length ?? 0])
    expect(owned.sort()).to.deep.equal([
      ['debug', 0],
      ['web', 1],
    ])
  })

  it('take orphans by a selector without matchLabels, the oldest of those without revision first to go', async () => {
    const selector = { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] }
    const orphan = (name: string, image: string): KubeObject => ({
      ...deployment({ replicas: 0 }, image),
      kind: 'ReplicaSet',
      metadata: { name, labels: { app: 'web' } },
    })
    server.put(orphan('first', 'a:1'))
    await server.rest(2000)
    server.put(orphan('second', 'b:1'))
    server.put(deployment({ selector, revisionHistoryLimit: 1 }))
    await server.rest()
    const names = server.api.list(KINDS.replicaSet).map(({ metadata }) => metadata.name)
    expect([names.length, names.includes('first'), names.includes('second')]).to.deep.equal([2, false, true])
    const [pod] = pods()
    server.api.update({ ...pod!, metadata: { ...pod!.metadata, ownerReferences: [] } }, 'kubectl')
    await server.rest()
    expect(pods().map(({ metadata }) => metadata.ownerReferences?.length)).to.deep.equal([1, 1, 1, 1])
  })

  it('let a pod go that loses all labels', async () => {
    server.put(deployment({ replicas: 1 }))
    await server.rest()
    const { labels: _labels, ...metadata } = pods()[0]!.metadata
    server.api.update({ ...pods()[0]!, metadata }, 'kubectl')
    await server.rest()
    expect(
      pods()
        .map(({ metadata: { ownerReferences = [] } }) => ownerReferences.length)
        .sort(),
    ).to.deep.equal([0, 1])
  })
})
