import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { crdSteps, crdVersion, customPath, ObjectSteps } from '../object-steps.ts'

const PRESERVE = { 'x-kubernetes-preserve-unknown-fields': true }
const text: JsonObject = { type: 'string' }
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more })
const spec = object({
  any: { type: 'object', ...PRESERVE },
  anything: { ...PRESERVE },
  partly: object(
    { known: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' }, inner: object({ a: text }) },
    PRESERVE,
  ),
  embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, ...PRESERVE },
  embeddedByName: {
    type: 'object',
    additionalProperties: { type: 'object', 'x-kubernetes-embedded-resource': true, ...PRESERVE },
  },
  intOrString: { 'x-kubernetes-int-or-string': true },
  number: { type: 'number' },
  bool: { type: 'boolean' },
  date: { type: 'string', format: 'date-time' },
  bytes: { type: 'string', format: 'byte' },
  nothing: { type: 'object' },
  loose: { type: 'array', items: { type: 'object', ...PRESERVE } },
  keyed: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: object({ k: { 'x-kubernetes-int-or-string': true }, v: { ...PRESERVE } }, { required: ['k'] }),
  },
})
const root = { openAPIV3Schema: { type: 'object', ...PRESERVE } }
const thing = (label: string) => new ObjectSteps(label, customPath('looses'), '{ns}.example.com/v1 Loose')
const bare = (label: string) => new ObjectSteps(label, customPath('bares'), '{ns}.example.com/v1 Bare')

