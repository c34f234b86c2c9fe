import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { createMap, get, METADATA, patch, remove, TABLE, watch } from '../map-steps.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const CRD = `${CRDS}/gauges.{ns}.example.com`
const V1 = '/apis/{ns}.example.com/v1/namespaces/{ns}/gauges'
const V2 = '/apis/{ns}.example.com/v2/namespaces/{ns}/gauges'
const ALL = '/apis/{ns}.example.com/v1/gauges'
const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { color: { type: 'string' }, level: { type: 'integer', default: 1 } } },
      status: { type: 'object', properties: { phase: { type: 'string' } } },
    },
  },
}
const version = (name: string): JsonObject => ({
  name,
  served: true,
  storage: name === 'v1',
  schema,
  subresources: { status: {} },
  selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.status.phase' }],
  additionalPrinterColumns: [{ name: 'Color', type: 'string', jsonPath: '.spec.color' }],
})
const gauge = (name: string, color: string, metadata: JsonObject = {}): Step => ({
  name: `create gauge ${name}`,
  method: 'POST',
  path: V1,
  body: {
    apiVersion: '{ns}.example.com/v1',
    kind: 'Gauge',
    metadata: { name, labels: { g: '1' }, ...metadata },
    spec: { color },
  },
})
const change = (what: string, name: string, body: JsonObject, subresource = ''): Step =>
  patch(what, `${V1}/${name}${subresource}`, body)
const FROM_START = 'resourceVersion={the first gauge.rv}'

/** Versions from before the CRD was there are forgotten, whatever the age of the server. */
const GONE: readonly Step[] = [
  watch('a version long gone', V1, 'resourceVersion=1'),
  watch('a version before the CRD', V1, 'resourceVersion={create before.rv}'),
  watch('a version long gone, by label', V1, 'resourceVersion=1&labelSelector=g'),
  watch('a version long gone, by name', V1, 'resourceVersion=1&fieldSelector=metadata.name%3Da'),
  watch('a version long gone, in another version', V2, 'resourceVersion=1'),
  watch('a version long gone, of all namespaces', ALL, 'resourceVersion=1'),
  watch('a version long gone, as a table', V1, 'resourceVersion=1', { headers: TABLE }),
  watch('a version long gone, as metadata', V1, 'resourceVersion=1', { headers: METADATA }),
  watch('a version long gone, with bookmarks', V1, 'resourceVersion=1&allowWatchBookmarks=true'),
  watch(
    'a version long gone, without initial events',
    V1,
    'resourceVersion=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
  ),
  watch(
    'not older than a version long gone',
    V1,
    'resourceVersion=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
  ),
]

export const steps: readonly Step[] = [
  createMap('before'),
  {
    name: 'create the CRD',
    method: 'POST',
    path: CRDS,
    body: {
      metadata: { name: 'gauges.{ns}.example.com' },
      spec: {
        group: '{ns}.example.com',
        scope: 'Namespaced',
        names: { plural: 'gauges', kind: 'Gauge' },
        versions: [version('v1'), version('v2')],
      },
    },
  },
  get('it is served', V1, { until: 200 }),
  get('its second version is served', V2, { until: 200 }),
  { ...gauge('first', 'red'), as: 'the first gauge' },
  ...GONE,
  watch('from a version', V1, FROM_START),
  watch('from now', V1, 'labelSelector=g'),
  watch('in another version', V2, FROM_START),
  watch('of all namespaces', ALL, `${FROM_START}&labelSelector=g`),
  watch('as metadata', V1, FROM_START, { headers: METADATA }),
  watch('as a table', V1, FROM_START, { headers: TABLE }),
  watch('as a table with objects', V1, `${FROM_START}&includeObject=Object`, { headers: TABLE }),
  watch('of red ones', V1, `${FROM_START}&fieldSelector=spec.color%3Dred`),
  watch('of those that are not red', V1, `${FROM_START}&fieldSelector=spec.color!%3Dred`),
  watch('of what runs', V1, `${FROM_START}&fieldSelector=status.phase%3DRunning`),
  watch('of one', V1, `${FROM_START}&fieldSelector=metadata.name%3Da`),
  watch('by a field that cannot be selected', V1, `${FROM_START}&fieldSelector=spec.level%3D1`),
  watch('with initial events', V1, 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'),
  gauge('a', 'red'),
  gauge('b', 'blue'),
  change('a turns blue', 'a', { spec: { color: 'blue' } }),
  change('a runs', 'a', { status: { phase: 'Running' } }, '/status'),
  change('a runs still', 'a', { status: { phase: 'Running' } }, '/status'),
  change('a status where none is taken', 'a', { status: { phase: 'Failed' } }),
  change('a loses its label', 'a', { metadata: { labels: { g: null } } }),
  change('a ends', 'a', { status: { phase: 'Failed' } }, '/status'),
  change('a turns red', 'a', { spec: { color: 'red' } }),
  remove('delete a', `${V1}/a`),
  { ...gauge('a', 'green'), name: 'create a again' },
  gauge('held', 'red', { finalizers: ['example.com/hold'] }),
  remove('delete what is held', `${V1}/held`),
  change('change what is held', 'held', { spec: { color: 'blue' } }),
  change('let it go', 'held', { metadata: { finalizers: null } }),
  remove('delete all', V1),
  remove('delete the CRD', CRD),
  get('it is served no more', V1, { until: 404 }),
]
