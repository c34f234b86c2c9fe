import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { KINDS } from '../../../../src/sandbox/apiserver/workloads/common/known-kinds.ts'
import { WorkloadServer } from './workload-server.ts'

const labels = { a: 'b' }
const deployment = (replicas: number): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }] } },
  },
})
const scaler = (spec: JsonObject): KubeObject => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'web' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 3, ...spec },
})
const q = { metric: { name: 'q' }, target: { type: 'AverageValue', averageValue: '1' } }
const memory = { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } }

const RESOURCES =
  'unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)'
const CUSTOM =
  'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered'
const ABLE = "AbleToScale=True SucceededGetScale: the HPA controller was able to get the target's current scale"
const EXTERNAL =
  'unable to fetch metrics from external metrics API: the server could not find the requested resource (get q.external.metrics.k8s.io)'
const inactive = (reason: string, cause: string): string =>
  `ScalingActive=False ${reason}: the HPA was unable to compute the replica count: ${cause}`

const invalid = (first: string): string =>
  `Warning FailedComputeMetricsReplicas invalid metrics (1 invalid out of 1), first error is: ${first}`

interface Case {
  readonly name: string
  readonly replicas: number | undefined
  readonly spec: JsonObject
  readonly expected: {
    readonly conditions: readonly string[]
    readonly events: readonly string[]
    readonly replicas?: number
  }
}

