import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { crdSteps, crdVersion, customPath, ObjectSteps } from '../object-steps.ts'

const MAPS = '/api/v1/namespaces/{ns}/configmaps'
const owner = new ObjectSteps('owner', MAPS, 'v1 ConfigMap')
const reference = (name: string, uid: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid,
  ...more,
})
const MINE = '{own.uid}'
const other = (digit: string): string => `00000000-0000-0000-0000-00000000000${digit}`

/** What alice applies, then bob, then alice again, in metadata. */
const cases: readonly (readonly [what: string, first: JsonObject, second: JsonObject, last?: JsonObject])[] = [
  ['labels', { labels: { a: '1', b: '1' } }, { labels: { b: '1', c: '1' } }, { labels: { a: '2' } }],
  ['labels in conflict', { labels: { a: '1' } }, { labels: { a: '2' } }, { labels: {} }],
  ['keys of labels', { labels: { 'x.example.com/a': '1', 'a.b_c': '' } }, { labels: { 'x.example.com/a': '2' } }],
  ['annotations', { annotations: { a: '1', b: '{"x":1}' } }, { annotations: { a: '2' } }, { annotations: { c: '' } }],
  ['null for a label', { labels: { a: '1' } }, { labels: { a: null } }, { labels: { a: null } }],
  ['null for labels', { labels: { a: '1' } }, { labels: null }, { labels: null }],
  ['finalizers', { finalizers: ['x.example.com/a'] }, { finalizers: ['x.example.com/b', 'x.example.com/a'] }],
  [
    'finalizers that go',
    { finalizers: ['x.example.com/a', 'x.example.com/b'] },
    { finalizers: ['x.example.com/a'] },
    { finalizers: ['x.example.com/c'] },
  ],
  ['finalizers twice', { finalizers: ['x.example.com/a', 'x.example.com/a'] }, { finalizers: [] }],
  ['wrong finalizers', { finalizers: ['a'] }, { finalizers: ['a/b/c'] }],
  [
    'owners',
    { ownerReferences: [reference('owner', MINE)] },
    { ownerReferences: [reference('owner', MINE, { controller: true })] },
  ],
  [
    'owners of several',
    { ownerReferences: [reference('owner', MINE)] },
    { ownerReferences: [reference('two', MINE)] },
    { ownerReferences: [] },
  ],
  [
    'owner without a uid',
    { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x' }] },
    { ownerReferences: [reference('x', '')] },
  ],
  [
    'owner without a kind',
    { ownerReferences: [{ uid: other('1') }] },
    { ownerReferences: [{ uid: other('1'), name: 'x' }] },
  ],
  ['owner twice', { ownerReferences: [reference('a', MINE), reference('b', MINE)] }, { ownerReferences: [] }],
  [
    'owner that blocks',
    { ownerReferences: [reference('owner', MINE, { blockOwnerDeletion: true })] },
    { ownerReferences: [reference('owner', MINE, { blockOwnerDeletion: false })] },
  ],
  ['generateName', { generateName: 'x-' }, { generateName: 'y-' }, {}],
  [
    'what the server sets',
    { creationTimestamp: '2020-01-01T00:00:00Z', generation: 9 },
    { creationTimestamp: null, generation: 1 },
  ],
  ['selfLink', { selfLink: '/x' }, { selfLink: '/y' }],
  ['deletion', { deletionTimestamp: '2020-01-01T00:00:00Z' }, { deletionGracePeriodSeconds: 5 }],
]
const kinds: readonly (readonly [kind: string, path: string])[] = [
  ['v1 ConfigMap', MAPS],
  ['{ns}.example.com/v1 Meta', customPath('metas')],
]
const dying = new ObjectSteps('in deletion', MAPS, 'v1 ConfigMap')
const long = new ObjectSteps('long annotations', MAPS, 'v1 ConfigMap')
const template = new ObjectSteps('of a template', '/api/v1/namespaces/{ns}/podtemplates', 'v1 PodTemplate')

export const steps: readonly Step[] = [
  ...crdSteps('Meta', [crdVersion({ type: 'object' })]),
  owner.create({}, { as: 'own' }),
  ...kinds.flatMap(([kind, path]) =>
    cases.flatMap(([what, first, second, last = {}]) => {
      const thing = new ObjectSteps(`${kind.replace(/.* /, '')} ${what}`, path, kind)
      return [
        thing.apply('one manager', 'alice', { metadata: first }),
        thing.apply('another', 'bob', { metadata: second }, { unordered: true }),
        thing.apply('the first again', 'alice', { metadata: last }, { unordered: true }),
      ]
    }),
  ),
  dying.apply('create', 'alice', { metadata: { finalizers: ['x.example.com/a'] }, data: { a: '1' } }),
  dying.delete(),
  dying.apply('a change', 'alice', { metadata: { finalizers: ['x.example.com/a'] }, data: { a: '2' } }),
  dying.apply('one more finalizer', 'bob', { metadata: { finalizers: ['x.example.com/b'] } }),
  dying.apply('no finalizer', 'alice', { data: { a: '2' } }),
  dying.apply('after that', 'alice', { data: { a: '3' } }),
  long.apply('too long', 'alice', { metadata: { annotations: { a: 'x'.repeat(262_145) } } }),
  long.apply('with a space', 'alice', { metadata: { annotations: { 'a b': '1' } } }),
  template.apply('labels', 'alice', {
    template: { metadata: { labels: { a: '1' }, name: 'x', annotations: { b: '1' } } },
  }),
  template.apply('labels of another', 'bob', { template: { metadata: { labels: { b: '1' }, name: 'y' } } }),
  template.apply('finalizers', 'carol', {
    template: { metadata: { finalizers: ['x.example.com/a'], creationTimestamp: null } },
  }),
]
