import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { crdSteps, crdVersion, customPath, ObjectSteps } from '../object-steps.ts'

const MAPS = '/api/v1/namespaces/{ns}/configmaps'
const map = (label: string) => new ObjectSteps(label, MAPS, 'v1 ConfigMap')
const items: JsonObject = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
  items: { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: { type: 'string' } } },
}
const free: JsonObject = { type: 'object', additionalProperties: { type: 'string' } }
const spec: JsonObject = {
  type: 'object',
  properties: { a: { type: 'string' }, d: { type: 'string', default: 'x' }, m: free, l: items },
}
const custom = (label: string) => new ObjectSteps(label, customPath('updates'), '{ns}.example.com/v1 Update')
const by = (manager: string) => ({ query: `fieldManager=${manager}` })
const agent = (text: string) => ({ headers: { 'user-agent': text, 'content-type': 'application/merge-patch+json' } })

const puts = map('put')
const patches = custom('patches')
const replaced = custom('replace')
const agents = map('user agents')
const given = map('managedFields')
const customGiven = custom('managedFields of a custom resource')
const many = map('eleven updaters')
const order = map('apply after updates')
const template = new ObjectSteps('template', '/api/v1/namespaces/{ns}/podtemplates', 'v1 PodTemplate')
const service = new ObjectSteps('service', '/api/v1/namespaces/{ns}/services', 'v1 Service')
const containers = (...names: string[]): JsonObject => ({
  template: { spec: { containers: names.map((name) => ({ name, image: `${name}:1` })) } },
})

const time = '2026-01-01T00:00:00Z'
const entry = (more: JsonObject = {}, fields: JsonObject = { 'f:data': { 'f:a': {} } }): JsonObject => ({
  manager: 'old',
  operation: 'Apply',
  apiVersion: 'v1',
  time,
  fieldsType: 'FieldsV1',
  fieldsV1: fields,
  ...more,
})

/** What a client makes of `managedFields`. */
const sent: readonly (readonly [what: string, entries: JsonValue])[] = [
  ['one entry', [entry()]],
  ['an updater', [entry({ operation: 'Update' })]],
  ['two entries of one manager', [entry(), entry({ time: '2026-01-02T00:00:00Z' }, { 'f:data': { 'f:b': {} } })]],
  ['an entry of another version', [entry({ apiVersion: 'v2' })]],
  ['an entry of another group', [entry({ apiVersion: 'apps/v1' })]],
  ['no operation', [entry({ operation: '' })]],
  ['another operation', [entry({ operation: 'Delete' })]],
  ['no version', [entry({ apiVersion: '' })]],
  ['no manager', [entry({ manager: '' })]],
  ['no time', [entry({ time: null })]],
  ['no fields', [entry({ fieldsV1: null })]],
  ['empty fields', [entry({}, {})]],
  ['no type of fields', [entry({ fieldsType: '' })]],
  ['another type of fields', [entry({ fieldsType: 'FieldsV2' })]],
  ['fields that are not there', [entry({}, { 'f:data': { 'f:zzz': {} }, 'f:nothing': {} })]],
  ['fields that nobody can read', [entry({}, { data: {} })]],
  ['fields of several kinds', [entry({}, { 'f:data': { '.': {}, 'k:{"a":1}': {}, 'v:5': {}, 'i:0': {} } })]],
  ['a key that is no JSON', [entry({}, { 'k:{': {} })]],
  ['a subresource', [entry({ subresource: 'status' })]],
  ['a long manager', [entry({ manager: 'm'.repeat(200) })]],
  ['an empty entry', [{}]],
  ['an empty entry and another', [{}, entry()]],
  ['an empty list', []],
  ['null', null],
  ['a text', 'x'],
  ['a list of texts', ['x']],
  ['a time that is none', [entry({ time: 'x' })]],
]

function entryStep([what, entries]: (typeof sent)[number]): readonly Step[] {
  return [
    given.patch(`by patch: ${what}`, 'merge', { metadata: { managedFields: entries } }, by('tool')),
    given.patch(
      `and a change: ${what}`,
      'merge',
      { data: { a: what }, metadata: { managedFields: entries } },
      by('tool'),
    ),
  ]
}

const customSent = sent.filter(([what]) => /one entry|version|empty|null|nobody|no /.test(what))