/** In the words of kube-controller-manager 1.36.4 in a cluster without metrics. */
const CASES: readonly Case[] = [
  {
    name: 'whose target is not there',
    replicas: undefined,
    spec: {},
    expected: {
      conditions: [
        'AbleToScale=False FailedGetScale: the HPA controller was unable to get the target\'s current scale: deployments.apps "web" not found',
      ],
      events: ['Warning FailedGetScale deployments.apps "web" not found'],
    },
  },
  {
    name: 'whose target is scaled to zero',
    replicas: 0,
    spec: {},
    expected: {
      conditions: [
        ABLE,
        'ScalingActive=False ScalingDisabled: scaling is disabled since the replica count of the target is zero',
      ],
      events: [],
      replicas: 0,
    },
  },
  {
    name: 'of a resource',
    replicas: 2,
    spec: {},
    expected: {
      conditions: [
        ABLE,
        inactive(
          'FailedGetResourceMetric',
          `failed to get cpu utilization: unable to get metrics for resource cpu: ${RESOURCES}`,
        ),
      ],
      events: [
        `Warning FailedGetResourceMetric failed to get cpu utilization: unable to get metrics for resource cpu: ${RESOURCES}`,
        invalid(
          `failed to get cpu resource metric value: failed to get cpu utilization: unable to get metrics for resource cpu: ${RESOURCES}`,
        ),
      ],
      replicas: 2,
    },
  },
  {
    name: 'of an amount of a resource',
    replicas: 2,
    spec: { metrics: [{ type: 'Resource', resource: memory }] },
    expected: {
      conditions: [
        ABLE,
        inactive(
          'FailedGetResourceMetric',
          `failed to get memory usage: unable to get metrics for resource memory: ${RESOURCES}`,
        ),
      ],
      events: [
        `Warning FailedGetResourceMetric failed to get memory usage: unable to get metrics for resource memory: ${RESOURCES}`,
        invalid(
          `failed to get memory resource metric value: failed to get memory usage: unable to get metrics for resource memory: ${RESOURCES}`,
        ),
      ],
      replicas: 2,
    },
  },
  {
    name: 'of a resource of one container',
    replicas: 2,
    spec: {
      metrics: [
        {
          type: 'ContainerResource',
          containerResource: { name: 'cpu', container: 'c', target: { type: 'Utilization', averageUtilization: 80 } },
        },
      ],
    },
    expected: {
      conditions: [
        ABLE,
        inactive(
          'FailedGetContainerResourceMetric',
          `failed to get cpu utilization: unable to get metrics for resource cpu: ${RESOURCES}`,
        ),
      ],
      events: [
        `Warning FailedGetContainerResourceMetric failed to get cpu utilization: unable to get metrics for resource cpu: ${RESOURCES}`,
        invalid(
          `failed to get c container metric value: failed to get cpu utilization: unable to get metrics for resource cpu: ${RESOURCES}`,
        ),
      ],
      replicas: 2,
    },
  },
  {
    name: 'of a metric of its pods',
    replicas: 2,
    spec: { metrics: [{ type: 'Pods', pods: q }] },
    expected: {
      conditions: [ABLE, inactive('FailedGetPodsMetric', `unable to get metric q: ${CUSTOM}`)],
      events: [
        `Warning FailedGetPodsMetric unable to get metric q: ${CUSTOM}`,
        invalid(`failed to get pods metric value: unable to get metric q: ${CUSTOM}`),
      ],
      replicas: 2,
    },
  },
  ...[
    {
      name: 'of an amount of an object',
      target: { type: 'Value', value: '1' },
      within: 'failed to get object metric value',
    },
    {
      name: 'of an amount of an object for each pod',
      target: { type: 'AverageValue', averageValue: '1' },
      within: 'failed to get object metric value: failed to get q object metric',
    },
  ].map(({ name, target, within }): Case => {
    const cause = `unable to get metric q: Service on default s/${CUSTOM}`
    const object = { describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' }, metric: { name: 'q' }, target }
    return {
      ...{ name, replicas: 2, spec: { metrics: [{ type: 'Object', object }] } },
      expected: {
        conditions: [ABLE, inactive('FailedGetObjectMetric', cause)],
        events: [`Warning FailedGetObjectMetric ${cause}`, invalid(`${within}: ${cause}`)],
        replicas: 2,
      },
    }
  }),
  ...[
    {
      name: 'of an amount from outside the cluster',
      metric: { name: 'q' },
      target: { type: 'Value', value: '1' },
      labels: 'nil',
      within: 'failed to get external metric q',
    },
    {
      name: 'of an amount from outside the cluster for each pod, by labels',
      metric: {
        name: 'q',
        selector: {
          matchLabels: { z: 'x', a: 'b' },
          matchExpressions: [
            { key: 'k', operator: 'In', values: ['v', 'w'] },
            { key: 'e', operator: 'Exists' },
          ],
        },
      },
      target: { type: 'AverageValue', averageValue: '1' },
      labels:
        '&LabelSelector{MatchLabels:map[string]string{a: b,z: x,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[v w],},LabelSelectorRequirement{Key:e,Operator:Exists,Values:[],},},}',
      within: 'failed to get q external metric',
    },
  ].map(({ name, metric, target, labels, within }): Case => {
    const cause = `unable to get external metric default/q/${labels}: ${EXTERNAL}`
    return {
      ...{ name, replicas: 2, spec: { metrics: [{ type: 'External', external: { metric, target } }] } },
      expected: {
        conditions: [ABLE, inactive('FailedGetExternalMetric', cause)],
        events: [
          `Warning FailedGetExternalMetric ${cause}`,
          invalid(`failed to get q external metric value: ${within}: ${cause}`),
        ],
        replicas: 2,
      },
    }
  }),
]

describe('autoscalers', () => {
  let server: WorkloadServer
  const statusOf = (): JsonObject =>
    server.api.get(KINDS.autoscaler, { namespace: 'default', name: 'web' })?.status as JsonObject
  const conditions = (): readonly string[] =>
    ((statusOf().conditions ?? []) as unknown as JsonObject[]).map(
      ({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`,
    )
  const replicas = () => server.api.get(KINDS.deployment, { namespace: 'default', name: 'web' })?.spec
  const events = (): readonly string[] =>
    server.api
      .list({ group: '', version: 'v1', kind: 'Event' })
      .filter(({ involvedObject }) => (involvedObject as JsonObject).kind === 'HorizontalPodAutoscaler')
      .map(({ type, reason, message }) => `${type} ${reason} ${message}`)

  beforeEach(() => {
    server = new WorkloadServer()
  })
  afterEach(() => server.stop())

  for (const { name, replicas: wanted, spec, expected } of CASES) {
    it(`${name} say what they cannot do`, async () => {
      if (wanted !== undefined) server.put(deployment(wanted))
      server.put(scaler(spec))
      await server.rest()
      expect(conditions()).to.deep.equal(expected.conditions)
      expect(events()).to.deep.equal(expected.events)
      if (expected.replicas !== undefined) expect(replicas()).to.include({ replicas: expected.replicas })
    })
  }

  it('that are being deleted leave their target as it is', async () => {
    const metadata = { name: 'web', finalizers: ['example.com/held'] }
    server.put({ ...scaler({ minReplicas: 2 }), metadata })
    server.api.delete(KINDS.autoscaler, { namespace: 'default', name: 'web' })
    server.put(deployment(1))
    await server.rest()
    expect(replicas()).to.include({ replicas: 1 })
    expect(events()).to.deep.equal([])
  })

  it('bring their target within its bounds', async () => {
    server.put(deployment(5))
    server.put(scaler({ minReplicas: 2 }))
    await server.rest()
    expect(replicas()).to.include({ replicas: 3 })
    server.put(deployment(1))
    await server.rest()
    expect(replicas()).to.include({ replicas: 2 })
    expect(events()).to.include.members([
      'Normal SuccessfulRescale New size: 3; reason: Current number of replicas above Spec.MaxReplicas',
      'Normal SuccessfulRescale New size: 2; reason: Current number of replicas below Spec.MinReplicas',
    ])
    expect(statusOf()).to.include({ currentReplicas: 2, desiredReplicas: 2 })
  })

  it('leave alone what has the name of their target, and is of another group', async () => {
    server.put(deployment(5))
    server.put(scaler({ scaleTargetRef: { apiVersion: 'example.com/v1', kind: 'Deployment', name: 'web' } }))
    await server.rest()
    expect(replicas()).to.include({ replicas: 5 })
    expect(events()).to.deep.equal([])
  })

  it('write nothing at rest', async () => {
    server.put(deployment(2))
    server.put(scaler({}))
    await server.rest()
    server.takeWrites()
    await server.rest(3_600_000)
    expect(server.takeWrites()).to.deep.equal([])
  })
})
