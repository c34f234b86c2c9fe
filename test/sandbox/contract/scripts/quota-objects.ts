import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const CORE = '/api/v1/namespaces/{ns}'
const TABLE = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }
const METADATA = { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' }
const MERGE = { 'content-type': 'application/merge-patch+json' }

function quota(name: string, hard: JsonObject, more: JsonObject = {}): Step {
  const body = { metadata: { name }, spec: { hard, ...more } }
  return { name: `quota ${name}`, method: 'POST', path: `${CORE}/resourcequotas`, body }
}

/** What kubectl shows of it, once a controller has counted. */
function used(name: string, when: string, text: string): Step {
  return {
    name: `${name} ${when}`,
    method: 'GET',
    path: `${CORE}/resourcequotas/${name}?includeObject=None`,
    headers: TABLE,
    until: (body) => JSON.stringify(body).includes(text),
  }
}

function create(what: string, plural: string, body: JsonObject, query = ''): Step {
  const name = what.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const path = plural.includes('/')
    ? `/apis/${plural.replace(/\/([^/]+)$/, '/namespaces/{ns}/$1')}`
    : `${CORE}/${plural}`
  // Addresses of Services differ from run to run.
  const headers = plural === 'services' && { headers: METADATA }
  return { name: what, method: 'POST', path: `${path}${query}`, ...headers, body: { metadata: { name }, ...body } }
}

function removeQuota(name: string): Step {
  return {
    name: `delete the ${name} quota`,
    method: 'DELETE',
    path: `${CORE}/resourcequotas/${name}`,
    differs:
      'in managedFields, the real API server itself counts what it admits, the sandbox leaves that to its controller',
  }
}

const map: JsonObject = {}
const service = (spec: JsonObject): JsonObject => ({ spec: { ports: [{ port: 80 }], ...spec } })
const claim = (storage: string, more: JsonObject = {}): JsonObject => ({
  spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'none', resources: { requests: { storage } }, ...more },
})
const pod = (resources: JsonObject, more: JsonObject = {}): JsonObject => ({
  spec: {
    schedulerName: 'nobody',
    automountServiceAccountToken: false,
    containers: [{ name: 'a', image: 'a', resources }],
    ...more,
  },
})
const small = { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '200m', memory: '128Mi' } }

export const steps: readonly Step[] = [
  quota('counts', { secrets: '2', 'count/deployments.apps': '1', 'count/leases.coordination.k8s.io': '1' }),
  used('counts', 'at first', '0/2'),
  create('first secret', 'secrets', map),
  used('counts', 'after a secret', '1/2'),
  create('a secret by trial', 'secrets', map, '?dryRun=All'),
  create('second secret', 'secrets', map),
  create('third secret', 'secrets', map),
  create('third secret by trial', 'secrets', map, '?dryRun=All'),
  { name: 'a generated secret', method: 'POST', path: `${CORE}/secrets`, body: { metadata: { generateName: 'x-' } } },
  {
    name: 'change a secret',
    method: 'PATCH',
    path: `${CORE}/secrets/first-secret`,
    headers: MERGE,
    body: { stringData: { a: 'b' } },
  },
  { name: 'delete a secret', method: 'DELETE', path: `${CORE}/secrets/first-secret` },
  used('counts', 'after a deletion', '1/2'),
  create('third secret again', 'secrets', map),
  create('first lease', 'coordination.k8s.io/v1/leases', {}),
  create('second lease', 'coordination.k8s.io/v1/leases', {}),
  create('a map that nobody counts', 'configmaps', map),
  quota('services', { services: '3', 'services.nodeports': '1', 'services.loadbalancers': '0' }),
  used('services', 'at first', '0/3'),
  create('first service', 'services', service({})),
  create('a node port', 'services', service({ type: 'NodePort' })),
  create('another node port', 'services', service({ type: 'NodePort' })),
  create(
    'two node ports',
    'services',
    service({
      type: 'NodePort',
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', port: 2 },
      ],
    }),
  ),
  create('a load balancer', 'services', service({ type: 'LoadBalancer' })),
  {
    name: 'make the first a node port',
    method: 'PATCH',
    path: `${CORE}/services/first-service`,
    headers: MERGE,
    body: { spec: { type: 'NodePort' } },
  },
  create('third service', 'services', service({})),
  create('fourth service', 'services', service({})),
  used('services', 'at last', '3/3'),
  quota('storage', {
    persistentvolumeclaims: '2',
    'requests.storage': '3Gi',
    'none.storageclass.storage.k8s.io/requests.storage': '2Gi',
  }),
  used('storage', 'at first', '0/2'),
  create('first claim', 'persistentvolumeclaims', claim('1Gi')),
  create('a large claim', 'persistentvolumeclaims', claim('2Gi')),
  create('a claim of another class', 'persistentvolumeclaims', claim('2Gi', { storageClassName: 'other' })),
  create('third claim', 'persistentvolumeclaims', claim('1Mi', { storageClassName: 'other' })),
  used('storage', 'at last', '2/2'),
  removeQuota('storage'),
  quota('compute', {
    pods: '2',
    'requests.cpu': '250m',
    'requests.memory': '256Mi',
    'limits.cpu': '1',
    'limits.memory': '1Gi',
  }),
  used('compute', 'at first', '0/2'),
  create('a pod without resources', 'pods', pod({})),
  create('a pod without limits', 'pods', pod({ requests: small.requests })),
  create('first pod', 'pods', pod(small)),
  used('compute', 'after a pod', '1/2'),
  create('a pod with much cpu', 'pods', pod({ ...small, requests: { cpu: '200m', memory: '64Mi' } })),
  create(
    'a pod with much of all',
    'pods',
    pod({ requests: { cpu: '200m', memory: '300Mi' }, limits: { cpu: '1', memory: '1Gi' } }),
  ),
  create(
    'a pod with an init container',
    'pods',
    pod(small, { initContainers: [{ name: 'i', image: 'i', resources: small }] }),
    '?dryRun=All',
  ),
  create('a pod with a bare init container', 'pods', pod(small, { initContainers: [{ name: 'i', image: 'i' }] })),
  create('second pod', 'pods', pod(small)),
  create('third pod', 'pods', pod({ requests: { cpu: '1m', memory: '1Mi' }, limits: { cpu: '1m', memory: '1Mi' } })),
  used('compute', 'at last', '2/2'),
  removeQuota('compute'),
  quota('besteffort', { pods: '0' }, { scopes: ['BestEffort'] }),
  used('besteffort', 'at first', '0/0'),
  create('a pod of best effort', 'pods', pod({})),
  create('a pod of better effort', 'pods', pod(small), '?dryRun=All'),
  quota('terminating', { pods: '0' }, { scopes: ['Terminating', 'NotBestEffort'] }),
  used('terminating', 'at first', '0/0'),
  create('a pod with an end', 'pods', pod(small, { activeDeadlineSeconds: 60 })),
  create('a pod without end', 'pods', pod(small), '?dryRun=All'),
]