/** What alice applies, then bob by force, then alice again. */
const cases: readonly (readonly [what: string, first: JsonObject, second: JsonObject, last?: JsonObject])[] = [
  [
    'free object',
    { any: { a: { b: '1' }, l: [1, 2], n: 1 } },
    { any: { a: { b: '1', c: '2' }, l: [1] } },
    { any: { l: [] } },
  ],
  ['free object of other types', { any: { a: { b: '1' } } }, { any: { a: [1] } }, { any: { a: 'x' } }],
  ['null in a free object', { any: { a: null, b: '1' } }, { any: { b: null } }, { any: {} }],
  ['anything: an object', { anything: { a: '1' } }, { anything: { b: '1' } }, { anything: 'x' }],
  ['anything: a list', { anything: [{ a: '1' }] }, { anything: [{ a: '1' }, { b: '1' }] }, { anything: { a: [] } }],
  ['anything: scalars', { anything: 1 }, { anything: true }, { anything: null }],
  [
    'partly known',
    { partly: { known: ['a'], x: ['a'], inner: { a: '1' } } },
    { partly: { known: ['b'], x: ['b'], y: { z: 1 } } },
    { partly: { inner: {} } },
  ],
  ['unknown fields beneath a known one', { partly: { inner: { a: '1', b: '2' } } }, { partly: { inner: { b: '3' } } }],
  [
    'embedded resource',
    {
      embedded: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', labels: { a: '1' } }, spec: { c: [1] } },
    },
    { embedded: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', labels: { b: '1' } }, spec: { d: 1 } } },
  ],
  [
    'embedded resources by name',
    { embeddedByName: { a: {} } },
    { embeddedByName: { a: { apiVersion: '', kind: 'Pod' } } },
    { embeddedByName: { a: { apiVersion: 'v1', kind: 'Ä' } } },
  ],
  ['embedded resource without a kind', { embedded: { metadata: { name: 'x' } } }, { embedded: { foo: 1 } }],
  ['number or text: a number', { intOrString: 1 }, { intOrString: '1' }, { intOrString: 2 }],
  ['number or text: a text', { intOrString: '50%' }, { intOrString: '50%' }, {}],
  ['number or text: wrong', { intOrString: true }, { intOrString: {} }, { intOrString: 1.5 }],
  ['number', { number: 1 }, { number: 1.0 }, { number: 1.5 }],
  ['large numbers', { number: 1e21 }, { number: 123456789012 }, { number: -0.000001 }],
  ['boolean', { bool: true }, { bool: false }, { bool: 'true' }],
  ['date', { date: '2026-01-01T00:00:00Z' }, { date: '2026-01-01T01:00:00+01:00' }, { date: 'x' }],
  ['bytes', { bytes: 'AA==' }, { bytes: 'AAA=' }, { bytes: '*' }],
  ['object without fields', { nothing: {} }, { nothing: { a: 1 } }],
  ['list of free objects', { loose: [{ a: 1 }] }, { loose: [{ a: 1, b: [] }] }, { loose: [null] }],
  [
    'keys of several types',
    { keyed: [{ k: 1, v: 1 }, { k: '1' }] },
    { keyed: [{ k: '1', v: {} }, { k: 2 }] },
    { keyed: [{ k: 1 }] },
  ],
]

/** The same at the root of a kind about which nothing is known. */
const bareCases: readonly (readonly [what: string, first: JsonObject, second: JsonObject])[] = [
  ['fields', { a: '1', b: { c: '1' } }, { b: { d: '1' } }],
  ['lists', { l: [{ k: 'a' }] }, { l: [{ k: 'b' }] }],
  ['spec and status', { spec: { a: 1 }, status: { b: 1 } }, { spec: { a: 2 }, status: { b: 1, c: 1 } }],
  ['scalars at the root', { spec: 'x', status: 5 }, { spec: { a: 1 }, status: null }],
  ['fields with odd names', { 'a.b': 1, 'c/d': { 'e f': [1] }, '': 2 }, { 'a.b': 2, '': { x: 1 } }],
]

const unknown = { partly: { inner: { a: '1', b: '2' }, x: { y: 1 } } }
const config = new ObjectSteps(
  'controller revision',
  '/apis/apps/v1/namespaces/{ns}/controllerrevisions',
  'apps/v1 ControllerRevision',
)
const template = new ObjectSteps('quantities', '/api/v1/namespaces/{ns}/podtemplates', 'v1 PodTemplate')
const limits = (cpu: JsonValue, memory: JsonValue): JsonObject => ({
  template: { spec: { containers: [{ name: 'a', image: 'a', resources: { limits: { cpu, memory } } }] } },
})
const crd = new ObjectSteps(
  'crd',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  'apiextensions.k8s.io/v1 CustomResourceDefinition',
)

/** What is empty stands in the storage until the next write. */
const empty = { metadata: { labels: {}, annotations: {}, finalizers: [], ownerReferences: [] } }
const nulls = { metadata: { labels: null, finalizers: null } }
const ofVersion = (resourceVersion: string): JsonObject => ({ metadata: { resourceVersion } })

export const steps: readonly Step[] = [
  ...crdSteps('Loose', [crdVersion(spec)]),
  ...crdSteps('Bare', [crdVersion({}, { schema: root })]),
  ...cases.flatMap(([what, first, second, last = {}]) => [
    thing(what).apply('one manager', 'alice', { spec: first }),
    thing(what).apply('another', 'bob', { spec: second }, { unordered: true }),
    thing(what).apply('another by force', 'bob!', { spec: second }),
    thing(what).patch('an updater', 'merge', { spec: last }, { query: 'fieldManager=tool' }),
    thing(what).apply('the first again', 'alice!', { spec: last }),
  ]),
  thing('by trial').apply('what is new', 'alice', { spec: unknown }, { query: 'dryRun=All' }),
  thing('by trial').apply('what is kept', 'alice', { spec: { bool: true } }),
  thing('by trial').apply('what is there', 'alice', { spec: unknown }, { query: 'dryRun=All' }),
  ...bareCases.flatMap(([what, first, second]) => [
    bare(what).apply('one manager', 'alice', first),
    bare(what).apply('another', 'bob', second, { unordered: true }),
    bare(what).apply('another by force', 'bob!', second),
    bare(what).apply('the first gives up', 'alice', {}),
  ]),
  thing('empty metadata').apply('applied', 'alice', empty, { as: 'empty' }),
  thing('empty metadata').patch('nothing changes', 'merge', {}, { as: 'settled' }),
  thing('empty metadata').put('as it was applied', ofVersion('{empty.rv}')),
  thing('empty metadata').apply('applied again', 'alice', empty),
  thing('empty metadata').put('as it was before', ofVersion('{settled.rv}')),
  thing('metadata of nulls').apply('applied', 'alice', nulls, { as: 'nulls' }),
  thing('metadata of nulls').patch('nothing changes', 'merge', {}),
  thing('metadata of nulls').put('as it was applied', ofVersion('{nulls.rv}')),
  config.apply('data', 'alice', { revision: 1, data: { a: [1], b: { c: 1 } } }),
  config.apply('data again', 'alice', { revision: 1, data: { a: [1], b: { c: 1 } } }),
  config.apply('other data', 'alice', { revision: 2, data: { a: [2] } }),
  config.apply('the revision alone', 'bob!', { revision: 2 }),
  template.apply('as texts', 'alice', limits('1000m', '0.5Gi')),
  template.apply('as numbers', 'alice', limits(1, 512)),
  template.apply('the same in other words', 'bob', limits('1', '0.5Ki')),
  template.apply('the canonical form', 'bob', limits('1', '512')),
  template.apply('wrong ones', 'alice!', limits('x', '1')),
  template.apply('wrong types', 'alice!', limits({}, '1')),
  template.apply('fractions', 'alice!', limits(0.5, '1.5Gi')),
  crd.apply('a default and an example', 'alice', {}, { query: 'dryRun=All' }),
]
