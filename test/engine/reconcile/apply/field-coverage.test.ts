import { expect } from 'chai'
import { type JsonObject, printPath } from '../../../../src/core/base/json.ts'
import { uncoveredFields } from '../../../../src/engine/reconcile/apply/managed-fields.ts'

/** Entries as kube-apiserver v1.36.4 writes them. */
const PORTS = {
  'f:spec': {
    'f:ports': {
      'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} },
      'k:{"port":80,"protocol":"UDP"}': { '.': {}, 'f:name': {}, 'f:port': {}, 'f:protocol': {} },
    },
  },
}

const cases: { name: string; desired: JsonObject; fields?: JsonObject; live?: JsonObject; missing: string[] }[] = [
  { name: 'nothing is held without an entry', desired: { data: { a: '1' } }, missing: ['data.a'] },
  {
    name: 'type, name, namespace and uid stand in no entry',
    desired: { apiVersion: 'v1', kind: 'X', metadata: { name: 'a', namespace: 'b', uid: 'c', labels: { l: '1' } } },
    fields: { 'f:metadata': { 'f:labels': { 'f:l': {} } } },
    missing: [],
  },
  {
    name: 'a field that another client changed has left the entry',
    desired: { data: { a: '1', b: '2' } },
    fields: { 'f:data': { 'f:a': {} } },
    missing: ['data.b'],
  },
  {
    name: 'an empty node is held as a whole',
    desired: { spec: { a: { b: 1 } } },
    fields: { 'f:spec': {} },
    missing: [],
  },
  { name: 'an atomic list is held as a whole', desired: { args: ['a', 'b'] }, fields: { 'f:args': {} }, missing: [] },
  { name: 'an empty map leaves a trace', desired: { emptyDir: {} }, fields: {}, missing: ['emptyDir'] },
  { name: 'an absent value is not asked for', desired: { a: undefined, b: 1 }, fields: { 'f:b': {} }, missing: [] },
  {
    name: 'items are found by the keys that they state, each once',
    desired: {
      spec: {
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 80, protocol: 'UDP' },
        ],
      },
    },
    fields: PORTS,
    missing: [],
  },
  {
    name: 'an item does not hide behind another that has its keys',
    desired: {
      spec: {
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 80, protocol: 'UDP' },
          { name: 'c', port: 80 },
        ],
      },
    },
    fields: PORTS,
    missing: ['spec.ports[2]'],
  },
  {
    name: 'a field of an item',
    desired: { spec: { ports: [{ name: 'a', port: 80, nodePort: 30000, protocol: 'TCP' }] } },
    fields: {
      'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { 'f:name': {}, 'f:port': {}, 'f:protocol': {} } } },
    },
    missing: ['spec.ports[0].nodePort'],
  },
  {
    name: 'an item that states none of the keys is found nowhere',
    desired: { spec: { ports: [{ name: 'a' }] } },
    fields: PORTS,
    missing: ['spec.ports[0]'],
  },
  {
    name: 'an item that is not a map where maps stand',
    desired: { spec: { ports: [80] } },
    fields: PORTS,
    missing: ['spec.ports[0]'],
  },
  {
    name: 'an atomic item, such as an owner reference',
    desired: { metadata: { ownerReferences: [{ uid: 'u', kind: 'X' }] } },
    fields: { 'f:metadata': { 'f:ownerReferences': { 'k:{"uid":"u"}': {} } } },
    missing: [],
  },
  {
    name: 'members of a set',
    desired: { metadata: { finalizers: ['a/b', 'c/d'] } },
    fields: { 'f:metadata': { 'f:finalizers': { 'v:"a/b"': {} } } },
    missing: ['metadata.finalizers[1]'],
  },
  { name: 'an empty list of associative type leaves no trace', desired: { env: [] }, fields: {}, missing: [] },
  {
    name: 'but something in its place shows',
    desired: { args: [] },
    fields: {},
    live: { args: ['x'] },
    missing: ['args'],
  },
  {
    name: 'keys of a map are no paths',
    desired: { metadata: { annotations: { 'a.b/c': '1' } } },
    fields: { 'f:metadata': { 'f:annotations': {} } },
    missing: [],
  },
  {
    name: 'everything below a node that is missing is named',
    desired: { spec: { a: { b: 1, c: [1] } } },
    fields: {},
    missing: ['spec.a.b', 'spec.a.c'],
  },
]

describe('uncoveredFields', () => {
  for (const { name, desired, fields, live = {}, missing } of cases) {
    it(name, () => expect(uncoveredFields(desired, fields, live).map(printPath)).to.deep.equal(missing))
  }
})
