import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { controlledKindSteps, type KindCase, quietKindSteps } from '../kind-steps.ts'

const container = (name: string, more: JsonObject = {}): JsonObject => ({ name, image: `${name}:1`, ...more })
const pod = (spec: JsonObject): JsonObject => ({
  spec: { schedulerName: 'nobody', automountServiceAccountToken: false, ...spec },
})
const job = (containers: readonly JsonObject[]): JsonObject => ({
  spec: { template: { spec: { restartPolicy: 'Never', containers } } },
})
const quiet: readonly KindCase[] = [
  {
    kind: 'v1 PodTemplate',
    path: '/api/v1/namespaces/{ns}/podtemplates',
    first: {
      template: {
        metadata: { labels: { a: '1' } },
        spec: {
          containers: [
            container('a', {
              env: [
                { name: 'X', value: '1' },
                { name: 'Y', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
              ],
              ports: [{ containerPort: 80 }],
              resources: { limits: { cpu: '1000m', memory: '0.5Gi' } },
              volumeMounts: [{ name: 'v', mountPath: '/v' }],
              args: ['a', 'b'],
            }),
          ],
          volumes: [{ name: 'v', emptyDir: {} }],
          tolerations: [{ key: 'a', operator: 'Exists' }],
          nodeSelector: { x: '1' },
        },
      },
    },
    second: {
      template: {
        spec: {
          containers: [
            container('b'),
            { name: 'a', env: [{ name: 'Z', value: '1' }], ports: [{ containerPort: 80, protocol: 'UDP' }] },
          ],
          initContainers: [container('i', { volumeMounts: [{ name: 'w', mountPath: '/w', readOnly: true }] })],
          volumes: [{ name: 'w', configMap: { name: 'c', items: [{ key: 'k', path: 'p' }] } }],
          topologySpreadConstraints: [
            { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
          ],
          hostAliases: [{ ip: '1.2.3.4', hostnames: ['x'] }],
          imagePullSecrets: [{ name: 'p' }],
        },
      },
    },
    last: {
      template: {
        spec: { containers: [container('a', { env: [{ name: 'X', value: '2' }] })], nodeSelector: { y: '1' } },
      },
    },
  },
  {
    kind: 'v1 Pod',
    path: '/api/v1/namespaces/{ns}/pods',
    first: pod({
      containers: [container('a')],
      activeDeadlineSeconds: 100,
      tolerations: [{ key: 'a', operator: 'Exists' }],
    }),
    second: { metadata: { labels: { x: '1' } }, spec: { containers: [{ name: 'a', image: 'a:2' }] } },
    last: pod({ containers: [container('a')], activeDeadlineSeconds: 50 }),
  },
  {
    kind: 'batch/v1 CronJob',
    path: '/apis/batch/v1/namespaces/{ns}/cronjobs',
    first: { spec: { schedule: '1 * * * *', suspend: true, jobTemplate: job([container('a')]) } },
    second: { spec: { concurrencyPolicy: 'Allow', timeZone: 'Etc/UTC', jobTemplate: job([container('b')]) } },
    last: { spec: { schedule: '2 * * * *', suspend: true, jobTemplate: job([container('a')]) } },
  },
]

const controlled: readonly KindCase[] = [
  {
    kind: 'apps/v1 Deployment',
    path: '/apis/apps/v1/namespaces/{ns}/deployments',
    first: {
      spec: {
        replicas: 0,
        selector: { matchLabels: { a: '1' } },
        template: { metadata: { labels: { a: '1' } }, spec: { containers: [container('a')] } },
      },
    },
    second: { spec: { replicas: 1, strategy: { type: 'Recreate' } } },
    last: { spec: { selector: { matchLabels: { b: '1' } } } },
  },
  {
    kind: 'apps/v1 StatefulSet',
    path: '/apis/apps/v1/namespaces/{ns}/statefulsets',
    first: {
      spec: {
        replicas: 0,
        serviceName: 's',
        selector: { matchLabels: { a: '1' } },
        template: { metadata: { labels: { a: '1' } }, spec: { containers: [container('a')] } },
        volumeClaimTemplates: [
          {
            metadata: { name: 'v' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    },
    second: { spec: { replicas: 1, serviceName: 't' } },
    last: { spec: { serviceName: 't' } },
  },
  {
    kind: 'apps/v1 DaemonSet',
    path: '/apis/apps/v1/namespaces/{ns}/daemonsets',
    first: {
      spec: {
        selector: { matchLabels: { a: '1' } },
        template: {
          metadata: { labels: { a: '1' } },
          spec: {
            nodeSelector: { none: 'none' },
            containers: [container('a', { ports: [{ containerPort: 80, hostPort: 80 }] })],
          },
        },
      },
    },
    second: { spec: { template: { spec: { containers: [container('a', { image: 'x' })] } } } },
    last: { spec: { minReadySeconds: 5 } },
  },
  {
    kind: 'autoscaling/v2 HorizontalPodAutoscaler',
    path: '/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers',
    first: {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' },
        maxReplicas: 3,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
        ],
        behavior: { scaleDown: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } },
      },
    },
    second: { spec: { maxReplicas: 5, metrics: [] } },
    last: { spec: { minReplicas: 2 } },
  },
  {
    kind: 'batch/v1 Job',
    path: '/apis/batch/v1/namespaces/{ns}/jobs',
    first: {
      spec: { suspend: true, completionMode: 'Indexed', completions: 2, ...(job([container('a')]).spec as JsonObject) },
    },
    second: { spec: { completions: 3, parallelism: 2 } },
    last: { spec: { ttlSecondsAfterFinished: 9 } },
  },
  {
    kind: 'policy/v1 PodDisruptionBudget',
    path: '/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets',
    first: { spec: { minAvailable: '50%', selector: { matchLabels: { a: '1' } } } },
    second: { spec: { minAvailable: 1 } },
    last: { spec: { minAvailable: '60%' } },
  },
  {
    kind: 'v1 ResourceQuota',
    path: '/api/v1/namespaces/{ns}/resourcequotas',
    first: { spec: { hard: { 'count/leases.coordination.k8s.io': '1k', cpu: '1000m' } } },
    second: { spec: { hard: { cpu: '2', memory: '1024Mi' } } },
    last: { spec: { hard: { cpu: 'x' } } },
  },
]

export const steps: readonly Step[] = [...quiet.flatMap(quietKindSteps), ...controlled.flatMap(controlledKindSteps)]
