import type { Step } from '../exchange.ts'

/** What discovery and OpenAPI say of groups that CRDs make; the group of the run keeps it apart from others'. */
const GROUP = 'd{ns}.example.com'
/** Of two CRDs of one group, the real server lists any first. */
const OTHER = 'e{ns}.example.com'
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const V2 = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' }
const schema = {
  type: 'object',
  description: 'A cup of something.',
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1, default: 3, description: 'How big.' },
        port: { 'x-kubernetes-int-or-string': true, description: 'Where.' },
        any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        more: { type: 'object', additionalProperties: { type: 'string' } },
        names: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', required: ['name'], properties: { name: { type: 'string', pattern: '^a' } } },
        },
        maybe: { type: 'string', nullable: true, format: 'date-time' },
        pod: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
        one: { type: 'string', enum: ['a', 'b'], maxLength: 3 },
      },
      oneOf: [{ required: ['one'] }, { required: ['maybe'] }],
    },
    status: { type: 'object', properties: { replicas: { type: 'integer' }, selector: { type: 'string' } } },
  },
}
const version = (name: string, more: object = {}) => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: schema },
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.size',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  },
  ...more,
})
const crd = (group: string, names: { plural: string; kind: string }, spec: object) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${names.plural}.${group}` },
  spec: { group, names, ...spec },
})
const cups = crd(
  GROUP,
  {
    plural: 'cups',
    kind: 'Cup',
    ...{ shortNames: ['cp', 'cu'], categories: ['all', 'kitchen'], singular: 'cup', listKind: 'CupList' },
  },
  {
    scope: 'Namespaced',
    versions: [
      version('v1beta1', { deprecated: true }),
      version('v1', { storage: true, deprecated: true, deprecationWarning: 'cups are out of fashion' }),
      version('v10'),
      version('v2alpha1'),
      version('v11beta2'),
      version('beta'),
      version('v3', { served: false }),
      version('v2'),
    ],
  },
)
const plates = crd(
  OTHER,
  { plural: 'plates', kind: 'Plate' },
  {
    scope: 'Cluster',
    versions: [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      { name: 'old', served: false, storage: false, schema: { openAPIV3Schema: { type: 'object' } } },
    ],
  },
)
const isEstablished = (body: unknown): boolean => JSON.stringify(body).includes('"type":"Established","status":"True"')
const get = (path: string, more: object = {}): Step => ({ name: `get ${path}`, method: 'GET', path, ...more })
const versions = ['v1', 'v2', 'v10', 'v3', 'beta', 'v2alpha1', 'old']
const has = (text: string) => (body: unknown) => JSON.stringify(body).includes(text)

export const steps: readonly Step[] = [
  { name: 'define cups', method: 'POST', path: CRDS, body: cups },
  { name: 'define plates', method: 'POST', path: CRDS, body: plates },
  get(`${CRDS}/cups.${GROUP}`, { until: isEstablished }),
  get(`${CRDS}/plates.${OTHER}`, { until: isEstablished }),
  get(`/apis/${GROUP}`, { until: has('v11beta2') }),
  get(`/apis/${GROUP}/v1`, { until: has('cups') }),
  get(`/apis/${OTHER}/v1`, { until: has('plates') }),
  ...versions.filter((name) => name !== 'v1').map((name) => get(`/apis/${GROUP}/${name}`)),
  get(`/apis/${GROUP}/`),
  get(`/apis/${GROUP}/v1/`),
  get(`/apis/${GROUP}/v1/nothing`),
  get(`/apis/${GROUP}/nothing`),
  get(`/apis/${GROUP}/v3/namespaces/{ns}/cups`),
  get(`/apis/${GROUP}/v1/namespaces/{ns}/cups`),
  get(`/apis/${GROUP}/v1beta1/namespaces/{ns}/cups`),
  get(`/apis/${OTHER}/v1/namespaces/{ns}/plates`),
  get(`/apis/${OTHER}/v1/plates`, { until: 200 }),
  get(`/apis/${GROUP}/v1/cups/one`),
  get(`/apis/${OTHER}/v1/plates/one/status`),
  get(`/openapi/v3/apis/${GROUP}/v1`, { until: has('Cup'), asHash: true }),
  get(`/openapi/v3/apis/${OTHER}/v1`, { until: has('Plate'), asHash: true }),
  get(`/openapi/v3/apis/${GROUP}/v2`, { asHash: true }),
  get(`/openapi/v3/apis/${GROUP}/v3`),
  get(`/openapi/v3/apis/${GROUP}`),
  { ...get('/apis'), name: 'the group among all', headers: V2 },
  { name: 'remove cups', method: 'DELETE', path: `${CRDS}/cups.${GROUP}` },
  { name: 'remove plates', method: 'DELETE', path: `${CRDS}/plates.${OTHER}` },
  get(`/apis/${GROUP}/v2alpha1`, { name: 'the group is gone', until: 404 }),
]
