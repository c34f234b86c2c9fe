import type { JsonObject } from '../../../../src/core/base/json.ts'
import { type Base, basesOf } from './base.ts'
import { POD_SPECS } from './pod-spec.ts'

const LABELS = { app: 'web', tier: 'front' }
const SELECTOR = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] }
const { web, volumes } = POD_SPECS
/** What a template may not say, or need not. */
const { activeDeadlineSeconds: _deadline, ...templateSpec } = web as JsonObject
const JOB_SPEC = { ...templateSpec, restartPolicy: 'Never' }
const META = { labels: LABELS, annotations: { note: 'fields' } }

function templates(wrap: (template: JsonObject, name: string) => JsonObject): Readonly<Record<string, JsonObject>> {
  return {
    web: wrap({ metadata: META, spec: templateSpec }, 'web'),
    volumes: wrap({ metadata: META, spec: volumes as JsonObject }, 'volumes'),
  }
}

const POD_STATUS = {
  phase: 'Running',
  message: 'a',
  reason: 'a',
  nominatedNodeName: 'node-1',
  hostIP: '1.2.3.4',
  hostIPs: [{ ip: '1.2.3.4' }],
  podIP: '1.2.3.4',
  podIPs: [{ ip: '1.2.3.4' }],
  startTime: '2020-01-01T00:00:00Z',
  qosClass: 'Burstable',
  observedGeneration: 1,
  conditions: [
    {
      type: 'Ready',
      status: 'True',
      reason: 'A',
      message: 'a',
      observedGeneration: 1,
      lastProbeTime: '2020-01-01T00:00:00Z',
      lastTransitionTime: '2020-01-01T00:00:00Z',
    },
  ],
  containerStatuses: [
    {
      name: 'web',
      image: 'nginx:1.27',
      imageID: 'a',
      containerID: 'a://b',
      ready: true,
      started: true,
      restartCount: 1,
      state: { running: { startedAt: '2020-01-01T00:00:00Z' } },
      lastState: {
        terminated: {
          exitCode: 1,
          signal: 1,
          reason: 'A',
          message: 'a',
          startedAt: '2020-01-01T00:00:00Z',
          finishedAt: '2020-01-01T00:00:00Z',
          containerID: 'a://b',
        },
      },
      allocatedResources: { cpu: '1' },
      resources: { limits: { cpu: '1' }, requests: { cpu: '1' } },
      volumeMounts: [{ name: 'scratch', mountPath: '/scratch', readOnly: true, recursiveReadOnly: 'Disabled' }],
      user: { linux: { uid: 1, gid: 1, supplementalGroups: [1] } },
    },
  ],
}

const CONDITION = {
  type: 'Available',
  status: 'True',
  reason: 'A',
  message: 'a',
  lastTransitionTime: '2020-01-01T00:00:00Z',
}
const COUNTS = { replicas: 3, readyReplicas: 2, availableReplicas: 1, observedGeneration: 1 }
const STATUSES = {
  deployment: {
    ...COUNTS,
    updatedReplicas: 2,
    unavailableReplicas: 1,
    terminatingReplicas: 1,
    collisionCount: 1,
    conditions: [{ ...CONDITION, lastUpdateTime: '2020-01-01T00:00:00Z' }],
  },
  replicaSet: { ...COUNTS, fullyLabeledReplicas: 2, terminatingReplicas: 1, conditions: [CONDITION] },
  statefulSet: {
    ...COUNTS,
    currentReplicas: 1,
    updatedReplicas: 1,
    currentRevision: 'a',
    updateRevision: 'b',
    collisionCount: 1,
    conditions: [CONDITION],
  },
  daemonSet: {
    currentNumberScheduled: 1,
    numberMisscheduled: 1,
    desiredNumberScheduled: 1,
    numberReady: 1,
    observedGeneration: 1,
    updatedNumberScheduled: 1,
    numberAvailable: 1,
    numberUnavailable: 1,
    collisionCount: 1,
    conditions: [CONDITION],
  },
  job: {
    active: 1,
    ready: 1,
    terminating: 1,
    succeeded: 0,
    failed: 1,
    startTime: '2020-01-01T00:00:00Z',
    conditions: [{ ...CONDITION, type: 'Suspended', status: 'False', lastProbeTime: '2020-01-01T00:00:00Z' }],
  },
}

const CLAIM = {
  metadata: { name: 'data', labels: { a: 'b' } },
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'fast',
    volumeMode: 'Filesystem',
    resources: { requests: { storage: '1Gi' } },
  },
}

