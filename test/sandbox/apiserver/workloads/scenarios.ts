import type { KubeObject } from '../../../../src/core/kube/object.ts'

export const PATHS = {
  ConfigMap: { base: '/api/v1', plural: 'configmaps' },
  ControllerRevision: { base: '/apis/apps/v1', plural: 'controllerrevisions' },
  CronJob: { base: '/apis/batch/v1', plural: 'cronjobs' },
  DaemonSet: { base: '/apis/apps/v1', plural: 'daemonsets' },
  Deployment: { base: '/apis/apps/v1', plural: 'deployments' },
  Endpoints: { base: '/api/v1', plural: 'endpoints' },
  EndpointSlice: { base: '/apis/discovery.k8s.io/v1', plural: 'endpointslices' },
  Job: { base: '/apis/batch/v1', plural: 'jobs' },
  PersistentVolumeClaim: { base: '/api/v1', plural: 'persistentvolumeclaims' },
  Pod: { base: '/api/v1', plural: 'pods' },
  ReplicaSet: { base: '/apis/apps/v1', plural: 'replicasets' },
  ReplicationController: { base: '/api/v1', plural: 'replicationcontrollers' },
  ResourceQuota: { base: '/api/v1', plural: 'resourcequotas' },
  Service: { base: '/api/v1', plural: 'services' },
  StatefulSet: { base: '/apis/apps/v1', plural: 'statefulsets' },
} as const

export interface Scenario {
  /** What is looked at when all is at rest. */
  readonly kinds: readonly (keyof typeof PATHS)[]
  /** Objects written one step after the other; each step waits for rest. */
  readonly steps: readonly (readonly KubeObject[])[]
}

const template = (image: string) => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image, ports: [{ name: 'http', containerPort: 80 }] }] },
})
const selector = { matchLabels: { app: 'web' } }

const deployment = (image: string, spec: object = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' }, annotations: { note: 'kept' } },
  spec: { replicas: 3, selector, template: template(image), ...spec },
})

const service = (spec: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }], ...spec },
})

const statefulSet = (image: string, spec: object = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'web' },
  spec: { replicas: 2, serviceName: 'web', selector, template: template(image), ...spec },
})

const daemonSet = (image: string): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'web' },
  spec: { selector, template: template(image) },
})

const job = (name: string, spec: object): KubeObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'web', image: 'nginx:1' }] } }, ...spec },
})

const quota = (pods: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'few' },
  spec: { hard: { pods } },
})

const replicationController: KubeObject = {
  apiVersion: 'v1',
  kind: 'ReplicationController',
  metadata: { name: 'web' },
  spec: { replicas: 1, selector: { app: 'web' }, template: template('nginx:1') },
}

/** What the real controllers and ours bring to rest. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  deployment: {
    kinds: ['Deployment', 'ReplicaSet', 'Pod', 'EndpointSlice', 'Endpoints'],
    steps: [
      [deployment('nginx:1'), service()],
      [deployment('nginx:2')],
      [deployment('nginx:2', { replicas: 1 })],
      [deployment('nginx:1', { replicas: 0 })],
    ],
  },
  recreate: {
    kinds: ['Deployment', 'ReplicaSet', 'Pod'],
    steps: [
      [deployment('nginx:1', { strategy: { type: 'Recreate' }, revisionHistoryLimit: 0 })],
      [deployment('nginx:2', { strategy: { type: 'Recreate' }, revisionHistoryLimit: 0 })],
    ],
  },
  paused: {
    kinds: ['Deployment', 'ReplicaSet'],
    steps: [
      [deployment('nginx:1', { paused: true })],
      [deployment('nginx:1', { paused: false })],
      [deployment('nginx:2', { paused: true, replicas: 2 })],
    ],
  },
  services: {
    kinds: ['EndpointSlice', 'Endpoints'],
    steps: [
      [service({ clusterIP: 'None' }), { ...service(), metadata: { name: 'free' }, spec: { ports: [{ port: 1 }] } }],
    ],
  },
  'stateful-set': {
    kinds: ['StatefulSet', 'ControllerRevision', 'Pod'],
    steps: [[statefulSet('nginx:1')], [statefulSet('nginx:2')], [statefulSet('nginx:2', { replicas: 1 })]],
  },
  'daemon-set': {
    kinds: ['DaemonSet', 'ControllerRevision', 'Pod'],
    steps: [[daemonSet('nginx:1')], [daemonSet('nginx:2')]],
  },
  job: {
    kinds: ['Job', 'Pod'],
    steps: [[job('once', {})], [job('more', { completions: 3, parallelism: 2 }), job('waits', { suspend: true })]],
  },
  'refused-deployment': {
    kinds: ['Deployment', 'ReplicaSet'],
    steps: [
      [quota('1')],
      [deployment('nginx:1')],
      [deployment('nginx:1', { replicas: 1 })],
      [deployment('nginx:2', { replicas: 1 })],
    ],
  },
  'refused-daemon-set': { kinds: ['DaemonSet', 'Pod'], steps: [[quota('0')], [daemonSet('nginx:1')]] },
  refused: {
    kinds: ['StatefulSet', 'ControllerRevision', 'Job', 'ReplicationController', 'Pod'],
    steps: [
      [quota('0')],
      [
        statefulSet('nginx:1'),
        job('once', {}),
        job('indexed', { completions: 3, parallelism: 2, completionMode: 'Indexed' }),
        replicationController,
      ],
    ],
  },
}
