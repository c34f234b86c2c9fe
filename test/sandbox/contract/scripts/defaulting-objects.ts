import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import { CRDS, groupOf, installed, objectBody, pathOf, removed, tried } from '../crd-body.ts'
import type { Step } from '../exchange.ts'

const text = { type: 'string' }
const schema = {
  properties: {
    spec: {
      type: 'object',
      default: {},
      properties: {
        a: { ...text, default: 'A' },
        n: { type: 'integer', default: 3 },
        b: { type: 'boolean', default: false },
        nullable: { ...text, nullable: true, default: 'N' },
        object: { type: 'object', properties: { x: { ...text, default: 'X' }, y: text } },
        filled: { type: 'object', default: { x: 'given' }, properties: { x: text, z: { ...text, default: 'Z' } } },
        list: { type: 'array', items: { type: 'object', properties: { x: { ...text, default: 'X' }, y: text } } },
        texts: { type: 'array', default: ['one'], items: text },
        map: { type: 'object', additionalProperties: { type: 'object', properties: { x: { ...text, default: 'X' } } } },
        port: { 'x-kubernetes-int-or-string': true, default: 'http' },
        free: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { x: { ...text, default: 'X' } },
        },
        raw: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { spec: { type: 'object', default: {}, properties: { x: { ...text, default: 'X' } } } },
        },
        keyed: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k', 'p'],
          items: { type: 'object', required: ['k'], properties: { k: text, p: { ...text, default: 'TCP' } } },
        },
      },
    },
    status: { type: 'object', properties: { phase: { ...text, default: 'Pending' } } },
  },
}
const kind = { singular: 'defaulted', schema, version: { subresources: { status: {} } } }

const SPECS: readonly JsonObject[] = [
  {},
  { a: 'mine', n: 0, b: true },
  { a: null },
  { nullable: null },
  { object: {} },
  { object: { x: null, y: 'y' } },
  { filled: {} },
  { filled: null },
  { list: [{}, { x: 'mine' }, { y: 'y', x: null }] },
  { list: [] },
  { texts: [] },
  { texts: null },
  { map: { k: {}, l: { x: 'mine' } } },
  { map: { k: null } },
  { port: 80 },
  { port: null },
  { free: { other: 1 } },
  { raw: { apiVersion: 'v1', kind: 'A', other: {} } },
  { keyed: [{ k: 'a' }, { k: 'a', p: 'UDP' }] },
  { keyed: [{ k: 'a' }, { k: 'a', p: 'TCP' }] },
  { list: [null] },
  { n: '3' },
]

const one = pathOf('defaulted', 'one')
const patch = (name: string, body: JsonValue, type = 'merge', path = one): Step => ({
  name,
  method: 'PATCH',
  path,
  headers: { 'content-type': `application/${type}-patch+json` },
  body,
})
const apply = (name: string, body: JsonObject, query = ''): Step => ({
  name,
  method: 'PATCH',
  path: `${pathOf('defaulted', 'applied')}?fieldManager=m${query}`,
  headers: { 'content-type': 'application/apply-patch+yaml' },
  body: objectBody('defaulted', 'applied', body),
})

/** Objects that were stored under another schema get the defaults of today when they are read. */
const later = {
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          a: { ...text, default: 'changed' },
          added: { ...text, default: 'new' },
          object: {
            type: 'object',
            default: { deep: {} },
            properties: { deep: { type: 'object', properties: { x: { ...text, default: 'later' } } } },
          },
        },
      },
    },
  },
}

export const steps: readonly Step[] = [
  ...installed(kind),
  tried('nothing at all', 'defaulted', {}),
  tried('a spec that is null', 'defaulted', { spec: null }),
  tried('a status at creation', 'defaulted', { spec: {}, status: {} }),
  ...SPECS.map((spec) => tried(`the spec ${JSON.stringify(spec)}`, 'defaulted', { spec })),
  {
    name: 'created',
    method: 'POST',
    path: pathOf('defaulted'),
    body: objectBody('defaulted', 'one', { spec: { a: 'x' } }),
  },
  patch('a default comes back', { spec: { a: null } }),
  patch('a default is overwritten', { spec: { n: 9, list: [{}] } }),
  patch('the whole spec goes', { spec: null }),
  patch('a default is removed', [{ op: 'remove', path: '/spec/n' }], 'json'),
  patch(
    'a default is tested',
    [
      { op: 'test', path: '/spec/n', value: 3 },
      { op: 'add', path: '/spec/list', value: [{}] },
    ],
    'json',
  ),
  patch('a status', { status: {} }, 'merge', `${one}/status`),
  patch('a status with a phase', { status: { phase: 'Done' } }, 'merge', `${one}/status`),
  patch('a status without it', { status: { phase: null } }, 'merge', `${one}/status`),
  {
    name: 'put without most fields',
    method: 'PUT',
    path: one,
    body: {
      ...objectBody('defaulted', 'one', { spec: { b: true } }),
      metadata: { name: 'one', resourceVersion: '{a status without it.rv}' },
    },
  },
  apply('applied', { spec: { a: 'x', keyed: [{ k: 'a' }] } }),
  apply('applied without a', { spec: { keyed: [{ k: 'a' }, { k: 'b', p: 'UDP' }] } }),
  apply('applied by another', { spec: { a: 'y', n: 3 } }, '&fieldManager=other'),
  { name: 'applied is read', method: 'GET', path: pathOf('defaulted', 'applied') },
  {
    name: 'another schema',
    method: 'PATCH',
    path: `${CRDS}/defaulteds.${groupOf('defaulted')}`,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { spec: { versions: [{ name: 'v1', served: true, storage: true, schema: later }] } },
  },
  {
    name: 'the other schema is in force',
    method: 'POST',
    path: `${pathOf('defaulted')}?dryRun=All`,
    body: objectBody('defaulted', 'probe', { spec: {} }),
    until: (body) => JSON.stringify(body).includes('"added"'),
  },
  { name: 'an old object is read', method: 'GET', path: one },
  { name: 'old objects are listed', method: 'GET', path: pathOf('defaulted') },
  patch('an old object is patched', { metadata: { labels: { a: 'b' } } }),
  { name: 'the patched object is read', method: 'GET', path: one },
  removed('defaulted'),
]