const INDEXED_JOB = {
  activeDeadlineSeconds: 100,
  backoffLimitPerIndex: 1,
  backoffLimit: 3,
  maxFailedIndexes: 1,
  completionMode: 'Indexed',
  completions: 3,
  parallelism: 2,
  managedBy: 'example.com/manager',
  podReplacementPolicy: 'Failed',
  suspend: true,
  ttlSecondsAfterFinished: 100,
  podFailurePolicy: {
    rules: [
      { action: 'FailIndex', onExitCodes: { containerName: 'web', operator: 'In', values: [1, 2] } },
      { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
    ],
  },
  successPolicy: { rules: [{ succeededIndexes: '0-1', succeededCount: 1 }] },
}

function jobs(): Readonly<Record<string, JsonObject>> {
  return {
    web: { spec: { ...INDEXED_JOB, template: { metadata: META, spec: JOB_SPEC } }, status: STATUSES.job },
    volumes: {
      spec: { template: { metadata: META, spec: { ...(volumes as JsonObject), restartPolicy: 'OnFailure' } } },
    },
    selected: {
      spec: {
        manualSelector: true,
        selector: SELECTOR,
        template: { metadata: META, spec: { containers: [{ name: 'web', image: 'nginx' }], restartPolicy: 'Never' } },
      },
    },
  }
}

function cronJobs(): Readonly<Record<string, JsonObject>> {
  const wrapped = Object.entries(jobs()).map(([name, { spec }]) => [
    name,
    {
      spec: {
        schedule: '*/5 * * * *',
        timeZone: 'Europe/Berlin',
        concurrencyPolicy: 'Forbid',
        startingDeadlineSeconds: 100,
        successfulJobsHistoryLimit: 1,
        failedJobsHistoryLimit: 1,
        suspend: true,
        jobTemplate: { metadata: META, spec },
      },
      status: {
        active: [
          {
            apiVersion: 'batch/v1',
            kind: 'Job',
            name: 'a',
            namespace: 'b',
            uid: 'c',
            resourceVersion: '1',
            fieldPath: 'd',
          },
        ],
        lastScheduleTime: '2020-01-01T00:00:00Z',
        lastSuccessfulTime: '2020-01-01T00:00:00Z',
      },
    },
  ])
  return Object.fromEntries(wrapped.filter(([name]) => name !== 'selected'))
}

export const WORKLOADS: readonly Base[] = [
  ...basesOf('', 'v1', 'Pod', {
    web: { spec: web, status: POD_STATUS },
    ...Object.fromEntries(['volumes', 'host', 'windows'].map((name) => [name, { spec: POD_SPECS[name] }])),
  }),
  ...basesOf(
    '',
    'v1',
    'PodTemplate',
    templates((template) => ({ template })),
  ),
  ...basesOf(
    '',
    'v1',
    'ReplicationController',
    templates((template) => ({
      spec: { replicas: 3, minReadySeconds: 5, selector: { app: 'web' }, template },
      status: { ...COUNTS, fullyLabeledReplicas: 2, conditions: [CONDITION] },
    })),
  ),
  ...basesOf(
    'apps',
    'v1',
    'ReplicaSet',
    templates((template) => ({
      spec: { replicas: 3, minReadySeconds: 5, selector: SELECTOR, template },
      status: STATUSES.replicaSet,
    })),
  ),
  ...basesOf(
    'apps',
    'v1',
    'Deployment',
    templates((template) => ({
      spec: {
        replicas: 3,
        minReadySeconds: 5,
        paused: true,
        progressDeadlineSeconds: 100,
        revisionHistoryLimit: 2,
        selector: SELECTOR,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
        template,
      },
      status: STATUSES.deployment,
    })),
  ),
  ...basesOf(
    'apps',
    'v1',
    'DaemonSet',
    templates((template) => ({
      spec: {
        minReadySeconds: 5,
        revisionHistoryLimit: 2,
        selector: SELECTOR,
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '25%' } },
        template: withoutHostPorts(template),
      },
      status: STATUSES.daemonSet,
    })),
  ),
  ...basesOf(
    'apps',
    'v1',
    'StatefulSet',
    templates((template) => ({
      spec: {
        replicas: 3,
        minReadySeconds: 5,
        ordinals: { start: 1 },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
        podManagementPolicy: 'Parallel',
        revisionHistoryLimit: 2,
        selector: SELECTOR,
        serviceName: 'web',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1, maxUnavailable: 1 } },
        volumeClaimTemplates: [CLAIM],
        template,
      },
      status: STATUSES.statefulSet,
    })),
  ),
  ...basesOf('batch', 'v1', 'Job', jobs()),
  ...basesOf('batch', 'v1', 'CronJob', cronJobs()),
  ...basesOf('apps', 'v1', 'ControllerRevision', { one: { data: { a: 'b' }, revision: 1 } }),
]

function withoutHostPorts(template: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(template).replaceAll(/"hostPort":\d+,/g, ''))
}
