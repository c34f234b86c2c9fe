import type { JsonObject } from '../../../../src/core/base/json.ts'
import { LONG_AGO, type TableCase, tableSteps } from '../table-steps.ts'

const at = (group: string, resource: string) => (name: string, body: object) => ({
  path: `/apis/${group}/v1/namespaces/{ns}/${resource}`,
  body: { metadata: { name }, ...body } as JsonObject,
})
const ingress = at('networking.k8s.io', 'ingresses')
const backend = { service: { name: 's', port: { number: 80 } } }
const http = { paths: [{ path: '/', pathType: 'Prefix', backend }] }
const hosts = (...names: string[]) => names.map((host) => ({ host, http }))

const networking: readonly TableCase[] = [
  {
    name: 'ingress',
    ...ingress('i', {
      spec: { ingressClassName: 'c', rules: hosts('a.example', 'b.example'), tls: [{ hosts: ['a.example'] }] },
    }),
    states: {
      'with addresses': { loadBalancer: { ingress: [{ ip: '203.0.113.7' }, { hostname: 'lb.example.com' }] } },
    },
  },
  { name: 'ingress of any host', ...ingress('j', { spec: { rules: [{ http }] } }) },
  { name: 'ingress of many hosts', ...ingress('k', { spec: { rules: hosts('a.b', 'c.d', 'e.f', 'g.h', 'i.j') } }) },
  { name: 'ingress of a backend', ...ingress('l', { spec: { defaultBackend: backend } }) },
  {
    name: 'network policy',
    ...at('networking.k8s.io', 'networkpolicies')('n', { spec: { podSelector: { matchLabels: { a: 'b', c: 'd' } } } }),
  },
  { name: 'network policy for all', ...at('networking.k8s.io', 'networkpolicies')('n', { spec: { podSelector: {} } }) },
]

const slice = at('discovery.k8s.io', 'endpointslices')
const addresses = (...lists: string[][]) => lists.map((each) => ({ addresses: each }))
const slices: readonly TableCase[] = [
  {
    name: 'slice',
    ...slice('s', {
      addressType: 'IPv4',
      ports: [
        { name: 'a', port: 80 },
        { name: 'b', port: 81, protocol: 'UDP' },
      ],
      endpoints: addresses(['10.8.0.1', '10.8.0.2'], ['10.8.0.3']),
    }),
  },
  {
    name: 'slice of many',
    ...slice('s', {
      addressType: 'IPv4',
      ports: [1, 2, 3, 4].map((port) => ({ name: `p${port}`, port })),
      endpoints: addresses(['10.8.0.1'], ['10.8.0.2'], ['10.8.0.3'], ['10.8.0.4']),
    }),
  },
  { name: 'empty slice', ...slice('s', { addressType: 'FQDN', endpoints: [] }) },
  { name: 'slice of any port', ...slice('s', { addressType: 'IPv6', endpoints: addresses(['fd00::1']), ports: [{}] }) },
]

const budget = at('policy', 'poddisruptionbudgets')
const selector = { matchLabels: { no: 'such' } }
const others: readonly TableCase[] = [
  {
    name: 'budget',
    ...budget('min', { spec: { minAvailable: '50%', selector } }),
    states: { allowing: { disruptionsAllowed: 2, currentHealthy: 4, desiredHealthy: 2, expectedPods: 4 } },
  },
  { name: 'budget of a maximum', ...budget('max', { spec: { maxUnavailable: 1, selector } }) },
  { name: 'budget of nothing', ...budget('none', { spec: { selector } }) },
  {
    name: 'lease',
    ...at('coordination.k8s.io', 'leases')('l', { spec: { holderIdentity: 'me', leaseDurationSeconds: 15 } }),
  },
  { name: 'free lease', ...at('coordination.k8s.io', 'leases')('l', {}) },
  { name: 'role', ...at('rbac.authorization.k8s.io', 'roles')('r', { rules: [] }) },
  {
    name: 'role binding',
    ...at('rbac.authorization.k8s.io', 'rolebindings')('b', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [
        { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'u' },
        { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', namespace: '{ns}', name: 'a' },
        { kind: 'ServiceAccount', namespace: 'other', name: 'b' },
      ],
    }),
  },
  {
    name: 'storage capacity',
    ...at('storage.k8s.io', 'csistoragecapacities')('c', {
      storageClassName: 'fast',
      capacity: '10Gi',
      maximumVolumeSize: '1Gi',
    }),
  },
]

const events: readonly TableCase[] = [
  {
    name: 'event of the new form',
    ...at('events.k8s.io', 'events')('e', {
      eventTime: '1600-01-01T00:00:00.000000Z',
      reportingController: 'example.com/c',
      reportingInstance: 'c-1',
      action: 'Do',
      reason: 'Done',
      regarding: { apiVersion: 'v1', kind: 'Pod', namespace: '{ns}', name: 'p' },
      note: 'text',
      type: 'Normal',
      deprecatedFirstTimestamp: LONG_AGO,
    }),
  },
]

export const steps = tableSteps([...networking, ...slices, ...others, ...events])
