import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const GROUP = '{ns}.example.com'
const WIDGETS = `/apis/${GROUP}/v1/namespaces/{ns}/widgets`
const MERGE = { 'content-type': 'application/merge-patch+json' }
const APPLY = { 'content-type': 'application/apply-patch+yaml' }
const STRATEGIC = { 'content-type': 'application/strategic-merge-patch+json' }
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'

const spec: JsonObject = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 10 },
    color: { type: 'string', enum: ['red', 'green'], default: 'red' },
    name: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 },
    tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', maxItems: 3 },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port'],
      items: {
        type: 'object',
        required: ['port'],
        properties: { port: { type: 'integer' }, name: { type: 'string', default: 'p' } },
      },
    },
    any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    intOrString: { 'x-kubernetes-int-or-string': true },
    selector: { type: 'string' },
    replicas: { type: 'integer' },
    maybe: { type: 'string', nullable: true },
  },
}
const schema = { openAPIV3Schema: { type: 'object', properties: { spec, status: STATUS() } } }

function STATUS(): JsonObject {
  return { type: 'object', properties: { replicas: { type: 'integer' }, phase: { type: 'string' } } }
}

const LOOSE = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }

const crd: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wi'], categories: ['all'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema,
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.replicas',
            statusReplicasPath: '.status.replicas',
            labelSelectorPath: '.spec.selector',
          },
        },
        additionalPrinterColumns: [
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
          { name: 'Color', type: 'string', jsonPath: '.spec.color', priority: 1, description: 'Its color' },
          { name: 'Tags', type: 'string', jsonPath: '.spec.tags' },
          { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        ],
        selectableFields: [{ jsonPath: '.spec.color' }],
      },
      { name: 'v1alpha1', served: true, storage: false, deprecated: true, schema: LOOSE },
    ],
  },
}

const widget = (name: string, body: object = {}, more: object = {}) => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Widget',
  metadata: { name },
  spec: { size: 1, ...body },
  ...more,
})
const refused = (name: string, body: object): Step => ({
  name,
  method: 'POST',
  path: WIDGETS,
  body: widget('bad', body),
})

