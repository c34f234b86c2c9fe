import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { type KindCase, quietKindSteps } from '../kind-steps.ts'

const peer = (app: string): JsonObject => ({ podSelector: { matchLabels: { app } } })
const backend = (name: string): JsonObject => ({ service: { name, port: { number: 80 } } })
const rule = (host: string, ...names: string[]): JsonObject => ({
  host,
  http: { paths: names.map((name) => ({ path: `/${name}`, pathType: 'Prefix', backend: backend(name) })) },
})
const CLUSTER = '/apis/rbac.authorization.k8s.io/v1'

const cases: readonly KindCase[] = [
  {
    kind: 'v1 ConfigMap',
    path: '/api/v1/namespaces/{ns}/configmaps',
    first: { data: { a: '1' }, binaryData: { b: 'AA==' } },
    second: { data: { b: '' }, immutable: false },
    last: { data: {} },
  },
  {
    kind: 'v1 Secret',
    path: '/api/v1/namespaces/{ns}/secrets',
    first: { stringData: { a: 'x' }, data: { b: 'eQ==' } },
    second: { data: { a: 'eA==' }, type: 'Opaque' },
    last: { stringData: { b: 'z' } },
  },
  {
    kind: 'v1 Service',
    path: '/api/v1/namespaces/{ns}/services',
    first: {
      spec: {
        clusterIP: 'None',
        selector: { a: '1' },
        ports: [
          { port: 80, name: 'http' },
          { port: 53, protocol: 'UDP', name: 'dns' },
        ],
      },
    },
    second: {
      spec: {
        ports: [
          { port: 80, name: 'web', targetPort: 'http' },
          { port: 53, protocol: 'TCP', name: 'tcp' },
        ],
      },
    },
    last: { spec: { clusterIP: 'None', selector: { b: '1' }, ports: [{ port: 80, name: 'web' }] } },
  },
  {
    kind: 'v1 ServiceAccount',
    path: '/api/v1/namespaces/{ns}/serviceaccounts',
    first: { imagePullSecrets: [{ name: 'a' }], secrets: [{ name: 's' }] },
    second: {
      imagePullSecrets: [{ name: 'b' }],
      secrets: [{ name: 's', namespace: 'x' }],
      automountServiceAccountToken: true,
    },
    last: { imagePullSecrets: [{ name: 'b' }] },
  },
  {
    kind: 'v1 LimitRange',
    path: '/api/v1/namespaces/{ns}/limitranges',
    first: { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '1024Mi' } }] } },
    second: { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '1Gi' } }] } },
    last: { spec: { limits: [{ type: 'PersistentVolumeClaim', min: { storage: '1' } }] } },
  },
  {
    kind: 'networking.k8s.io/v1 NetworkPolicy',
    path: '/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies',
    first: {
      spec: { podSelector: { matchLabels: { a: '1' } }, ingress: [{ from: [peer('x')], ports: [{ port: 80 }] }] },
    },
    second: {
      spec: {
        podSelector: { matchLabels: { a: '1' } },
        policyTypes: ['Ingress', 'Egress'],
        egress: [{ to: [peer('y')] }],
      },
    },
    last: { spec: { podSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } } },
  },
  {
    kind: 'networking.k8s.io/v1 Ingress',
    path: '/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses',
    first: { spec: { rules: [rule('a.example.com', 'x', 'y')], tls: [{ hosts: ['a.example.com'], secretName: 's' }] } },
    second: { spec: { ingressClassName: 'nginx', defaultBackend: backend('d'), rules: [rule('b.example.com', 'z')] } },
    last: { spec: { tls: [], rules: [rule('a.example.com', 'x')] } },
  },
  {
    kind: 'rbac.authorization.k8s.io/v1 Role',
    path: '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles',
    first: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
    second: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }] },
    last: { rules: [] },
  },
  {
    kind: 'rbac.authorization.k8s.io/v1 RoleBinding',
    path: '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings',
    first: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [{ kind: 'User', name: 'u' }],
    },
    second: { subjects: [{ kind: 'ServiceAccount', name: 's', namespace: 'x' }] },
    last: { subjects: [] },
  },
  {
    kind: 'rbac.authorization.k8s.io/v1 ClusterRole',
    path: `${CLUSTER}/clusterroles`,
    first: { metadata: { labels: { a: '1' } }, rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
    second: { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
    last: { metadata: { labels: {} }, rules: null },
  },
  {
    kind: 'v1 PersistentVolumeClaim',
    path: '/api/v1/namespaces/{ns}/persistentvolumeclaims',
    first: {
      spec: {
        storageClassName: 'none-{ns}',
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1024Mi' } },
      },
    },
    second: { metadata: { labels: { a: '1' } }, spec: { resources: { requests: { storage: '1Gi' } } } },
    last: {
      spec: {
        storageClassName: 'none-{ns}',
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
      },
    },
  },
  {
    kind: 'coordination.k8s.io/v1 Lease',
    path: '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases',
    first: { spec: { holderIdentity: 'a', leaseDurationSeconds: 10, renewTime: '2026-01-01T00:00:00.000000Z' } },
    second: { spec: { renewTime: '2026-01-01T00:00:00Z', leaseTransitions: 1 } },
    last: { spec: { holderIdentity: 'b', renewTime: '2026-01-01T00:00:00.000001Z' } },
  },
  {
    kind: 'discovery.k8s.io/v1 EndpointSlice',
    path: '/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices',
    first: { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }], ports: [{ port: 80, name: 'a' }] },
    second: { ports: [{ port: 80, name: 'a', protocol: 'TCP' }] },
    last: { addressType: 'IPv4', endpoints: [], ports: [] },
  },
  {
    kind: 'v1 Endpoints',
    path: '/api/v1/namespaces/{ns}/endpoints',
    first: { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] },
    second: { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80, protocol: 'TCP' }] }] },
    last: { subsets: [] },
  },
  {
    kind: 'scheduling.k8s.io/v1 PriorityClass',
    path: '/apis/scheduling.k8s.io/v1/priorityclasses',
    first: { value: 5, description: 'x' },
    second: { value: 5, preemptionPolicy: 'PreemptLowerPriority', description: 'y' },
    last: { value: 5, globalDefault: false },
  },
  {
    kind: 'storage.k8s.io/v1 StorageClass',
    path: '/apis/storage.k8s.io/v1/storageclasses',
    first: { provisioner: 'x.example.com', parameters: { a: '1' }, mountOptions: ['ro'] },
    second: { provisioner: 'x.example.com', allowVolumeExpansion: true, reclaimPolicy: 'Delete' },
    last: { provisioner: 'x.example.com', allowVolumeExpansion: false },
  },
]

export const steps: readonly Step[] = cases.flatMap(quietKindSteps)
