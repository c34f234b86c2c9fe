import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import { CRDS, crdBody, installed, pathOf, removed } from '../crd-body.ts'
import type { Step } from '../exchange.ts'
import { MERGE } from '../map-steps.ts'

/** What manifests of other projects, and changes of their fields, once showed to be answered otherwise. */

const SERVICES = '/api/v1/namespaces/{ns}/services'
const SECRETS = '/api/v1/namespaces/{ns}/secrets'
const JOBS = '/apis/batch/v1/namespaces/{ns}/jobs'
const PODS = '/api/v1/namespaces/{ns}/pods'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/{ns}/deployments'
const APPLY = { 'content-type': 'application/apply-patch+yaml' }

const create = (name: string, path: string, body: JsonValue): Step => ({ name, method: 'POST', path, body })
const tried = (name: string, path: string, body: JsonValue): Step => create(name, `${path}?dryRun=All`, body)

const service = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name: 'web', ...metadata },
  spec: { ports: [{ port: 80 }], ...spec },
})

const merged = (name: string, path: string, body: JsonValue): Step => ({
  ...{ name, method: 'PATCH', path, headers: MERGE },
  body,
})

const services: readonly Step[] = [
  tried('a bad label beside a bad address', SERVICES, service({ clusterIP: 'server' }, { labels: { a: 'b/c' } })),
  tried('a bad label beside an address outside', SERVICES, service({ clusterIP: '1.2.3.4' }, { labels: { a: 'b/c' } })),
  create('an address outside, kept', SERVICES, service({ clusterIP: '1.2.3.4' })),
  tried('the address of the network', SERVICES, service({ clusterIP: '10.96.0.0' })),
  create('the address of the network, kept', SERVICES, service({ clusterIP: '10.96.0.0' })),
  tried('the last address', SERVICES, service({ clusterIP: '10.111.255.255' })),
  tried('an address that is taken', SERVICES, service({ clusterIP: '10.96.0.1' })),
  create('an address that is taken, kept', SERVICES, service({ clusterIP: '10.96.0.1' })),
  create('a Service with a port of nodes', SERVICES, {
    metadata: { name: 'ports' },
    spec: { type: 'NodePort', clusterIP: '10.96.0.91', ports: [{ port: 80, nodePort: 31877 }] },
  }),
  {
    name: 'its port twice',
    method: 'PATCH',
    path: `${SERVICES}/ports?dryRun=All`,
    headers: MERGE,
    body: { spec: { ports: [{ port: 80 }, { port: 80 }] } },
  },
  create('a headless Service', SERVICES, service({ clusterIP: 'None', selector: { a: 'b' } }, { name: 'headless' })),
  merged('its spec, gone', `${SERVICES}/headless?dryRun=All`, { spec: null }),
  merged('its selector, gone', `${SERVICES}/headless`, { spec: { selector: null } }),
  merged('its policy of families, gone as well', `${SERVICES}/headless`, {
    spec: { ipFamilyPolicy: null, ipFamilies: null },
  }),
]

const probed = (header: JsonObject): JsonObject => ({
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'c', image: 'i', livenessProbe: { httpGet: { port: 80, httpHeaders: [header] } } }] },
})

const container = (more: JsonObject): JsonObject => ({ name: 'c', image: 'i', ...more })
const workload = (...containers: readonly JsonObject[]): JsonObject => ({
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers } },
  },
})

const fields: readonly Step[] = [
  tried('a header without a name', PODS, probed({ value: 'v' })),
  tried('a header with a bad name', PODS, probed({ name: 'a b', value: 'v' })),
  tried('a header', PODS, probed({ name: 'X-A', value: 'v' })),
  tried('a wrong type and a wrong quantity', DEPLOYMENTS, {
    ...workload(container({ stdin: 'yes', resources: { limits: { memory: '__LIMIT__' } } })),
  }),
  tried('a wrong quantity and a wrong type', DEPLOYMENTS, {
    ...workload(container({ resources: { limits: { memory: '__LIMIT__' } } }), container({ stdin: 'yes' })),
  }),
  tried('two wrong types', DEPLOYMENTS, { ...workload(container({ tty: 1, stdin: 'yes' })) }),
  tried('a wrong type and a port beyond its size', DEPLOYMENTS, {
    ...workload(container({ stdin: 'yes', livenessProbe: { httpGet: { port: 9_999_999_999 } } })),
  }),
  tried('a wrong type and a wrong time', DEPLOYMENTS, {
    ...workload(container({ stdin: 'yes' })),
    metadata: { name: 'web', generation: 'x', creationTimestamp: 'yesterday' },
  }),
]

