import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { crdSteps, crdVersion, ObjectSteps } from '../object-steps.ts'
import { TABLE } from '../table-steps.ts'

const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices'
const GROUP = 'far-{ns}.example.com'
const V2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

const valid = { group: 'a.example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 10 }
const service = { namespace: '{ns}', name: 'far' }
const tried = (name: string, spec: JsonObject, of = 'v1.a.example.com'): Step => ({
  name: `an APIService ${name}`,
  method: 'POST',
  path: `${SERVICES}?dryRun=All`,
  body: { metadata: { name: of }, spec: { ...valid, ...spec } },
})

const remoteSpec = { group: GROUP, version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 }
const path = `${SERVICES}/v1beta1.${GROUP}`
const remote = { metadata: { name: `v1beta1.${GROUP}` }, spec: { ...remoteSpec, insecureSkipTLSVerify: true, service } }
const get = (name: string, of: string, more: Partial<Step> = {}): Step => ({ name, method: 'GET', path: of, ...more })
const patch = (name: string, body: JsonObject, of = path): Step => ({
  name,
  method: 'PATCH',
  path: of,
  headers: { 'content-type': 'application/merge-patch+json' },
  body,
})
const because =
  (reason: string) =>
  (body: JsonValue): boolean =>
    JSON.stringify(body).includes(`"reason":"${reason}"`)
/** Of the groups, the one of the script. */
const names = (body: JsonValue): boolean => JSON.stringify(body).includes('"far-')
const gone = (body: JsonValue): boolean => !names(body)

const slice = new ObjectSteps(
  'Far',
  '/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices',
  'discovery.k8s.io/v1 EndpointSlice',
)

const unreachable: readonly Step[] = [
  { name: 'a remote one', method: 'POST', path: SERVICES, body: remote },
  get('without its Service', path, { until: because('ServiceNotFound') }),
  get('without its Service, in a table', path, { headers: { accept: TABLE } }),
  get('its group', `/apis/${GROUP}`, { until: isJsonObject }),
  get('its version', `/apis/${GROUP}/v1beta1`, { until: 503, shows: ['x-content-type-options'] }),
  get('its resources', `/apis/${GROUP}/v1beta1/namespaces/{ns}/things?limit=5`),
  get('one of them', `/apis/${GROUP}/v1beta1/things/one`, { headers: { accept: 'application/json' } }),
  { name: 'another of them', method: 'POST', path: `/apis/${GROUP}/v1beta1/things`, body: { kind: 'Thing' } },
  get('another version', `/apis/${GROUP}/v1/things`),
  get('the groups', '/apis', { until: names }),
  get('the groups with their resources', '/apis', { headers: { accept: V2 }, until: names }),
  {
    name: 'its Service',
    method: 'POST',
    path: '/api/v1/namespaces/{ns}/services',
    body: { metadata: { name: 'far' }, spec: { clusterIP: 'None', ports: [{ name: 'web', port: 80 }] } },
  },
  get('with a Service of another port', path, { until: because('ServicePortError') }),
  patch('its port', { spec: { service: { port: 80 } } }),
  get('without endpoints', path, { until: because('EndpointsNotFound') }),
  slice.create({
    metadata: { labels: { 'kubernetes.io/service-name': 'far' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.2.3'], conditions: { ready: false } }],
    ports: [{ name: 'web', port: 80 }],
  }),
  get('without ready endpoints', path, { until: because('MissingEndpoints') }),
  get('without ready endpoints, in a table', path, { headers: { accept: TABLE } }),
]

const changes: readonly Step[] = [
  patch('its status is no matter of the spec', { status: { conditions: [] } }),
  patch(
    'its spec is no matter of the status',
    { spec: { versionPriority: 7 }, metadata: { labels: { a: 'b' } } },
    `${path}/status?dryRun=All`,
  ),
  patch(
    'a condition of another status',
    { status: { conditions: [{ type: 'A', status: 'Maybe' }] } },
    `${path}/status`,
  ),
  patch('another group', { spec: { group: 'b.example.com' } }),
  patch('a bad label', { metadata: { labels: { 'a b': 'c' } } }),
  { name: 'without its version', method: 'PUT', path, body: remote },
  { name: 'remove it', method: 'DELETE', path },
  get('its group is gone', `/apis/${GROUP}`, { until: 404 }),
  get('its version is gone', `/apis/${GROUP}/v1beta1`, { until: 404 }),
  get('the groups are as before', '/apis', { headers: { accept: V2 }, until: gone }),
]

const ofCrds: readonly Step[] = [
  ...crdSteps('Near', [
    crdVersion({ type: 'object' }),
    crdVersion({ type: 'object' }, { name: 'v2' }),
    crdVersion({ type: 'object' }, { name: 'v3', served: false }),
  ]),
  get('of a CRD', `${SERVICES}/v1.{ns}.example.com`, { until: 200 }),
  get('of a version that is not served', `${SERVICES}/v3.{ns}.example.com`),
  get('of another version', `${SERVICES}/v2.{ns}.example.com`, { until: 200, as: 'second' }),
  { name: 'removed', method: 'DELETE', path: `${SERVICES}/v2.{ns}.example.com` },
  get('it comes back', `${SERVICES}/v2.{ns}.example.com`, { until: 200 }),
  {
    name: 'remove the CRD',
    method: 'DELETE',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/nears.{ns}.example.com',
  },
  get('of no CRD', `${SERVICES}/v1.{ns}.example.com`, { until: 404 }),
]

/** APIServices: those of the server, those of its CRDs, and those of programs that cannot be reached. */
export const steps: readonly Step[] = [
  get('the core', `${SERVICES}/v1.`),
  get('apps', `${SERVICES}/v1.apps`),
  get('autoscaling', `${SERVICES}/v2.autoscaling`),
  tried('of this server', {}),
  tried('of another name', {}, 'v2.a.example.com'),
  tried('of a bad name', {}, 'a/b'),
  tried('of no group', { group: '' }, 'v1.'),
  tried('of no group and another version', { group: '', version: 'v2' }, 'v2.'),
  tried('of a bad group', { group: 'A_b' }, 'v1.A_b'),
  tried('of a bad version', { version: '1x' }, '1x.a.example.com'),
  tried('of no version', { version: '' }, '.a.example.com'),
  tried('of no priorities', { groupPriorityMinimum: 0, versionPriority: 0 }),
  tried('of high priorities', { groupPriorityMinimum: 20_001, versionPriority: 1001 }),
  tried('of the highest priorities', { groupPriorityMinimum: 20_000, versionPriority: 1000 }),
  tried('of this server with a certificate', { caBundle: 'YWJj', insecureSkipTLSVerify: true }),
  tried('of a Service', { service }),
  tried('of no Service', { service: {} }),
  tried('of a bad port', { service: { ...service, port: 65_536 } }),
  tried('of a Service with a certificate', { service, caBundle: 'YWJj' }),
  tried('of a Service with a certificate in vain', { service, caBundle: 'YWJj', insecureSkipTLSVerify: true }),
  tried('of a Service with no certificate', { service, caBundle: 'no base64!' }),
  ...unreachable,
  ...changes,
  ...ofCrds,
]
