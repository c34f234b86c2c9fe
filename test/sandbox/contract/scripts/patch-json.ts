import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { crdSteps, crdVersion, customPath, ObjectSteps } from '../object-steps.ts'

const spec: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const path = customPath('jsons')
const start: JsonObject = {
  spec: {
    s: 'x',
    n: 1,
    f: 1.5,
    t: true,
    z: { a: { b: { c: 1 } }, l: [1, 2, 3], e: { '0': 5 } },
    l: [{ k: 'a' }, { k: 'b' }],
    'a/b': 1,
    'm~n': 2,
    '': 3,
    é: 4,
  },
}
const subject = new ObjectSteps('json', path, '{ns}.example.com/v1 Json')

/** Each is tried against the same object, in dry run. */
const operations: readonly (readonly [what: string, patch: JsonValue])[] = [
  ['nothing', []],
  ['add a field', [{ op: 'add', path: '/spec/new', value: { a: [1] } }]],
  ['add over a field', [{ op: 'add', path: '/spec/s', value: 'y' }]],
  ['add null', [{ op: 'add', path: '/spec/s', value: null }]],
  ['add without a value', [{ op: 'add', path: '/spec/s' }]],
  ['add at the front', [{ op: 'add', path: '/spec/l/0', value: { k: 'c' } }]],
  ['add at the end', [{ op: 'add', path: '/spec/l/-', value: { k: 'c' } }]],
  ['add at the length', [{ op: 'add', path: '/spec/l/2', value: { k: 'c' } }]],
  ['add beyond the end', [{ op: 'add', path: '/spec/l/3', value: { k: 'c' } }]],
  ['add at a negative place', [{ op: 'add', path: '/spec/l/-1', value: { k: 'c' } }]],
  ['add at a negative place out of bounds', [{ op: 'add', path: '/spec/l/-4', value: { k: 'c' } }]],
  ['add at no number', [{ op: 'add', path: '/spec/l/x', value: 1 }]],
  ['add at a number with a zero', [{ op: 'add', path: '/spec/l/01', value: 1 }]],
  ['add at a number with a sign', [{ op: 'add', path: '/spec/l/+1', value: 1 }]],
  ['add beneath what is not there', [{ op: 'add', path: '/spec/none/x', value: 1 }]],
  ['add beneath a scalar', [{ op: 'add', path: '/spec/s/x', value: 1 }]],
  ['add beneath an item', [{ op: 'add', path: '/spec/l/1/v', value: 'x' }]],
  ['replace a field', [{ op: 'replace', path: '/spec/s', value: ['y'] }]],
  ['replace what is not there', [{ op: 'replace', path: '/spec/none', value: 1 }]],
  ['replace an item', [{ op: 'replace', path: '/spec/l/1', value: 'x' }]],
  ['replace the end', [{ op: 'replace', path: '/spec/l/-', value: 'x' }]],
  ['replace beyond the end', [{ op: 'replace', path: '/spec/l/2', value: 'x' }]],
  ['replace at a negative place', [{ op: 'replace', path: '/spec/l/-1', value: 'x' }]],
  ['replace without a value', [{ op: 'replace', path: '/spec/s' }]],
  ['replace by itself', [{ op: 'replace', path: '/spec/s', value: 'x' }]],
  ['replace the document', [{ op: 'replace', path: '', value: { a: 1 } }]],
  ['replace the document by null', [{ op: 'replace', path: '', value: null }]],
  ['add the document', [{ op: 'add', path: '', value: { a: 1 } }]],
  ['remove a field', [{ op: 'remove', path: '/spec/s' }]],
  ['remove an inner field', [{ op: 'remove', path: '/spec/z/a/b/c' }]],
  ['remove an item', [{ op: 'remove', path: '/spec/l/0' }]],
  ['remove the end', [{ op: 'remove', path: '/spec/l/-' }]],
  ['remove at a negative place', [{ op: 'remove', path: '/spec/l/-1' }]],
  ['remove beyond the end', [{ op: 'remove', path: '/spec/l/2' }]],
  ['remove what is not there', [{ op: 'remove', path: '/spec/none' }]],
  ['remove beneath what is not there', [{ op: 'remove', path: '/spec/none/x' }]],
  [
    'remove twice',
    [
      { op: 'remove', path: '/spec/s' },
      { op: 'remove', path: '/spec/s' },
    ],
  ],
  ['remove the document', [{ op: 'remove', path: '' }]],
  ['remove with a value', [{ op: 'remove', path: '/spec/s', value: 'other' }]],
  ['move a field', [{ op: 'move', from: '/spec/s', path: '/spec/moved' }]],
  ['move an item', [{ op: 'move', from: '/spec/l/0', path: '/spec/l/1' }]],
  ['move an item to the end', [{ op: 'move', from: '/spec/l/0', path: '/spec/l/-' }]],
  ['move into itself', [{ op: 'move', from: '/spec/z', path: '/spec/z/a/x' }]],
  ['move what is not there', [{ op: 'move', from: '/spec/none', path: '/spec/x' }]],
  ['move without from', [{ op: 'move', path: '/spec/x' }]],
  ['move to itself', [{ op: 'move', from: '/spec/s', path: '/spec/s' }]],
  ['copy a field', [{ op: 'copy', from: '/spec/z', path: '/spec/copy' }]],
  [
    'copy and change',
    [
      { op: 'copy', from: '/spec/z', path: '/spec/copy' },
      { op: 'replace', path: '/spec/copy/a/b/c', value: 2 },
    ],
  ],
  ['copy an item', [{ op: 'copy', from: '/spec/l/1', path: '/spec/l/0' }]],
  ['copy what is not there', [{ op: 'copy', from: '/spec/none', path: '/spec/x' }]],
  ['copy without from', [{ op: 'copy', path: '/spec/x' }]],
  ['test a text', [{ op: 'test', path: '/spec/s', value: 'x' }]],
  ['test another text', [{ op: 'test', path: '/spec/s', value: 'y' }]],
  ['test a number', [{ op: 'test', path: '/spec/n', value: 1.0 }]],
  ['test an object', [{ op: 'test', path: '/spec/z', value: { l: [1, 2, 3], e: {}, a: { b: { c: 1 } } } }]],
  ['test a part of an object', [{ op: 'test', path: '/spec/z', value: { e: {} } }]],
  ['test a list in another order', [{ op: 'test', path: '/spec/z/l', value: [3, 2, 1] }]],
  ['test null for what is not there', [{ op: 'test', path: '/spec/none', value: null }]],
  ['test without a value', [{ op: 'test', path: '/spec/none' }]],
  ['test what is not there', [{ op: 'test', path: '/spec/none', value: 1 }]],
  ['test an item', [{ op: 'test', path: '/spec/l/1/k', value: 'b' }]],
  [
    'test, then change',
    [
      { op: 'test', path: '/spec/n', value: 1 },
      { op: 'replace', path: '/spec/n', value: 2 },
    ],
  ],
  [
    'change, then a test that fails',
    [
      { op: 'replace', path: '/spec/n', value: 2 },
      { op: 'test', path: '/spec/n', value: 1 },
    ],
  ],
  ['test the version', [{ op: 'test', path: '/metadata/resourceVersion', value: '{made.rv}' }]],
  ['test the uid', [{ op: 'test', path: '/metadata/uid', value: 'other' }]],
  ['escaped slash', [{ op: 'replace', path: '/spec/a~1b', value: 9 }]],
  ['escaped tilde', [{ op: 'replace', path: '/spec/m~0n', value: 9 }]],
  ['wrong escape', [{ op: 'add', path: '/spec/m~2n', value: 9 }]],
  ['tilde at the end', [{ op: 'add', path: '/spec/m~', value: 9 }]],
  ['empty name', [{ op: 'replace', path: '/spec/', value: 9 }]],
  ['name beyond ASCII', [{ op: 'replace', path: '/spec/é', value: 9 }]],
  ['name that is a number', [{ op: 'replace', path: '/spec/z/e/0', value: 9 }]],
  ['path without a slash', [{ op: 'add', path: 'spec/x', value: 9 }]],
  ['path with a slash at the end', [{ op: 'add', path: '/spec/z/', value: 9 }]],
  ['percent in a path', [{ op: 'add', path: '/spec/%41', value: 9 }]],
  ['no path', [{ op: 'add', value: 9 }]],
  ['a path that is null', [{ op: 'add', path: null, value: 9 }]],
  ['a path that is a number', [{ op: 'add', path: 5, value: 9 }]],
  ['no op', [{ path: '/spec/s', value: 9 }]],
  ['an unknown op', [{ op: 'merge', path: '/spec/s', value: 9 }]],
  ['an op in capitals', [{ op: 'ADD', path: '/spec/s', value: 9 }]],
  ['an op that is a number', [{ op: 1, path: '/spec/s', value: 9 }]],
  ['an unknown field', [{ op: 'add', path: '/spec/s', value: 9, foo: 1 }]],
  ['an object', { op: 'add', path: '/spec/s', value: 9 }],
  ['null', null],
  ['a text', 'x'],
  ['a number', 5],
  ['a list of lists', [[]]],
  ['a list of null', [null]],
  ['a list of texts', ['x']],
  ['change the kind', [{ op: 'replace', path: '/kind', value: 'Other' }]],
  ['remove the kind', [{ op: 'remove', path: '/kind' }]],
  ['change the version', [{ op: 'replace', path: '/apiVersion', value: '{ns}.example.com/v2' }]],
  ['remove the version', [{ op: 'remove', path: '/apiVersion' }]],
  ['change the name', [{ op: 'replace', path: '/metadata/name', value: 'other' }]],
  ['remove the name', [{ op: 'remove', path: '/metadata/name' }]],
  ['change the namespace', [{ op: 'replace', path: '/metadata/namespace', value: 'other' }]],
  ['remove the namespace', [{ op: 'remove', path: '/metadata/namespace' }]],
  ['change the uid', [{ op: 'replace', path: '/metadata/uid', value: 'other' }]],
  ['change the version of the object', [{ op: 'replace', path: '/metadata/resourceVersion', value: '1' }]],
  ['remove the metadata', [{ op: 'remove', path: '/metadata' }]],
  ['metadata of another type', [{ op: 'replace', path: '/metadata', value: 'x' }]],
  ['add a label', [{ op: 'add', path: '/metadata/labels/a', value: '1' }]],
  ['add labels', [{ op: 'add', path: '/metadata/labels', value: { a: '1' } }]],
  ['a label of another type', [{ op: 'add', path: '/metadata/labels', value: { a: 1 } }]],
  ['spec of another type', [{ op: 'replace', path: '/spec', value: [] }]],
  ['no spec', [{ op: 'remove', path: '/spec' }]],
]

