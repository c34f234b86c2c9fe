import type { JsonObject } from '../../../../src/core/base/json.ts'
import { LONG_AGO, type TableCase, tableSteps } from '../table-steps.ts'

const template = (labels: JsonObject = { app: 'a' }, more: JsonObject = {}) => ({
  metadata: { labels },
  spec: {
    schedulerName: 'none',
    containers: [
      { name: 'web', image: 'nginx:1' },
      { name: 'log', image: 'busybox' },
    ],
    ...more,
  },
})
const jobTemplate = template({}, { restartPolicy: 'Never' })
const selector = {
  matchLabels: { app: 'a' },
  matchExpressions: [
    { key: 'tier', operator: 'In', values: ['x', 'y'] },
    { key: 'old', operator: 'DoesNotExist' },
  ],
}
const matching = template({ app: 'a', tier: 'x' })
const of = (group: string, plural: string) => (name: string, spec: JsonObject) => ({
  path: `/apis/${group}/v1/namespaces/{ns}/${plural}`,
  body: { metadata: { name }, spec } as JsonObject,
})
const deployment = of('apps', 'deployments')
const set = of('apps', 'replicasets')
const statefulSet = of('apps', 'statefulsets')
const daemonSet = of('apps', 'daemonsets')
const job = of('batch', 'jobs')
const cronJob = of('batch', 'cronjobs')
const nowhere = { ...matching, spec: { ...matching.spec, nodeSelector: { 'no/such': 'node' } } }
const ended = (type: string) => ({ conditions: [{ type, status: 'True' }] })
const times = { startTime: '2026-01-01T00:00:00Z', completionTime: '2026-01-01T03:04:05Z' }

const apps: readonly TableCase[] = [
  {
    name: 'deployment',
    ...deployment('d', { replicas: 0, selector, template: matching }),
    states: {
      'in a rollout': { replicas: 4, updatedReplicas: 2, readyReplicas: 3, availableReplicas: 1 },
      'at rest': { replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 },
    },
  },
  {
    name: 'replica set',
    ...set('r', { replicas: 0, selector, template: matching }),
    states: { 'half ready': { replicas: 4, readyReplicas: 2, availableReplicas: 1, fullyLabeledReplicas: 4 } },
  },
  {
    name: 'stateful set',
    ...statefulSet('s', { replicas: 0, serviceName: 's', selector, template: matching }),
    states: {
      'half ready': { replicas: 4, readyReplicas: 2, currentReplicas: 4, updatedReplicas: 1, collisionCount: 0 },
    },
  },
  {
    name: 'daemon set',
    ...daemonSet('d', { selector, template: nowhere }),
    states: {
      'on some nodes': {
        desiredNumberScheduled: 5,
        currentNumberScheduled: 4,
        numberMisscheduled: 1,
        numberReady: 3,
        updatedNumberScheduled: 2,
        numberAvailable: 1,
      },
    },
  },
  {
    name: 'replication controller',
    path: '/api/v1/namespaces/{ns}/replicationcontrollers',
    body: {
      metadata: { name: 'rc' },
      spec: { replicas: 0, selector: { app: 'rc' }, template: template({ app: 'rc' }) },
    },
    states: { 'half ready': { replicas: 4, readyReplicas: 2 } },
  },
  {
    name: 'controller revision',
    path: '/apis/apps/v1/namespaces/{ns}/controllerrevisions',
    body: { metadata: { name: 'c' }, revision: 7, data: { a: 1 } },
  },
  {
    name: 'owned controller revision',
    path: '/apis/apps/v1/namespaces/{ns}/controllerrevisions',
    body: {
      metadata: {
        name: 'c2',
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'StatefulSet',
            name: 's',
            uid: 'u',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      revision: 8,
      data: {},
    },
  },
  {
    name: 'pod template',
    path: '/api/v1/namespaces/{ns}/podtemplates',
    body: { metadata: { name: 't' }, template: template({ app: 'a', tier: 'x' }) },
  },
  {
    name: 'scaler by resources',
    ...of('autoscaling', 'horizontalpodautoscalers')('v1', {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      maxReplicas: 5,
      targetCPUUtilizationPercentage: 70,
    }),
  },
]

const managed = { managedBy: 'example.com/nobody' }
const jobs: readonly TableCase[] = [
  {
    name: 'job',
    ...job('j', { ...managed, completions: 3, parallelism: 2, template: jobTemplate }),
    states: {
      running: { startTime: LONG_AGO, active: 2, succeeded: 1, ready: 0, uncountedTerminatedPods: {} },
      suspended: { conditions: [{ type: 'Suspended', status: 'True' }] },
      'about to fail': { startTime: LONG_AGO, ...ended('FailureTarget') },
      'about to complete': { startTime: LONG_AGO, succeeded: 3, ...ended('SuccessCriteriaMet') },
    },
  },
  {
    name: 'job of no number',
    ...job('many', { ...managed, parallelism: 2, template: jobTemplate }),
    states: { running: { startTime: LONG_AGO, succeeded: 1, active: 1, uncountedTerminatedPods: {} } },
  },
  {
    name: 'job of one',
    ...job('single', { ...managed, template: jobTemplate }),
    states: {
      complete: {
        ...times,
        succeeded: 1,
        uncountedTerminatedPods: {},
        conditions: [
          { type: 'SuccessCriteriaMet', status: 'True' },
          { type: 'Complete', status: 'True' },
        ],
      },
    },
  },
  {
    name: 'cron job',
    ...cronJob('c', { schedule: '@yearly', suspend: true, jobTemplate: { spec: { template: jobTemplate } } }),
    states: {
      scheduled: {
        lastScheduleTime: LONG_AGO,
        active: [
          { kind: 'Job', name: 'j' },
          { kind: 'Job', name: 'k' },
        ],
      },
    },
  },
  {
    name: 'cron job of a zone',
    ...cronJob('z', {
      schedule: '1 2 3 4 5',
      timeZone: 'Europe/Berlin',
      jobTemplate: { spec: { template: jobTemplate } },
    }),
  },
]

const utilization = (type: string, value: object) => ({ type: 'Resource', resource: { name: type, target: value } })
const scaler = (name: string, metrics: readonly object[]) => ({
  path: '/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers',
  body: {
    metadata: { name },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' }, maxReplicas: 9, metrics },
  } as JsonObject,
})
const scalers: readonly TableCase[] = [
  {
    name: 'scaler',
    ...scaler('h', [
      utilization('cpu', { type: 'Utilization', averageUtilization: 70 }),
      utilization('memory', { type: 'AverageValue', averageValue: '100Mi' }),
    ]),
    states: {
      measured: {
        currentReplicas: 3,
        desiredReplicas: 4,
        currentMetrics: [
          { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 55, averageValue: '55m' } } },
          { type: 'Resource', resource: { name: 'memory', current: { averageValue: '80Mi' } } },
        ],
      },
    },
  },
  {
    name: 'scaler of four measures',
    ...scaler('many', [
      { type: 'Pods', pods: { metric: { name: 'rate' }, target: { type: 'AverageValue', averageValue: '10' } } },
      {
        type: 'Object',
        object: {
          metric: { name: 'hits' },
          describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
          target: { type: 'Value', value: '5k' },
        },
      },
      { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '30' } } },
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', container: 'web', target: { type: 'Utilization', averageUtilization: 50 } },
      },
    ]),
  },
]

export const steps = tableSteps([...apps, ...jobs, ...scalers])