export const steps: readonly Step[] = [
  ...crdSteps('Update', [crdVersion(spec)]),
  puts.create({ data: { a: '1', b: '1' } }, by('one')),
  puts.put('the same', { data: { a: '1', b: '1' } }, by('two')),
  puts.put('one value', { data: { a: '2', b: '1' } }, by('two')),
  puts.put('one less', { data: { a: '2' } }, by('three')),
  puts.put('one more', { data: { a: '2', c: '1' } }, by('three')),
  puts.put('all back', { data: { a: '1', b: '1' } }, by('one')),
  puts.put('nothing', {}, by('one')),
  puts.put('labels and annotations', { metadata: { labels: { x: '1' }, annotations: { y: '1' } } }, by('one')),
  puts.put('other labels', { metadata: { labels: { x: '2', z: '1' } } }, by('two')),
  puts.put('in dry run', { metadata: { labels: { x: '3' } } }, { query: 'fieldManager=three&dryRun=All' }),
  puts.put('binary data', { binaryData: { a: 'AA==' } }, by('two')),
  patches.create({ spec: { a: '1', m: { x: '1' }, l: [{ k: 'a', v: '1' }] } }, by('one')),
  patches.patch('merge', 'merge', { spec: { m: { y: '1' } } }, by('two')),
  patches.patch('json', 'json', [{ op: 'add', path: '/spec/l/-', value: { k: 'b' } }], by('three')),
  patches.patch('json moves', 'json', [{ op: 'move', from: '/spec/m/x', path: '/spec/m/z' }], by('three')),
  patches.patch('the list as a whole', 'merge', { spec: { l: [{ k: 'b', v: '1' }] } }, by('two')),
  patches.patch('items in another order', 'merge', { spec: { l: [{ k: 'c' }, { k: 'b', v: '1' }] } }, by('one')),
  patches.patch('a default', 'merge', { spec: { d: 'y' } }, by('one')),
  patches.patch('back to the default', 'merge', { spec: { d: null } }, by('two')),
  patches.patch('an empty map', 'merge', { spec: { m: { x: null, y: null, z: null } } }, by('two')),
  patches.patch('nothing', 'merge', {}, by('four')),
  patches.patch('what is there', 'merge', { spec: { a: '1' } }, by('four')),
  replaced.apply('applied', 'alice', { spec: { a: '1', m: { x: '1' } } }, { as: 'made' }),
  replaced.put(
    'by an updater',
    { spec: { a: '2', m: { x: '1', y: '1' } }, metadata: { resourceVersion: '{made.rv}' } },
    { ...by('bob'), as: 'put' },
  ),
  replaced.put('by a stale one', { spec: {}, metadata: { resourceVersion: '{made.rv}' } }, by('bob')),
  replaced.put('by the applier', { spec: { a: '3' }, metadata: { resourceVersion: '{put.rv}' } }, by('alice')),
  replaced.apply('applied again', 'alice', { spec: { a: '4' } }),
  replaced.get(),
  agents.create(
    {},
    { headers: { 'user-agent': 'kubectl/v1.36.4 (linux/amd64) kubernetes/abc', 'content-type': 'application/json' } },
  ),
  agents.patch('no slash', 'merge', { data: { a: '1' } }, agent('tool')),
  agents.patch('a path', 'merge', { data: { b: '1' } }, agent('my tool/1.0 (x)')),
  agents.patch('a slash at the start', 'merge', { data: { c: '1' } }, agent('/x')),
  agents.patch('a long one', 'merge', { data: { d: '1' } }, agent('a'.repeat(140))),
  agents.patch('a fieldManager beside it', 'merge', { data: { e: '1' } }, { ...agent('x'), ...by('named') }),
  agents.patch('an empty fieldManager', 'merge', { data: { f: '1' } }, { ...agent('empty'), ...by('') }),
  given.create({ metadata: { managedFields: [entry({ operation: 'Update' })] }, data: { a: '1', b: '1' } }, by('tool')),
  ...sent.flatMap(entryStep),
  given.put('by PUT without any', { data: { a: '9' } }, by('tool')),
  given.put('by PUT with an empty list', { data: { a: '8' }, metadata: { managedFields: [] } }, by('tool')),
  given.patch('after that', 'merge', { data: { a: '7' } }, by('tool')),
  given.apply('an apply after that', 'alice', { data: { a: '6' } }),
  given.apply('an apply by force after that', 'alice!', { data: { a: '6' } }),
  customGiven.create({ spec: { a: '1' } }, by('tool')),
  ...customSent.map(([what, entries]) =>
    customGiven.patch(what, 'merge', { spec: { a: what }, metadata: { managedFields: entries } }, by('tool')),
  ),
  many.apply('an applier', 'alice', { data: { a: '1' } }),
  ...Array.from({ length: 10 }, (_each, index) =>
    many.patch(`updater ${index + 1}`, 'merge', { data: { [`k${index}`]: '1' } }, by(`tool-${index}`)),
  ),
  order.create({ data: { a: '1', b: '1' } }, by('tool')),
  order.patch('forgets its managers', 'merge', { metadata: { managedFields: [{}] } }, by('tool')),
  order.apply('the same', 'alice', { data: { a: '1' } }),
  order.apply('another value', 'alice', { data: { a: '2' } }),
  order.apply('another value by force', 'alice!', { data: { a: '2' } }),
  template.create(containers('a', 'b'), by('one')),
  template.patch('one more container', 'strategic', containers('c'), by('two')),
  template.patch(
    'another image',
    'strategic',
    { template: { spec: { containers: [{ name: 'a', image: 'x' }] } } },
    by('two'),
  ),
  template.patch(
    'one less',
    'strategic',
    { template: { spec: { containers: [{ name: 'b', $patch: 'delete' }] } } },
    by('three'),
  ),
  template.patch(
    'by JSON patch',
    'json',
    [{ op: 'add', path: '/template/spec/containers/0/args', value: ['x'] }],
    by('three'),
  ),
  template.put('all others', containers('z'), by('four')),
  service.create({ spec: { clusterIP: 'None', ports: [{ name: 'a', port: 80 }] } }, by('one')),
  service.patch('a port by its key', 'strategic', { spec: { ports: [{ port: 80, targetPort: 'x' }] } }, by('two')),
  service.patch('one more port', 'strategic', { spec: { ports: [{ name: 'b', port: 81 }] } }, by('two')),
  service.patch('a selector', 'merge', { spec: { selector: { a: '1' } } }, by('three')),
]