export const steps: readonly Step[] = [
  { name: 'create the CRD', method: 'POST', path: CRDS, body: crd },
  { name: 'it is served', method: 'GET', path: WIDGETS, until: 200 },
  { name: 'the CRD is established', method: 'GET', path: `${CRDS}/widgets.${GROUP}` },
  { name: 'its group', method: 'GET', path: `/apis/${GROUP}`, until: 200 },
  { name: 'its resources', method: 'GET', path: `/apis/${GROUP}/v1`, until: 200 },
  { name: 'create', method: 'POST', path: WIDGETS, body: widget('w') },
  { name: 'create with a status', method: 'POST', path: WIDGETS, body: widget('s', {}, { status: { phase: 'x' } }) },
  {
    name: 'unknown fields are pruned',
    method: 'POST',
    path: WIDGETS,
    body: widget('u', { foo: 1, any: { x: { y: 1 } } }, { bar: 1 }),
  },
  {
    name: 'unknown fields are refused',
    method: 'POST',
    path: `${WIDGETS}?fieldValidation=Strict`,
    body: widget('u2', { foo: 1, ports: [{ port: 1, zzz: 2 }] }, { bar: 1, metadata: { name: 'u2', foo: 'x' } }),
  },
  { name: 'nulls', method: 'POST', path: WIDGETS, body: widget('n', { color: null, maybe: null, name: null }) },
  { name: 'defaults of list items', method: 'POST', path: WIDGETS, body: widget('p', { ports: [{ port: 80 }] }) },
  refused('too small', { size: 0 }),
  refused('too large', { size: 11 }),
  refused('wrong type', { size: 'x' }),
  {
    ...refused('two wrong types', { size: 'x', name: 3 }),
    unordered: true,
  },
  refused('no such choice', { color: 'blue' }),
  refused('wrong pattern', { name: 'AB' }),
  refused('too long', { name: 'abcdefgh' }),
  refused('too many', { tags: ['a', 'b', 'c', 'd'] }),
  refused('duplicates in a set', { tags: ['a', 'b', 'a'] }),
  refused('duplicates in a map', { ports: [{ port: 1 }, { port: 1 }] }),
  refused('neither number nor text', { intOrString: true }),
  { name: 'a missing field', method: 'POST', path: WIDGETS, body: { ...widget('bad'), spec: {} } },
  { name: 'a fraction', method: 'POST', path: WIDGETS, body: widget('bad', { size: 1.5 }) },
  {
    name: 'another kind',
    method: 'POST',
    path: WIDGETS,
    body: { ...widget('bad'), kind: 'Gadget' },
  },
  {
    name: 'another version',
    method: 'POST',
    path: WIDGETS,
    body: { ...widget('bad'), apiVersion: 'other.example.com/v1' },
  },
  { name: 'no apiVersion', method: 'POST', path: WIDGETS, body: { metadata: { name: 'bad' }, spec: { size: 1 } } },
  { name: 'no JSON', method: 'POST', path: WIDGETS, text: '{' },
  { name: 'replace without a version', method: 'PUT', path: `${WIDGETS}/w`, body: widget('w', { size: 2 }) },
  {
    name: 'replace',
    method: 'PUT',
    path: `${WIDGETS}/w`,
    body: widget(
      'w',
      { size: 2 },
      { metadata: { name: 'w', resourceVersion: '{create.rv}' }, status: { phase: 'no' } },
    ),
  },
  {
    name: 'replace with a stale version',
    method: 'PUT',
    path: `${WIDGETS}/w`,
    body: widget('w', { size: 3 }, { metadata: { name: 'w', resourceVersion: '{create.rv}' } }),
  },
  {
    name: 'merge patch',
    method: 'PATCH',
    path: `${WIDGETS}/w`,
    headers: MERGE,
    body: { spec: { size: 4, color: null } },
  },
  {
    name: 'merge patch of labels',
    method: 'PATCH',
    path: `${WIDGETS}/w`,
    headers: MERGE,
    body: { metadata: { labels: { a: 'b' } } },
  },
  {
    name: 'strategic merge patch',
    method: 'PATCH',
    path: `${WIDGETS}/w`,
    headers: STRATEGIC,
    body: { spec: { size: 4 } },
  },
  {
    name: 'status by merge patch',
    method: 'PATCH',
    path: `${WIDGETS}/w/status`,
    headers: MERGE,
    body: { spec: { size: 9 }, status: { phase: 'Good', replicas: 3 } },
  },
  {
    name: 'status by apply',
    method: 'PATCH',
    path: `${WIDGETS}/w/status?fieldManager=st`,
    headers: APPLY,
    body: { apiVersion: `${GROUP}/v1`, kind: 'Widget', metadata: { name: 'w' }, status: { replicas: 3 } },
  },
  {
    name: 'status that does not fit',
    method: 'PATCH',
    path: `${WIDGETS}/w/status`,
    headers: MERGE,
    body: { status: { phase: 5 } },
  },
  { name: 'get status', method: 'GET', path: `${WIDGETS}/w/status` },
  { name: 'get scale', method: 'GET', path: `${WIDGETS}/w/scale` },
  { name: 'scale', method: 'PATCH', path: `${WIDGETS}/w/scale`, headers: MERGE, body: { spec: { replicas: 5 } } },
  {
    name: 'scale to less than nothing',
    method: 'PATCH',
    path: `${WIDGETS}/w/scale`,
    headers: MERGE,
    body: { spec: { replicas: -1 } },
  },
  { name: 'get after scale', method: 'GET', path: `${WIDGETS}/w` },
  { name: 'get scale after', method: 'GET', path: `${WIDGETS}/w/scale` },
  {
    name: 'apply',
    method: 'PATCH',
    path: `${WIDGETS}/ap?fieldManager=m`,
    headers: APPLY,
    body: widget('ap', { tags: ['a'], ports: [{ port: 1, name: 'x' }] }),
  },
  {
    name: 'apply by another',
    method: 'PATCH',
    path: `${WIDGETS}/ap?fieldManager=n`,
    headers: APPLY,
    body: widget('ap', { tags: ['b'], ports: [{ port: 2 }] }),
  },
  {
    name: 'apply of less',
    method: 'PATCH',
    path: `${WIDGETS}/ap?fieldManager=m`,
    headers: APPLY,
    body: widget('ap', { tags: ['c'] }),
  },
  {
    name: 'apply of a conflict',
    unordered: true,
    method: 'PATCH',
    path: `${WIDGETS}/ap?fieldManager=o`,
    headers: APPLY,
    body: widget('ap', { size: 5 }),
  },
  {
    name: 'apply of an unknown field',
    method: 'PATCH',
    path: `${WIDGETS}/ap?fieldManager=m`,
    headers: APPLY,
    body: widget('ap', { nope: 5 }),
  },
  { name: 'the other version', method: 'GET', path: `/apis/${GROUP}/v1alpha1/namespaces/{ns}/widgets/w` },
  { name: 'by a selectable field', method: 'GET', path: `${WIDGETS}?fieldSelector=spec.color%3Dgreen` },
  { name: 'by a field that is not selectable', method: 'GET', path: `${WIDGETS}?fieldSelector=spec.size%3D1` },
  { name: 'a list', method: 'GET', path: `${WIDGETS}?labelSelector=a` },
  { name: 'a table', method: 'GET', path: `${WIDGETS}?labelSelector=a`, headers: { accept: TABLE } },
  { name: 'delete one', method: 'DELETE', path: `${WIDGETS}/w` },
  {
    name: 'delete the CRD',
    method: 'DELETE',
    path: `${CRDS}/widgets.${GROUP}`,
  },
  { name: 'the CRD goes', method: 'GET', path: `${CRDS}/widgets.${GROUP}`, until: 404 },
  { name: 'its path goes', method: 'GET', path: WIDGETS, until: 404 },
]
