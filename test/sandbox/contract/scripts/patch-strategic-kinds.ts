import type { Step } from '../exchange.ts'
import { ObjectSteps } from '../object-steps.ts'

const IN = '/api/v1/namespaces/{ns}'
const service = new ObjectSteps('strategic on a Service', `${IN}/services`, 'v1 Service')
const config = new ObjectSteps('strategic on a ConfigMap', `${IN}/configmaps`, 'v1 ConfigMap')
const account = new ObjectSteps('strategic on a ServiceAccount', `${IN}/serviceaccounts`, 'v1 ServiceAccount')
const cron = new ObjectSteps('strategic on a CronJob', '/apis/batch/v1/namespaces/{ns}/cronjobs', 'batch/v1 CronJob')
const pod = new ObjectSteps('strategic on a Pod', `${IN}/pods`, 'v1 Pod')
const ingress = new ObjectSteps(
  'strategic on an Ingress',
  '/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses',
  'networking.k8s.io/v1 Ingress',
)
const role = new ObjectSteps(
  'strategic on a Role',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles',
  'rbac.authorization.k8s.io/v1 Role',
)

const STATUS = { subresource: 'status' }

export const steps: readonly Step[] = [
  service.create({
    spec: {
      clusterIP: 'None',
      ports: [
        { name: 'a', port: 80 },
        { name: 'b', port: 81, protocol: 'UDP' },
      ],
    },
  }),
  service.patch('a port by number', 'strategic', { spec: { ports: [{ port: 80, targetPort: 8080 }] } }),
  service.patch('one more port', 'strategic', { spec: { ports: [{ port: 82, name: 'c' }] } }),
  service.patch('one less', 'strategic', { spec: { ports: [{ port: 81, $patch: 'delete' }] } }),
  service.patch('the same number', 'strategic', { spec: { ports: [{ port: 80, protocol: 'UDP', name: 'd' }] } }),
  service.patch('the selector', 'strategic', { spec: { selector: { a: '1' } } }),
  service.patch(
    'conditions',
    'strategic',
    {
      status: {
        conditions: [
          { type: 'A', status: 'True', reason: 'R', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
        ],
      },
    },
    STATUS,
  ),
  service.patch(
    'conditions by type',
    'strategic',
    { status: { conditions: [{ type: 'A', status: 'False' }] } },
    STATUS,
  ),
  config.create({ data: { a: '1', b: '2' } }),
  config.patch('data', 'strategic', { data: { a: null, c: '3' } }),
  config.patch('replaced data', 'strategic', { data: { $patch: 'replace', z: '1' } }),
  config.patch('deleted data', 'strategic', { data: { $patch: 'delete' } }),
  config.patch('a number', 'strategic', { data: { a: 1 } }),
  config.patch('an object', 'strategic', { data: { a: { b: '1' } } }),
  config.patch('a list for a map', 'strategic', { metadata: { labels: ['a'] } }),
  config.patch('a text for a map', 'strategic', { metadata: { labels: 'a' } }),
  config.patch('a boolean for a text', 'strategic', { data: { a: true } }),
  account.create({ secrets: [{ name: 'a' }], imagePullSecrets: [{ name: 'p' }] }),
  account.patch('secrets by name', 'strategic', { secrets: [{ name: 'b' }], imagePullSecrets: [{ name: 'p' }] }),
  account.patch('delete a secret', 'strategic', { secrets: [{ name: 'a', $patch: 'delete' }] }),
  cron.create({
    spec: {
      schedule: '* * * * *',
      suspend: true,
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } } },
      },
    },
  }),
  cron.patch('an inner container', 'strategic', {
    spec: { jobTemplate: { spec: { template: { spec: { containers: [{ name: 'a', image: 'b' }] } } } } },
  }),
  cron.patch('the schedule', 'strategic', { spec: { schedule: '1 * * * *' } }),
  cron.patch('a wrong schedule', 'strategic', { spec: { schedule: 'x' } }),
  pod.create({
    spec: { schedulerName: 'nobody', automountServiceAccountToken: false, containers: [{ name: 'a', image: 'a' }] },
  }),
  pod.patch('the image', 'strategic', { spec: { containers: [{ name: 'a', image: 'b' }] } }),
  pod.patch(
    'conditions',
    'strategic',
    {
      status: {
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'x.example.com/a', status: 'True' },
        ],
      },
    },
    STATUS,
  ),
  pod.patch(
    'conditions by type',
    'strategic',
    { status: { conditions: [{ type: 'Ready', status: 'False', reason: 'R' }] } },
    STATUS,
  ),
  pod.patch(
    'conditions in an order',
    'strategic',
    {
      status: {
        '$setElementOrder/conditions': [{ type: 'x.example.com/a' }, { type: 'Ready' }],
        conditions: [{ type: 'Ready', message: 'm' }],
      },
    },
    STATUS,
  ),
  pod.patch(
    'delete a condition',
    'strategic',
    { status: { conditions: [{ type: 'Ready', $patch: 'delete' }] } },
    STATUS,
  ),
  pod.patch('addresses', 'strategic', { status: { podIPs: [{ ip: '10.0.0.1' }] } }, STATUS),
  pod.patch('one more address', 'strategic', { status: { podIPs: [{ ip: 'fd00::1' }] } }, STATUS),
  ingress.create({
    spec: {
      defaultBackend: { service: { name: 's', port: { number: 80 } } },
      tls: [{ hosts: ['a'], secretName: 's' }],
    },
  }),
  ingress.patch('tls as a whole', 'strategic', { spec: { tls: [{ hosts: ['b.example.com'] }] } }),
  ingress.patch('another backend', 'strategic', {
    spec: { defaultBackend: { service: { port: { number: null, name: 'web' } } } },
  }),
  role.create({ rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }),
  role.patch('rules as a whole', 'strategic', {
    rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['list'] }],
  }),
  role.patch('no rules', 'strategic', { rules: null }),
]