const limit = new ObjectSteps('limits', '/api/v1/namespaces/{ns}/configmaps', 'v1 ConfigMap')
const many = (count: number): JsonValue =>
  Array.from({ length: count }, () => ({ op: 'add', path: '/data/a', value: 'x' }))

/** On a built-in kind, for good. */
const map = new ObjectSteps('json on a ConfigMap', '/api/v1/namespaces/{ns}/configmaps', 'v1 ConfigMap')

const range = new ObjectSteps('range', '/api/v1/namespaces/{ns}/limitranges', 'v1 LimitRange')
const STRICT = { query: 'fieldValidation=Strict' }
const LABELS_AS_SPEC: JsonValue = [
  { op: 'copy', from: '/metadata/labels', path: '/spec' },
  { op: 'add', path: '/spec/limits', value: [{ type: 'Container' }] },
]

export const steps: readonly Step[] = [
  ...crdSteps('Json', [crdVersion(spec)]),
  subject.create(start, { as: 'made' }),
  ...operations.map(([what, patch]) => subject.patch(what, 'json', patch, { query: 'dryRun=All' })),
  subject.get('is unharmed'),
  limit.create({ data: {} }),
  limit.patch('10,000 operations', 'json', many(10_000)),
  limit.patch('10,001 operations', 'json', many(10_001)),
  limit.patch('copies that grow', 'json', [
    { op: 'add', path: '/data/a', value: 'x'.repeat(100_000) },
    ...Array.from({ length: 40 }, (_each, index) => ({ op: 'copy', from: '/data/a', path: `/data/c${index}` })),
  ]),
  map.create({ data: { a: '1', b: '2' } }, { as: 'map' }),
  map.patch('add and remove', 'json', [
    { op: 'add', path: '/data/c', value: '3' },
    { op: 'remove', path: '/data/a' },
  ]),
  map.patch('to data that is not there', 'json', [{ op: 'add', path: '/binaryData/x', value: 'AA==' }]),
  map.patch('of another type', 'json', [{ op: 'add', path: '/data/c', value: 3 }]),
  map.patch('an unknown field', 'json', [{ op: 'add', path: '/foo', value: 3 }]),
  map.patch('with a stale test', 'json', [{ op: 'test', path: '/metadata/resourceVersion', value: '{map.rv}' }]),
  map.patch('with a stale version', 'json', [
    { op: 'replace', path: '/metadata/resourceVersion', value: '{map.rv}' },
    { op: 'add', path: '/data/d', value: '1' },
  ]),
  map.patch('no version', 'json', [
    { op: 'remove', path: '/metadata/resourceVersion' },
    { op: 'add', path: '/data/d', value: '1' },
  ]),
  map.patch('nothing', 'json', [{ op: 'add', path: '/data/d', value: '1' }]),
  map.patch('null for data', 'json', [{ op: 'replace', path: '/data', value: null }]),
  map.patch('another kind', 'json', [{ op: 'replace', path: '/kind', value: 'Secret' }]),
  map.patch('another version', 'json', [{ op: 'replace', path: '/apiVersion', value: 'apps/v1' }]),
  map.get('at the end'),
  range.apply('made', 'alice', {
    metadata: { labels: { 'x.io/zone': 'x', m: 'x', app: 'x' } },
    spec: { limits: [{ type: 'Container' }] },
  }),
  range.patch('labels in the place of the spec', 'json', LABELS_AS_SPEC, STRICT),
  range.patch(
    'labels of which one is removed',
    'json',
    [
      { op: 'copy', from: '/metadata/labels', path: '/spec' },
      { op: 'remove', path: '/spec/m' },
    ],
    STRICT,
  ),
  range.patch(
    'unknown fields, not in their order',
    'json',
    [
      { op: 'add', path: '/spec/z', value: 1 },
      { op: 'add', path: '/spec/a', value: 1 },
    ],
    STRICT,
  ),
]
