import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Gvk } from '../../../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { KINDS } from '../../../../src/sandbox/apiserver/workloads/common/known-kinds.ts'
import { WorkloadServer } from './workload-server.ts'

const EVENT = { group: '', version: 'v1', kind: 'Event' }
const NAMESPACE = { group: '', version: 'v1', kind: 'Namespace' }

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } }
const workload = (kind: string, spec: object = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: 'web' },
  spec: { selector: { matchLabels: { app: 'web' } }, template, ...spec },
})
const statefulSet = (spec: object): KubeObject => workload('StatefulSet', { serviceName: 'web', ...spec })
const job: KubeObject = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'web' },
  spec: { template: { spec: { restartPolicy: 'Never', ...template.spec } } },
}
const quota = (hard: JsonObject): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'few' },
  spec: { hard },
})
const claim = (name: string) => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
})

interface RecordedEvent {
  readonly involvedObject: { readonly kind: string }
  readonly type: string
  readonly reason: string
  readonly message: string
  readonly count: number
}

const EXCEEDED = 'is forbidden: exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1'

describe('Workloads whose pods the server refuses', () => {
  let server: WorkloadServer
  const pods = () => server.api.list(KINDS.pod, { namespace: 'default' })
  const failures = (): readonly RecordedEvent[] =>
    (server.api.list(EVENT, { namespace: 'default' }) as unknown as RecordedEvent[]).filter(
      ({ type, reason }) => type === 'Warning' && reason === 'FailedCreate',
    )
  const messages = () =>
    failures().map(({ involvedObject, message }) => {
      return `${involvedObject.kind} ${message.replace(/"web-[a-z0-9-]+"/, '"web-…"')}`
    })
  const attempts = () => failures().reduce((sum, { count }) => sum + count, 0)
  const only = (kind: Gvk): KubeObject => {
    const objects = server.api.list(kind, { namespace: 'default' })
    expect(objects.length, `number of ${kind.kind}s`).to.equal(1)
    return objects[0]!
  }
  const failureOf = (kind: Gvk) => {
    const { conditions = [] } = only(kind).status as { conditions?: { type: string; message: string }[] }
    return conditions.find(({ type }) => type === 'ReplicaFailure')
  }
  const enforce = (level: string) => {
    const namespace = server.api.get(NAMESPACE, { namespace: '', name: 'default' })!
    const labels = { ...namespace.metadata.labels, 'pod-security.kubernetes.io/enforce': level }
    server.api.update({ ...namespace, metadata: { ...namespace.metadata, labels } }, 'kubectl')
  }

  beforeEach(async () => {
    server = new WorkloadServer()
    await server.rest()
  })
  afterEach(() => server.stop())

  it('say so, and no longer when their pods can be made', async () => {
    enforce('restricted')
    server.put(workload('Deployment', { replicas: 3 }))
    await server.rest(1)
    const first = failureOf(KINDS.replicaSet)?.message
    expect(first).to.match(/^pods "web-[a-z0-9]+-[a-z0-9]{5}" is forbidden: violates PodSecurity "restricted:latest": /)
    await server.rest()
    expect([failureOf(KINDS.replicaSet)?.message, failureOf(KINDS.deployment)?.message]).to.deep.equal([first, first])
    expect(pods()).to.deep.equal([])
    enforce('privileged')
    await server.rest()
    expect([failureOf(KINDS.replicaSet), failureOf(KINDS.deployment)]).to.deep.equal([undefined, undefined])
    expect(pods().length).to.equal(3)
  })

  it('leave the conditions of others', async () => {
    server.put(workload('ReplicaSet', { replicas: 1 }))
    await server.rest()
    const warm = { type: 'example.com/Warm', status: 'True', lastTransitionTime: '2026-11-22T00:00:00Z' }
    const stored = only(KINDS.replicaSet)
    server.api.update(
      { ...stored, status: { ...(stored.status as JsonObject), conditions: [warm] } },
      'kubectl',
      'status',
    )
    server.put(workload('ReplicaSet', { replicas: 2 }))
    await server.rest()
    expect(only(KINDS.replicaSet).status).to.deep.include({ readyReplicas: 2, conditions: [warm] })
  })

  it('are still reported by a Deployment that is paused before it has a ReplicaSet of its new template', async () => {
    enforce('restricted')
    server.put(workload('Deployment', { replicas: 1 }))
    await server.rest(1)
    const changed = { ...template, metadata: { labels: { app: 'web', version: '2' } } }
    server.put(workload('Deployment', { replicas: 1, paused: true, template: changed }))
    await server.rest()
    const { message } = failureOf(KINDS.replicaSet) ?? {}
    expect(message).to.include('violates PodSecurity')
    expect(failureOf(KINDS.deployment)?.message).to.equal(message)
  })

  const cases = [
    {
      name: 'ReplicaSets',
      given: workload('ReplicaSet', { replicas: 2 }),
      expected: `ReplicaSet Error creating: pods "web-…" ${EXCEEDED}`,
    },
    {
      name: 'DaemonSets',
      given: workload('DaemonSet'),
      expected: `DaemonSet Error creating: pods "web-…" ${EXCEEDED}`,
    },
    { name: 'Jobs', given: job, expected: `Job Error creating: pods "web-…" ${EXCEEDED}` },
    {
      name: 'StatefulSets',
      given: statefulSet({ replicas: 1 }),
      expected: `StatefulSet Create Pod web-0 in StatefulSet web failed error: pods "web-…" ${EXCEEDED}`,
    },
    {
      name: 'ReplicaSets without their ServiceAccount',
      given: workload('ReplicaSet', {
        replicas: 1,
        template: { ...template, spec: { ...template.spec, serviceAccountName: 'gone' } },
      }),
      expected:
        'ReplicaSet Error creating: pods "web-" is forbidden: ' +
        'error looking up service account default/gone: serviceaccount "gone" not found',
    },
  ]
  for (const { name, given, expected } of cases) {
    it(`${name} write an Event`, async () => {
      server.put(quota({ pods: '1' }))
      server.put({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'first' }, spec: template.spec })
      await server.rest(1000)
      server.put(given)
      await server.rest(1)
      expect(messages()).to.include(expected)
    })
  }

  const refusalOfClaim =
    'persistentvolumeclaims "web-…" is forbidden: exceeded quota: few, ' +
    'requested: persistentvolumeclaims=1, used: persistentvolumeclaims=0, limited: persistentvolumeclaims=0'
  const messagesAboutClaims = async (...names: readonly string[]) => {
    server.put(quota({ persistentvolumeclaims: '0' }))
    await server.rest(1000)
    server.put(statefulSet({ replicas: 1, volumeClaimTemplates: names.map(claim) }))
    await server.rest(1)
    return messages().map((text) => text.replaceAll(/"(data|log)-web-0"/g, '"web-…"'))
  }

  it('StatefulSets report the claim that is refused', async () => {
    expect(await messagesAboutClaims('data')).to.have.members([
      `StatefulSet Create Claim data-web-0 for Pod web-0 in StatefulSet web failed error: ${refusalOfClaim}`,
      `StatefulSet Create Pod web-0 in StatefulSet web failed error: failed to create PVC data-web-0: ${refusalOfClaim}`,
    ])
  })

  it('StatefulSets report each claim that is refused', async () => {
    expect(await messagesAboutClaims('data', 'log')).to.have.members([
      `StatefulSet Create Claim data-web-0 for Pod web-0 in StatefulSet web failed error: ${refusalOfClaim}`,
      `StatefulSet Create Claim log-web-0 for Pod web-0 in StatefulSet web failed error: ${refusalOfClaim}`,
      'StatefulSet Create Pod web-0 in StatefulSet web failed error: ' +
        `[failed to create PVC data-web-0: ${refusalOfClaim}, failed to create PVC log-web-0: ${refusalOfClaim}]`,
    ])
  })

  it('try few pods in vain: as many again as there were before', async () => {
    server.put(quota({ pods: '2' }))
    await server.rest(1000)
    server.put(workload('ReplicaSet', { replicas: 100 }))
    await Promise.resolve()
    expect([pods().length, attempts()]).to.deep.equal([2, 1])
  })

  it('StatefulSets in parallel make the pods that are allowed, and report their state', async () => {
    server.put(quota({ pods: '2' }))
    await server.rest(1000)
    server.put(statefulSet({ replicas: 4, podManagementPolicy: 'Parallel' }))
    await server.rest()
    expect(server.api.list(KINDS.statefulSet)[0]?.status).to.include({ readyReplicas: 2, replicas: 2 })
  })

  it('are tried again later each time; Jobs after a second, and at least every minute', async () => {
    server.put(quota({ pods: '0' }))
    await server.rest(1000)
    server.put(workload('ReplicaSet', { replicas: 1 }))
    await server.rest(600_000)
    const often = attempts()
    server.api.delete(KINDS.replicaSet, { namespace: 'default', name: 'web' })
    server.put(job)
    await server.rest(600_000)
    expect([often, attempts() - often]).to.deep.equal([17, 15])
  })
})
