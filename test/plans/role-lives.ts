import type { JsonObject } from '../../src/core/base/json.ts'

/** An object that stands in `default` unless it says otherwise. */
export interface Target {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}

/** What happens to the resource of one role, from its sample on. */
export interface RoleLife {
  readonly role: string
  /** Where `watches.yaml` and `roles/` are. */
  readonly folder: string
  /** A change of the resource, as a merge patch. */
  readonly update: JsonObject
  /** A field of a child that another client changes. */
  readonly drift: Target & { readonly body: JsonObject }
  /** A child that another client deletes. */
  readonly lost: Target
  /** An edit of `role.yaml` that changes what a child is: this text, followed by the other one. */
  readonly edit: { readonly after: string; readonly add: string }
  /** What outlives the resource and is removed by hand before it is made again. */
  readonly retained?: readonly Target[]
}

const service = (name: string): Target => ({ apiVersion: 'v1', kind: 'Service', name })
const deployment = (name: string): Target => ({ apiVersion: 'apps/v1', kind: 'Deployment', name })
const networkPolicy = (name: string, namespace: string): Target => {
  return { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', name, namespace }
}
const example = (name: string): string => `examples/${name}`

const STOLEN = { spec: { selector: { app: 'stolen' } } }
const EDIT_DEPLOYMENT = {
  after: 'kind: Deployment\n      metadata:\n',
  add: '        annotations: { example.com/edited: "true" }\n',
}
const EDIT_SERVICE = { after: 'kind: Service\n      metadata:\n', add: '        labels: { edited: "true" }\n' }

/** Every role of `roles/` and `examples/`. */
export const ROLE_LIVES: readonly RoleLife[] = [
  {
    role: 'appservice',
    folder: '.',
    update: { spec: { size: 1 } },
    drift: { ...service('appservice-sample'), body: STOLEN },
    lost: deployment('appservice-sample'),
    edit: EDIT_SERVICE,
  },
  {
    role: 'maintpage',
    folder: '.',
    update: { spec: { maintpageconfig: { maintpagetoggle: true } } },
    drift: { ...service('httpd'), body: STOLEN },
    lost: { apiVersion: 'v1', kind: 'Pod', name: 'maintpage-sample-maintpage-pod' },
    edit: EDIT_SERVICE,
  },
  {
    role: 'memcached',
    folder: '.',
    update: { spec: { size: 2 } },
    drift: { ...deployment('memcached-sample'), body: { spec: { replicas: 1 } } },
    lost: deployment('memcached-sample'),
    edit: EDIT_DEPLOYMENT,
  },
  {
    role: 'memcached-alpha',
    folder: '.',
    update: { spec: { size: 1 } },
    drift: { ...deployment('memcached-alpha-sample'), body: { spec: { replicas: 2 } } },
    lost: deployment('memcached-alpha-sample'),
    edit: EDIT_DEPLOYMENT,
  },
  {
    role: 'tomcat',
    folder: '.',
    update: { spec: { replicaCount: 1 } },
    drift: {
      ...service('tomcat-sample'),
      body: { spec: { selector: { 'app.kubernetes.io/name': 'stolen' } } },
    },
    lost: service('tomcat-sample'),
    edit: {
      after: 'path: charts/tomcat\n',
      add: `      values: '\${$merge([spec, {"podAnnotations": {"edited": "true"}}])}'\n`,
    },
  },
  {
    role: 'webservice',
    folder: '.',
    update: { spec: { size: 3 } },
    drift: { ...deployment('webservice-sample'), body: { spec: { replicas: 2 } } },
    lost: service('webservice-sample'),
    edit: EDIT_DEPLOYMENT,
  },
  {
    role: 'website',
    folder: example('01-config-hash'),
    update: { spec: { html: '<h1>Closed</h1>' } },
    drift: { apiVersion: 'v1', kind: 'ConfigMap', name: 'shop-page', body: { data: { 'index.html': 'defaced' } } },
    lost: service('shop'),
    edit: { after: 'data:\n        index.html: ${spec.html}\n', add: '        edited.html: edited\n' },
  },
  {
    role: 'database',
    folder: example('02-database'),
    update: { spec: { version: '18' } },
    drift: { ...service('orders'), body: STOLEN },
    lost: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'orders' },
    edit: { after: 'metadata: { name: "${metadata.name}"', add: ', annotations: { example.com/edited: "true" }' },
    retained: [
      { apiVersion: 'v1', kind: 'Secret', name: 'orders-account' },
      { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name: 'orders-data' },
    ],
  },
  {
    role: 'tenant',
    folder: example('03-tenant'),
    update: { spec: { cpu: '7', reachableFrom: ['red'] } },
    drift: {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      name: 'tenant',
      namespace: 'tenant-blue',
      body: { spec: { hard: { 'requests.cpu': '100' } } },
    },
    lost: networkPolicy('own-pods-only', 'tenant-blue'),
    edit: { after: 'metadata: { name: own-pods-only', add: ', labels: { edited: "true" }' },
  },
  {
    role: 'guarded-namespace',
    folder: example('04-namespace-decorator'),
    update: { metadata: { annotations: { 'example.com/default-memory': '1Gi' } } },
    drift: { ...networkPolicy('guard', 'payroll'), body: { spec: { policyTypes: ['Egress'] } } },
    lost: { apiVersion: 'v1', kind: 'LimitRange', name: 'guard', namespace: 'payroll' },
    edit: {
      after: 'kind: NetworkPolicy\n      metadata: { name: guard',
      add: ', labels: { edited: "true" }',
    },
  },
  {
    role: 'shop',
    folder: example('05-migration-job'),
    update: { spec: { version: '1.1.0' } },
    drift: { ...deployment('shop'), body: { spec: { replicas: 3 } } },
    lost: { apiVersion: 'batch/v1', kind: 'Job', name: 'shop-migrate-1-1-0' },
    edit: {
      after: 'kind: Deployment\n      metadata: { name: "${metadata.name}"',
      add: ', labels: { edited: "true" }',
    },
  },
  {
    role: 'gateway',
    folder: example('06-aggregation'),
    update: { spec: { domain: 'example.org' } },
    drift: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      name: 'www',
      body: { spec: { rules: [{ host: 'stolen.example.com' }] } },
    },
    lost: { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'www' },
    edit: { after: 'metadata: { name: "${metadata.name}"', add: ', labels: { edited: "true" }' },
  },
  {
    role: 'secret-copy',
    folder: example('07-secret-copy'),
    update: { spec: { keys: ['user'] } },
    drift: {
      apiVersion: 'v1',
      kind: 'Secret',
      name: 'registry',
      namespace: 'web',
      body: { data: { user: 'ZXZpbA==' } },
    },
    lost: { apiVersion: 'v1', kind: 'Secret', name: 'registry', namespace: 'web' },
    edit: { after: 'metadata: { name: "${spec.secret}", namespace: "${$item}"', add: ', labels: { edited: "true" }' },
  },
  {
    role: 'release',
    folder: example('08-blue-green'),
    update: { spec: { image: 'shop:2' } },
    drift: { ...service('shop'), body: STOLEN },
    lost: service('shop'),
    edit: {
      after: 'kind: Service\n            metadata: { name: "${metadata.name}"',
      add: ', labels: { edited: "true" }',
    },
  },
  {
    role: 'bucket',
    folder: example('09-cleanup-job'),
    update: { spec: { keepContent: false } },
    drift: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      name: 'photos-create',
      body: { metadata: { annotations: { 'rolebook.dev/owner': 'stolen' } } },
    },
    lost: { apiVersion: 'batch/v1', kind: 'Job', name: 'photos-create' },
    edit: { after: '# These run when', add: ' they are needed,' },
  },
  {
    role: 'web-app',
    folder: example('10-autoscaled-ingress'),
    update: { spec: { host: 'www.example.com' } },
    drift: { ...service('shop'), body: STOLEN },
    lost: { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', name: 'shop' },
    edit: {
      after: 'kind: Ingress\n      metadata: { name: "${metadata.name}"',
      add: ', labels: { edited: "true" }',
    },
  },
  {
    role: 'listener',
    folder: example('11-per-port-loops'),
    update: { spec: { ports: [{ name: 'amqp', port: 5672, allow: ['shop'] }] } },
    drift: { ...networkPolicy('queue-amqp', 'default'), body: { spec: { policyTypes: ['Egress'] } } },
    lost: service('queue-amqp'),
    edit: {
      after: 'kind: Service\n            metadata: { name: "${metadata.name}-${$port.name}"',
      add: ', labels: { edited: "true" }',
    },
  },
  {
    role: 'blog',
    folder: example('12-from-ansible'),
    update: { spec: { theme: 'plain' } },
    drift: { apiVersion: 'v1', kind: 'ConfigMap', name: 'diary-settings', body: { data: { THEME: 'STOLEN' } } },
    lost: service('diary-rss'),
    edit: { after: 'THEME: ${$uppercase($theme)}\n', add: '        EDITED: "true"\n' },
  },
]
