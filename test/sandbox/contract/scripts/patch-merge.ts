import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { crdSteps, crdVersion, customPath, ObjectSteps } from '../object-steps.ts'

const number: JsonObject = { type: 'integer' }
const spec: JsonObject = {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  properties: {
    size: { type: 'integer', minimum: 1 },
    color: { type: 'string', default: 'red' },
    maybe: { type: 'string', nullable: true },
    closed: { type: 'object', properties: { a: { type: 'string' } } },
    replicas: number,
  },
}
const subresources = {
  status: {},
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
}
const custom = (label: string) => new ObjectSteps(label, customPath('merges'), '{ns}.example.com/v1 Merge')
const start: JsonObject = {
  spec: { size: 1, a: { b: { c: 1, d: [1, 2] } }, l: [{ x: 1 }], s: 'x', maybe: 'y', closed: { a: '1' }, replicas: 2 },
}

/** Each is tried against the same object, in dry run. */
const patches: readonly (readonly [what: string, patch: JsonValue])[] = [
  ['nothing', {}],
  ['a field', { spec: { s: 'y' } }],
  ['an inner field', { spec: { a: { b: { c: 2 } } } }],
  ['a new object', { spec: { n: { x: { y: 1, z: null }, w: null } } }],
  ['a list', { spec: { l: [{ y: 1, z: null }, null] } }],
  ['a list in an object', { spec: { a: { b: { d: [] } } } }],
  ['null for a field', { spec: { s: null } }],
  ['null for an object', { spec: { a: null } }],
  ['null for a field with a default', { spec: { color: null } }],
  ['null for a field that may be null', { spec: { maybe: null } }],
  ['null for what is not there', { spec: { none: null } }],
  ['null for the spec', { spec: null }],
  ['an object for a scalar', { spec: { s: { x: 1 } } }],
  ['a scalar for an object', { spec: { a: 1 } }],
  ['a list for an object', { spec: { a: [1] } }],
  ['an object for a list', { spec: { l: { x: 1 } } }],
  ['an empty object for a scalar', { spec: { s: {} } }],
  ['an empty object for an object', { spec: { a: {} } }],
  ['a directive', { spec: { a: { $patch: 'delete' } } }],
  ['an unknown field in what is closed', { spec: { closed: { b: '1' } } }],
  ['an unknown field at the root', { foo: 1 }],
  ['an invalid value', { spec: { size: 0 } }],
  ['another type', { spec: { size: 'x' } }],
  ['another kind', { kind: 'Other' }],
  ['another version', { apiVersion: '{ns}.example.com/v2' }],
  ['no kind', { kind: null }],
  ['another name', { metadata: { name: 'other' } }],
  ['no name', { metadata: { name: null } }],
  ['another namespace', { metadata: { namespace: 'other' } }],
  ['another uid', { metadata: { uid: 'other' } }],
  ['its uid', { metadata: { uid: '{made.uid}' } }],
  ['its version', { metadata: { resourceVersion: '{made.rv}' }, spec: { s: 'z' } }],
  ['another version of the object', { metadata: { resourceVersion: '1' } }],
  ['no version of the object', { metadata: { resourceVersion: null } }],
  ['a version that is none', { metadata: { resourceVersion: 'x' } }],
  ['an empty version', { metadata: { resourceVersion: '' } }],
  ['no metadata', { metadata: null }],
  ['metadata of another type', { metadata: [] }],
  ['what the server sets', { metadata: { creationTimestamp: null, generation: 7 } }],
  ['a generation', { metadata: { generation: 'x' } }],
  ['deletionTimestamp', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }],
  ['status at the main endpoint', { status: { phase: 'x' } }],
  ['a list', []],
  ['null', null],
  ['a text', 'x'],
  ['a number', 1],
  ['a boolean', true],
]