const secret = (value: JsonValue): JsonObject => ({ metadata: { name: 'bytes' }, data: { a: value } })

const bytes: readonly Step[] = [
  tried('bytes as a list of texts', SECRETS, secret(['a'])),
  tried('bytes as a list of numbers', SECRETS, secret([97, 98, null])),
  tried('bytes as a list of large numbers', SECRETS, secret([97, 256])),
  tried('bytes as an empty list', SECRETS, secret([])),
]

const job = (metadata: JsonObject, labels: JsonObject, spec: JsonObject = {}): JsonObject => ({
  metadata: { name: 'exported', ...metadata },
  spec: { template: { metadata: { labels }, spec: { restartPolicy: 'Never', containers: [container({})] } }, ...spec },
})
const UID = 'b8a6a4f5-2f3b-4f6e-9f0b-000000000001'
const BATCH = 'batch.kubernetes.io'

const jobs: readonly Step[] = [
  tried('a Job with the labels of its former self', JOBS, job({}, { 'controller-uid': UID, 'job-name': 'exported' })),
  tried('a Job with the name of another', JOBS, job({}, { [`${BATCH}/job-name`]: 'other' })),
  tried('a Job with a selector of its own', JOBS, job({}, { a: 'b' }, { selector: { matchLabels: { a: 'b' } } })),
  tried('a recycled volume without a path', '/api/v1/persistentvolumes', {
    metadata: { name: 'recycled-{ns}' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Recycle',
      hostPath: { path: '' },
    },
  }),
]

const versioned = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'exported', resourceVersion: '99' } }
const applied = (name: string, query: string): Step => ({
  name,
  method: 'PATCH',
  path: `/api/v1/namespaces/{ns}/configmaps/exported?fieldManager=alice${query}`,
  headers: APPLY,
  body: versioned,
})

/** Two versions with one selectable field; `more` is a field of the second alone. */
function selectable(more: JsonObject): JsonObject {
  const schemaWith = (others: JsonObject): JsonObject => {
    const spec = { type: 'object', properties: { size: { type: 'string' }, ...others } }
    return { openAPIV3Schema: { type: 'object', properties: { spec } } }
  }
  const selectableFields = [{ jsonPath: '.spec.size' }]
  const versions = [
    { name: 'v1', served: true, storage: true, schema: schemaWith({}), selectableFields },
    { name: 'v2', served: true, storage: false, schema: schemaWith(more), selectableFields },
  ]
  return crdBody({ singular: 'choice', spec: { versions } })
}

function converted(service: JsonObject): JsonObject {
  const clientConfig = { service: { name: 'hook', namespace: 'default', ...service } }
  const webhook = { conversionReviewVersions: ['v1'], clientConfig }
  return crdBody({ singular: 'turn', spec: { conversion: { strategy: 'Webhook', webhook } } })
}

const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }

export const steps: readonly Step[] = [
  ...services,
  ...fields,
  ...bytes,
  ...jobs,
  applied('an exported manifest is applied in a dry run', '&dryRun=All'),
  applied('an exported manifest is applied', ''),
  ...installed({ singular: 'double' }),
  {
    name: 'its version twice',
    method: 'PATCH',
    path: `${CRDS}/doubles.double.{ns}.test?dryRun=All`,
    headers: MERGE,
    body: { spec: { versions: [version, version] } },
  },
  { name: 'the kind is still served', method: 'GET', path: pathOf('double') },
  removed('double'),
  tried('one selectable field of equal versions', CRDS, selectable({})),
  tried('one selectable field of versions that differ', CRDS, selectable({ color: { type: 'string' } })),
  tried('a path of a conversion webhook without a slash', CRDS, converted({ path: 'convert' })),
  tried('a path of a conversion webhook with a bad segment', CRDS, converted({ path: '/a/B_c' })),
  tried('a port of a conversion webhook beyond the last', CRDS, converted({ port: 70_000 })),
  tried('a conversion webhook without the name of its service', CRDS, converted({ name: '' })),
  tried('a path of a conversion webhook', CRDS, converted({ path: '/convert' })),
]
