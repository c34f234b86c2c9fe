import type { Step } from '../exchange.ts'
import { createMap, get, MAPS, METADATA, METADATA_LIST, TABLE } from '../map-steps.ts'

const LIST = `${MAPS}?labelSelector=l`
const NOTHING = `${MAPS}?labelSelector=nothing`
const accept = (value: string): { headers: Record<string, string> } => ({ headers: { accept: value } })
const as = (kind: string, version = 'v1', group = 'meta.k8s.io'): string =>
  `application/json;as=${kind};v=${version};g=${group}`

const FORMS: Readonly<Record<string, string>> = {
  metadata: as('PartialObjectMetadataList'),
  'metadata, old version': as('PartialObjectMetadataList', 'v1beta1'),
  'metadata, unknown version': as('PartialObjectMetadataList', 'v2'),
  'metadata of one object': as('PartialObjectMetadata'),
  'table, old version': as('Table', 'v1beta1'),
  'table of another group': as('Table', 'v1', 'example.com'),
  'table or JSON': `${as('Chair')},application/json`,
  'table, if metadata cannot be': `${as('PartialObjectMetadata', 'v9')},${as('PartialObjectMetadataList')}`,
  'no form that is served': `${as('Chair')},text/plain`,
  'every form': '*/*',
  'every form of an application': 'application/*',
  'JSON by a lower quality': 'text/plain;q=0.9, application/json;q=0.1',
  'JSON with a charset': 'application/json; charset=utf-8',
}

/** Kinds without an object in the namespace. */
const EMPTY: Readonly<Record<string, string>> = {
  deployments: '/apis/apps/v1/namespaces/{ns}/deployments',
  jobs: '/apis/batch/v1/namespaces/{ns}/jobs',
  events: '/apis/events.k8s.io/v1/namespaces/{ns}/events',
  ingresses: '/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses',
  autoscalers: '/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers',
  'old autoscalers': '/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers',
  budgets: '/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets',
  slices: '/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices',
  'role bindings': '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings',
  'those of a namespace that is not there': '/api/v1/namespaces/{ns}-none/configmaps',
}

export const steps: readonly Step[] = [
  createMap('b', { labels: { l: '1' }, annotations: { n: 'm' } }, { x: 'y' }),
  createMap('a', { labels: { l: '2' } }),
  createMap('a-b', { labels: { l: '3' } }),
  createMap('a.b', { labels: { l: '4' } }),
  createMap('a0', { labels: { l: '5' } }),
  get('in the order of names', LIST),
  get('a list has no kinds in its items', `${LIST}&limit=1`),
  ...Object.entries(FORMS).map(([name, value]) => get(`as ${name}`, LIST, accept(value))),
  get('one object as metadata', `${MAPS}/a`, { headers: METADATA }),
  get('one object as a list of metadata', `${MAPS}/a`, { headers: METADATA_LIST }),
  get('nothing', NOTHING),
  get('nothing as metadata', NOTHING, { headers: METADATA_LIST }),
  get('nothing as a table', NOTHING, { headers: TABLE }),
  get('nothing in pages', `${NOTHING}&limit=5`),
  ...Object.entries(EMPTY).map(([name, path]) => get(`no ${name}`, path)),
  get('all namespaces', '/api/v1/configmaps?labelSelector=l&fieldSelector=metadata.namespace%3D{ns}'),
  get('all namespaces as metadata', '/api/v1/configmaps?labelSelector=l&fieldSelector=metadata.namespace%3D{ns}', {
    headers: METADATA_LIST,
  }),
  get('all namespaces as a table', '/api/v1/configmaps?labelSelector=l&fieldSelector=metadata.namespace%3D{ns}', {
    headers: TABLE,
  }),
  get('pretty', `${LIST}&limit=1&pretty=true`),
  get('a trailing slash', `${MAPS}/?labelSelector=l`),
  get('a kind that cannot be listed', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'),
  get('a subresource of a collection', '/api/v1/namespaces/{ns}/pods/status'),
]