const seen = custom('generation')
const texts = custom('bodies')
const MERGE = 'application/merge-patch+json'
const raw = (what: string, text: string, type = MERGE, query = 'dryRun=All'): Step => ({
  ...texts.patch(what, 'merge', {}, { query }),
  headers: { 'content-type': type },
  body: null,
  text,
})
const levels = ['Strict', 'Warn', 'Ignore', 'Other']
const STATUS = { subresource: 'status' }
const SCALE = { subresource: 'scale' }
const sub = custom('subresources')
const CONFIG = '/api/v1/namespaces/{ns}/configmaps'
const map = new ObjectSteps('merge on a ConfigMap', CONFIG, 'v1 ConfigMap')
const template = new ObjectSteps('merge on a PodTemplate', '/api/v1/namespaces/{ns}/podtemplates', 'v1 PodTemplate')
const none = new ObjectSteps('merge on nothing', CONFIG, 'v1 ConfigMap')
const containers = (...names: string[]) => names.map((name) => ({ name, image: name }))

export const steps: readonly Step[] = [
  ...crdSteps('Merge', [crdVersion(spec, { subresources })]),
  custom('merge').create(start, { as: 'made' }),
  ...patches.map(([what, patch]) =>
    custom('merge').patch(`${what} (${JSON.stringify(patch)})`, 'merge', patch, { query: 'dryRun=All' }),
  ),
  custom('merge').get('is unharmed'),
  seen.create(start),
  seen.patch('grows with the spec', 'merge', { spec: { s: 'y' } }),
  seen.patch('stays without a change', 'merge', { spec: { s: 'y' } }),
  seen.patch('stays with a label', 'merge', { metadata: { labels: { a: '1' } } }),
  seen.patch('stays with a status at the main endpoint', 'merge', { status: { x: 1 } }),
  seen.patch('stays with a status', 'merge', { status: { x: 1 } }, STATUS),
  seen.patch('grows by the scale', 'merge', { spec: { replicas: 3 } }, SCALE),
  seen.patch('stays with the same scale', 'merge', { spec: { replicas: 3 } }, SCALE),
  seen.patch('grows with a field at the root', 'merge', { other: 1 }),
  seen.patch('in dry run', 'merge', { spec: { s: 'z' } }, { query: 'dryRun=All' }),
  seen.get('after dry run'),
  texts.create(start),
  raw('no text', ''),
  raw('no JSON', '{'),
  raw('a word', 'abc'),
  raw('YAML', 'spec:\n  s: y\n'),
  raw('two values', '{} {}'),
  raw('a comment', '{} // x'),
  raw('keys twice', '{"spec":{"s":"1","s":"2"},"metadata":{"labels":{"a":"1","a":"2"}}}'),
  raw('keys twice, strictly', '{"spec":{"s":"1","s":"2"},"spec":{}}', MERGE, 'fieldValidation=Strict'),
  raw('keys in another case', '{"Spec":{"s":"1"},"METADATA":{"name":"x"}}'),
  raw('numbers', '{"spec":{"n":1e3,"m":1.0,"o":12345678901234567890,"p":-0,"q":0.1e-7}}'),
  raw('escapes', '{"spec":{"n":"\\u0041\\ud83d\\ude00\\n<&>\\u2028"}}'),
  raw('half a pair', '{"spec":{"n":"\\ud83d"}}'),
  raw('a type with a charset', '{}', `${MERGE}; charset=utf-8`),
  raw('a type with a space', '{}', `${MERGE} ;x=y`),
  raw('a type in capitals', '{}', 'application/Merge-Patch+JSON'),
  raw('plain JSON', '{}', 'application/json'),
  raw('plain text', '{}', 'text/plain'),
  raw('YAML by type', '{}', 'application/yaml'),
  raw('no type', '{}', ''),
  raw('strategic', '{}', 'application/strategic-merge-patch+json'),
  raw('a list for a JSON patch', '[]', 'application/json-patch+json'),
  ...levels.flatMap((level) => [
    texts.patch(
      `unknown fields by ${level}`,
      'merge',
      { spec: { closed: { b: level } } },
      { query: `fieldValidation=${level}&dryRun=All` },
    ),
    texts.patch(`unknown fields by ${level} in JSON`, 'json', [{ op: 'add', path: '/spec/closed/b', value: level }], {
      query: `fieldValidation=${level}&dryRun=All`,
    }),
  ]),
  sub.create(start, { as: 'sub' }),
  sub.patch('status', 'merge', { status: { a: { b: 1 } }, spec: { s: 'no' } }, STATUS),
  sub.patch('status again', 'merge', { status: { a: { b: null, c: 2 } } }, STATUS),
  sub.patch('labels at the status', 'merge', { metadata: { labels: { a: '1' }, annotations: { b: '1' } } }, STATUS),
  sub.patch(
    'status with a stale version',
    'merge',
    { metadata: { resourceVersion: '{sub.rv}' }, status: { x: 1 } },
    STATUS,
  ),
  sub.patch('status with another uid', 'merge', { metadata: { uid: 'other' }, status: { x: 1 } }, STATUS),
  sub.patch('no status', 'merge', { status: null }, STATUS),
  sub.patch('status by JSON', 'json', [{ op: 'add', path: '/status', value: { replicas: 5 } }], STATUS),
  sub.patch('scale', 'merge', { spec: { replicas: 4 } }, SCALE),
  sub.patch(
    'scale with a stale version',
    'merge',
    { metadata: { resourceVersion: '{sub.rv}' }, spec: { replicas: 5 } },
    SCALE,
  ),
  sub.patch('scale with another uid', 'merge', { metadata: { uid: 'x' }, spec: { replicas: 5 } }, SCALE),
  sub.patch(
    'scale by JSON',
    'json',
    [
      { op: 'test', path: '/status/replicas', value: 5 },
      { op: 'replace', path: '/spec/replicas', value: 6 },
    ],
    SCALE,
  ),
  sub.patch('scale of another type', 'merge', { spec: { replicas: 'x' } }, SCALE),
  sub.patch('scale of another name', 'merge', { metadata: { name: 'x' } }, SCALE),
  sub.patch('scale of another kind', 'merge', { kind: 'X' }, SCALE),
  sub.patch('scale in dry run', 'merge', { spec: { replicas: 9 } }, { ...SCALE, query: 'dryRun=All' }),
  sub.patch('status of the scale', 'merge', { status: { replicas: 9 } }, SCALE),
  sub.patch('a field of the scale that nobody knows', 'merge', { spec: { x: 1 } }, SCALE),
  sub.patch('no spec of the scale', 'merge', { spec: null }, SCALE),
  sub.get('at the end'),
  map.create({ data: { a: '1', b: '2' }, metadata: { labels: { x: '1' } } }, { as: 'map' }),
  map.patch('data', 'merge', { data: { a: null, c: '3' } }),
  map.patch('no data', 'merge', { data: null }),
  map.patch('a value that is null', 'merge', { data: { a: null, b: null } }),
  map.patch('a number', 'merge', { data: { a: 1 } }),
  map.patch('an object', 'merge', { data: { a: {} } }),
  map.patch('a list', 'merge', { data: ['a'] }),
  map.patch('an unknown field', 'merge', { foo: 1, data: { a: '1' } }),
  map.patch('an unknown field, strictly', 'merge', { foo: 1 }, { query: 'fieldValidation=Strict' }),
  map.patch('labels', 'merge', { metadata: { labels: { x: null, y: '2' } } }),
  map.patch('finalizers', 'merge', { metadata: { finalizers: ['x.example.com/a'] } }),
  map.patch('no finalizers', 'merge', { metadata: { finalizers: null } }),
  map.patch('a stale version', 'merge', { metadata: { resourceVersion: '{map.rv}' }, data: { a: '2' } }),
  map.patch('a stale version that changes nothing', 'merge', { metadata: { resourceVersion: '{map.rv}' } }),
  map.patch('version 0', 'merge', { metadata: { resourceVersion: '0' }, data: { a: '3' } }),
  map.patch('another uid', 'merge', { metadata: { uid: 'x' }, data: { a: '3' } }),
  map.patch('immutable', 'merge', { immutable: true }),
  map.patch('what is immutable', 'merge', { data: { a: '4' } }),
  template.create({ template: { spec: { containers: containers('a', 'b') } } }),
  template.patch('a list as a whole', 'merge', { template: { spec: { containers: containers('c') } } }),
  template.patch('no containers', 'merge', { template: { spec: { containers: null } } }),
  template.patch('a default', 'merge', { template: { spec: { restartPolicy: null, dnsPolicy: 'Default' } } }),
  template.patch('a quantity', 'merge', { template: { spec: { overhead: { cpu: '1000m' } } } }),
  none.patch('nothing there', 'merge', {}),
  none.patch('nothing there by JSON', 'json', []),
  none.patch('nothing there by strategic', 'strategic', {}),
  none.patch('a wrong patch of nothing', 'json', {}),
]
