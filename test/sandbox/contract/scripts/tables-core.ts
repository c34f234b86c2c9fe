import type { JsonObject } from '../../../../src/core/base/json.ts'
import { LONG_AGO, type TableCase, tableSteps } from '../table-steps.ts'

const IN = '/api/v1/namespaces/{ns}'
const service = (name: string, spec: object) => ({
  path: `${IN}/services`,
  body: { metadata: { name }, spec } as JsonObject,
})
const http = { name: 'http', port: 80 }
const dns = { name: 'dns', port: 53, protocol: 'UDP' }
const hostname = 'a-load-balancer-with-a-long-name.example.com'

const services: readonly TableCase[] = [
  { name: 'service', ...service('c', { clusterIP: '10.111.7.1', selector: { b: '2', a: '1' }, ports: [http, dns] }) },
  { name: 'headless service', ...service('h', { clusterIP: 'None', ports: [http] }) },
  { name: 'service without ports', ...service('n', { clusterIP: 'None' }) },
  {
    name: 'node port service',
    ...service('np', { type: 'NodePort', clusterIP: '10.111.7.2', ports: [{ ...http, nodePort: 31977 }] }),
  },
  { name: 'external name', ...service('e', { type: 'ExternalName', externalName: 'db.example.com' }) },
  {
    name: 'service with addresses',
    ...service('x', { clusterIP: '10.111.7.3', externalIPs: ['1.2.3.4', '1.2.3.5'], ports: [http] }),
  },
  {
    name: 'load balancer',
    ...service('lb', {
      type: 'LoadBalancer',
      clusterIP: '10.111.7.4',
      externalIPs: ['1.2.3.4'],
      ports: [{ ...http, nodePort: 31978 }],
    }),
    states: {
      'with addresses': { loadBalancer: { ingress: [{ ip: '203.0.113.7' }, { hostname: 'lb.example.com' }] } },
      'with a long name': { loadBalancer: { ingress: [{ hostname }] } },
    },
  },
]

const claim = (name: string, spec: object) => ({
  path: `${IN}/persistentvolumeclaims`,
  body: { metadata: { name }, spec: { resources: { requests: { storage: '1Gi' } }, ...spec } } as JsonObject,
})
const claims: readonly TableCase[] = [
  {
    name: 'claim',
    ...claim('c', { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], storageClassName: 'none', volumeMode: 'Block' }),
    states: {
      bound: { phase: 'Bound', accessModes: ['ReadWriteMany', 'ReadWriteOncePod'], capacity: { storage: '1536Mi' } },
      lost: { phase: 'Lost' },
    },
  },
  {
    name: 'claim of a volume',
    ...claim('v', {
      accessModes: ['ReadWriteOnce'],
      storageClassName: '',
      volumeName: 'no-such-volume',
      volumeAttributesClassName: 'gold',
    }),
  },
]

const quota = (name: string, spec: object) => ({
  path: `${IN}/resourcequotas`,
  body: { metadata: { name }, spec } as JsonObject,
})
const others: readonly TableCase[] = [
  {
    name: 'config map',
    path: `${IN}/configmaps`,
    body: { metadata: { name: 'm' }, data: { a: '1' }, binaryData: { b: 'AA==' } },
  },
  { name: 'empty config map', path: `${IN}/configmaps`, body: { metadata: { name: 'm' } } },
  {
    name: 'secret',
    path: `${IN}/secrets`,
    body: { metadata: { name: 's' }, data: { a: 'AA==' }, stringData: { b: '' } },
  },
  {
    name: 'secret of a type',
    path: `${IN}/secrets`,
    body: { metadata: { name: 's' }, type: 'kubernetes.io/basic-auth', stringData: { username: 'u' } },
  },
  {
    name: 'service account',
    path: `${IN}/serviceaccounts`,
    body: { metadata: { name: 'a' }, secrets: [{ name: 'x' }] },
  },
  {
    name: 'quota',
    ...quota('q', { hard: { 'requests.cpu': '2', pods: '3', 'limits.memory': '1Gi', 'count/x': '4' } }),
  },
  {
    name: 'quota in use',
    ...quota('u', { hard: { 'requests.cpu': '2', pods: '3', 'limits.cpu': '4' } }),
    states: {
      used: {
        hard: { 'requests.cpu': '2', pods: '3', 'limits.cpu': '4' },
        used: { 'requests.cpu': '1500m', pods: '1', 'limits.cpu': '0' },
      },
    },
  },
  {
    name: 'limit range',
    path: `${IN}/limitranges`,
    body: { metadata: { name: 'l' }, spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] } },
  },
  {
    name: 'endpoints',
    path: `${IN}/endpoints`,
    body: {
      metadata: { name: 'e' },
      subsets: [
        { addresses: [{ ip: '10.9.0.1' }, { ip: '10.9.0.2' }], ports: [{ port: 80 }, { name: 'b', port: 81 }] },
        { addresses: [{ ip: '10.9.0.3' }], notReadyAddresses: [{ ip: '10.9.0.4' }], ports: [{ port: 90 }] },
      ],
    },
  },
  {
    name: 'endpoints without ports',
    path: `${IN}/endpoints`,
    body: { metadata: { name: 'e' }, subsets: [{ addresses: [{ ip: '10.9.0.1' }] }] },
  },
  { name: 'endpoints of nothing', path: `${IN}/endpoints`, body: { metadata: { name: 'e' } } },
]

const reference = { kind: 'Pod', namespace: '{ns}', name: 'p', fieldPath: 'spec.containers{web}' }
const event = (name: string, more: object) => ({
  path: `${IN}/events`,
  body: { metadata: { name }, involvedObject: reference, reason: 'Pulled', ...more } as JsonObject,
})
const events: readonly TableCase[] = [
  {
    name: 'event',
    ...event('a', {
      type: 'Normal',
      message: 'first line\nsecond line',
      count: 7,
      firstTimestamp: LONG_AGO,
      lastTimestamp: LONG_AGO,
      source: { component: 'kubelet', host: 'node-1' },
    }),
  },
  { name: 'event without times', ...event('b', { message: ' spaces ' }) },
  {
    name: 'event of a series',
    path: `/apis/events.k8s.io/v1/namespaces/{ns}/events`,
    body: {
      metadata: { name: 'c' },
      eventTime: '1600-01-01T00:00:00.000000Z',
      series: { count: 3, lastObservedTime: '1600-01-01T00:00:00.000000Z' },
      reportingController: 'example.com/c',
      reportingInstance: 'c-1',
      action: 'Do',
      reason: 'Done',
      regarding: { kind: 'Node', name: 'n' },
      note: 'a note',
      type: 'Warning',
    },
  },
]

export const steps = tableSteps([...services, ...claims, ...others, ...events])
