import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { KINDS } from '../../../../src/sandbox/apiserver/workloads/common/known-kinds.ts'
import { isActive, isReady } from '../../../../src/sandbox/apiserver/workloads/common/pod-state.ts'
import { replicasOf } from '../../../../src/sandbox/apiserver/workloads/deployment/replica-counts.ts'
import { long } from '../../../support/long-tests.ts'
import { deployment } from './web-deployment.ts'
import { WorkloadServer } from './workload-server.ts'

const key = { namespace: 'default', name: 'web' }

interface Status {
  readonly replicas?: number
  readonly availableReplicas?: number
  readonly updatedReplicas?: number
  readonly conditions: readonly { type: string; status: string; reason: string; message: string }[]
}

describe('Deployments', () => {
  let server: WorkloadServer
  const statusOf = (): Status => server.api.get(KINDS.deployment, key)?.status as unknown as Status
  const condition = (type: string) => statusOf().conditions.find((each) => each.type === type)
  const pods = () => server.api.list(KINDS.pod, { namespace: 'default' })

  beforeEach(() => {
    server = new WorkloadServer({ podStarted: 100, podStopped: 50 })
  })
  afterEach(() => server.stop())

  it('write nothing while nothing changes', async () => {
    server.put(deployment())
    await server.rest()
    server.takeWrites()
    await server.rest(600_000)
    expect(server.takeWrites()).to.deep.equal([])
  })

  it('bring back a pod that is deleted by hand', async () => {
    server.put(deployment({ replicas: 1 }))
    await server.rest()
    const [before] = pods()
    server.api.delete(KINDS.pod, { namespace: 'default', name: before!.metadata.name! })
    await server.rest()
    const [after, ...others] = pods()
    expect([isReady(after!), others.length]).to.deep.equal([true, 0])
    expect(after!.metadata.name).not.to.equal(before!.metadata.name)
  })

  const rollouts = [
    { name: 'the default shares', strategy: {}, most: 5, least: 3 },
    { name: 'surge only', strategy: { rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } }, most: 6, least: 4 },
    { name: 'no surge', strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }, most: 4, least: 3 },
    {
      name: 'everything at once',
      strategy: { rollingUpdate: { maxSurge: '100%', maxUnavailable: '50%' } },
      most: 6,
      least: 2,
    },
    {
      name: 'shares that round to nothing',
      strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '1%' } },
      most: 4,
      least: 3,
    },
  ]
  for (const { name, strategy, most, least } of rollouts) {
    it(`roll out within their bounds: ${name}`, async () => {
      server.put(deployment({ strategy }))
      await server.rest()
      const counts: number[] = []
      const available: number[] = []
      server.api.subscribe(KINDS.pod, () => {
        counts.push(server.api.list(KINDS.replicaSet).reduce((sum, set) => sum + replicasOf(set), 0))
        available.push(pods().filter((pod) => isActive(pod) && isReady(pod)).length)
      })
      server.put(deployment({ strategy }, 'nginx:2'))
      await server.rest()
      expect([Math.max(...counts), Math.min(...available)]).to.deep.equal([most, least])
      expect(
        pods().map((pod) => (pod.spec as unknown as { containers: { image: string }[] }).containers[0]?.image),
      ).to.deep.equal(Array.from({ length: 4 }, () => 'nginx:2'))
    })
  }

  long.it('that cannot progress keep their old pods, and say so after the deadline', async () => {
    server.put(deployment({ progressDeadlineSeconds: 60 }))
    await server.rest()
    server.put(deployment({ progressDeadlineSeconds: 60 }, 'notfound:1'))
    await server.rest(30_000)
    expect([condition('Progressing')?.status, condition('Available')?.status]).to.deep.equal(['True', 'True'])
    await server.rest(60_000)
    const progress = condition('Progressing')
    expect([progress?.status, progress?.reason]).to.deep.equal(['False', 'ProgressDeadlineExceeded'])
    expect(pods().filter(isReady)).to.have.length(3)
    server.put(deployment({ progressDeadlineSeconds: 60 }, 'nginx:2'))
    await server.rest()
    expect(condition('Progressing')?.reason).to.equal('NewReplicaSetAvailable')
  })

  it('without deadline say nothing about progress', async () => {
    server.put(deployment({ progressDeadlineSeconds: 2147483647 }))
    await server.rest()
    expect(statusOf().conditions.map(({ type }) => type)).to.deep.equal(['Available'])
  })

  it('that never get ready are not available', async () => {
    server.put(deployment({}, 'notfound:1'))
    await server.rest()
    expect(condition('Available')).to.include({ status: 'False', reason: 'MinimumReplicasUnavailable' })
  })

  long.it('scale in the middle of a rollout in proportion', async () => {
    server.put(deployment({ replicas: 8 }))
    await server.rest()
    server.put(deployment({ replicas: 8 }, 'notfound:1'))
    await server.rest()
    const before = pods().filter(isActive).length
    server.put(deployment({ replicas: 16 }, 'notfound:1'))
    await server.rest()
    expect([before, pods().filter(isActive).length, pods().filter(isReady).length]).to.deep.equal([10, 20, 12])
  })

  it('count a pod as available only after minReadySeconds', async () => {
    server.put(deployment({ replicas: 1, minReadySeconds: 10 }))
    await server.rest(5000)
    expect(statusOf().availableReplicas).to.equal(undefined)
    await server.rest(6000)
    expect(statusOf().availableReplicas).to.equal(1)
  })

  it('keep as many old ReplicaSets as their revisionHistoryLimit says', async () => {
    for (const tag of [1, 2, 3, 4]) {
      server.put(deployment({ replicas: 1, revisionHistoryLimit: 1 }, `nginx:${tag}`))
      await server.rest()
    }
    const revisions = server.api
      .list(KINDS.replicaSet)
      .map(({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/revision'])
    expect(revisions.sort()).to.deep.equal(['3', '4'])
  })

  it('are left alone when they are deleted; pods and ReplicaSets follow them', async () => {
    server.put(deployment({ replicas: 2 }))
    await server.rest()
    server.api.delete(KINDS.deployment, key, { propagationPolicy: 'Background' })
    await server.rest()
    expect([server.api.list(KINDS.replicaSet), pods()]).to.deep.equal([[], []])
  })

  it('go on where they were when the controllers start again', async () => {
    server.put(deployment({ replicas: 2 }))
    await server.rest(50)
    server.restart()
    await server.rest()
    expect(statusOf()).to.include({ replicas: 2, availableReplicas: 2, updatedReplicas: 2 })
    server.takeWrites()
    server.restart()
    await server.rest()
    expect(server.takeWrites()).to.deep.equal([])
  })

  it('say that they progress again when a pod that held them up gets ready', async () => {
    server.put(deployment({ replicas: 2, progressDeadlineSeconds: 60 }, 'notfound:1'))
    await server.rest(120_000)
    const stuck = condition('Progressing')
    expect([stuck?.status, stuck?.reason]).to.deep.equal(['False', 'ProgressDeadlineExceeded'])
    const [pod] = pods()
    const [container] = (pod!.spec as unknown as { containers: object[] }).containers
    const containers = [{ ...container, image: 'nginx:1' }]
    server.api.update({ ...pod!, spec: { ...(pod!.spec as object), containers } } as KubeObject, 'kubectl')
    await server.rest(1000)
    expect([condition('Progressing')?.status, condition('Progressing')?.reason]).to.deep.equal([
      'True',
      'ReplicaSetUpdated',
    ])
  })

  it('say nothing about progress any more when their deadline is taken away', async () => {
    server.put(deployment())
    await server.rest()
    server.put(deployment({ progressDeadlineSeconds: 2147483647 }))
    await server.rest()
    expect(statusOf().conditions.map(({ type }) => type)).to.deep.equal(['Available'])
  })

  it('hand a change of minReadySeconds on to their ReplicaSet', async () => {
    server.put(deployment())
    await server.rest()
    server.put(deployment({ minReadySeconds: 7 }))
    await server.rest()
    expect(server.api.list(KINDS.replicaSet).map(({ spec }) => spec)).to.have.nested.property('[0].minReadySeconds', 7)
  })

  it('scale their ReplicaSet back when another client scales it', async () => {
    server.put(deployment())
    await server.rest()
    const [set] = server.api.list(KINDS.replicaSet)
    server.api.update({ ...set!, spec: { ...(set!.spec as object), replicas: 7 } } as KubeObject, 'kubectl')
    await server.rest()
    expect([replicasOf(server.api.list(KINDS.replicaSet)[0]!), pods().length]).to.deep.equal([4, 4])
  })

  const scalings = [
    { name: 'a rollout, however small the share of its new pods', from: 8, to: 9, rollingUpdate: {} },
    { name: 'a rollout, with equal shares', from: 2, to: 4, rollingUpdate: { maxSurge: '100%', maxUnavailable: 0 } },
  ]
  for (const { name, from, to, rollingUpdate } of scalings) {
    it(`are scaled in the middle of ${name}, and come to its end`, async () => {
      const strategy = { rollingUpdate }
      server.put(deployment({ replicas: from, strategy }))
      await server.rest()
      server.put(deployment({ replicas: from, strategy }, 'notfound:1'))
      await server.rest()
      server.put(deployment({ replicas: to, strategy }, 'notfound:1'))
      await server.rest()
      server.put(deployment({ replicas: to, strategy }, 'nginx:2'))
      await server.rest()
      expect([statusOf().updatedReplicas, statusOf().availableReplicas, pods().length]).to.deep.equal([to, to, to])
    })
  }

  it('go on after a scaling that was done by hand in their ReplicaSet first', async () => {
    server.put(deployment({ strategy: { type: 'Recreate' } }))
    await server.rest(10)
    const [set] = server.api.list(KINDS.replicaSet)
    server.api.update({ ...set!, spec: { ...(set!.spec as object), replicas: 5 } } as KubeObject, 'kubectl')
    server.put(deployment({ replicas: 5, strategy: { type: 'Recreate' } }, 'nginx:2'))
    await server.rest()
    expect([statusOf().updatedReplicas, pods().length]).to.deep.equal([5, 5])
  })

  it('give their pods the annotations and finalizers of the template', async () => {
    const metadata = { labels: { app: 'web' }, annotations: { note: 'kept' }, finalizers: ['example.com/hold'] }
    const template = { metadata, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } }
    server.put(deployment({ replicas: 1, template }))
    await server.rest()
    const { annotations, finalizers } = pods()[0]!.metadata
    expect({ annotations, finalizers }).to.deep.equal({
      annotations: { note: 'kept' },
      finalizers: ['example.com/hold'],
    })
  })
})
