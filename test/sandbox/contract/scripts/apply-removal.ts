import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { crdSteps, crdVersion, customPath, ObjectSteps } from '../object-steps.ts'

const text: JsonObject = { type: 'string' }
const number: JsonObject = { type: 'integer' }
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more })
const items: JsonObject = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
  items: object({ k: text, v: text, d: { ...text, default: 'given' } }, { required: ['k'] }),
}
const spec = object({
  a: text,
  b: number,
  d: { ...text, default: 'given' },
  n: { ...text, nullable: true },
  m: { type: 'object', additionalProperties: text },
  o: object({ x: text, y: { ...text, default: 'why' }, z: object({ q: text }) }),
  dm: object({ x: { ...text, default: '1' } }, { default: {} }),
  l: items,
  s: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
  at: { type: 'array', items: text },
})
const path = customPath('removals')
const thing = (label: string) => new ObjectSteps(label, path, '{ns}.example.com/v1 Removal')

/** What one manager applies, one after the other. */
const alone: readonly (readonly [what: string, ...specs: JsonObject[]])[] = [
  ['a field', { a: '1', b: 1 }, { b: 1 }],
  ['a field with a default', { a: '1', d: 'x' }, { a: '1' }],
  ['a field with its default', { a: '1', d: 'given' }, { a: '1' }],
  ['a map', { a: '1', m: { x: '1' } }, { a: '1' }],
  ['the keys of a map', { m: { x: '1', y: '1' } }, { m: {} }, { m: { z: '1' } }],
  ['an empty map', { a: '1', m: {} }, { a: '1' }],
  ['an object with a default', { o: { x: '1', y: '2' } }, { o: { x: '1' } }, { o: {} }],
  ['an inner object', { o: { z: { q: '1' } } }, { o: { z: {} } }, { o: {} }, { a: '1' }],
  ['an object that is a default', { a: '1', dm: { x: '2' } }, { a: '1', dm: {} }, { a: '1' }],
  ['an item', { l: [{ k: 'a' }, { k: 'b', v: '1' }] }, { l: [{ k: 'b' }] }, { l: [] }],
  ['a field of an item', { l: [{ k: 'a', v: '1', d: 'x' }] }, { l: [{ k: 'a' }] }],
  ['a list', { a: '1', l: [{ k: 'a' }], s: ['x'], at: ['x'] }, { a: '1' }],
  ['an item of a set', { s: ['a', 'b', 'c'] }, { s: ['c'] }, { s: ['c', 'a'] }],
  ['an atomic list', { at: ['a', 'b'] }, { at: ['b'] }, { at: [] }],
]

/** Null in what is applied. */
const nulls: readonly (readonly [what: string, value: JsonValue])[] = [
  ['a text', { a: null }],
  ['a text with a default', { d: null }],
  ['a text that may be null', { n: null }],
  ['an object', { o: null }],
  ['a field of an object', { o: { z: { q: null } } }],
  ['a value of an item', { l: [{ k: 'a', v: null }] }],
  ['the spec', null],
]

const two = thing('two owners')
const with3 = thing('updater and applier')
const parents = thing('parents')
const listed = thing('items of two owners')
const map = new ObjectSteps('data', '/api/v1/namespaces/{ns}/configmaps', 'v1 ConfigMap')
const template = new ObjectSteps('pods', '/api/v1/namespaces/{ns}/podtemplates', 'v1 PodTemplate')
const pods = (spec: JsonObject): JsonObject => ({ template: { spec } })
const service = new ObjectSteps('ports', '/api/v1/namespaces/{ns}/services', 'v1 Service')
const ports = (...list: JsonObject[]): JsonObject => ({ spec: { clusterIP: 'None', ports: list } })

export const steps: readonly Step[] = [
  ...crdSteps('Removal', [crdVersion(spec)]),
  ...alone.flatMap(([what, ...specs]) =>
    specs.map((each, index) => thing(what).apply(`apply ${index + 1}`, 'alice', { spec: each })),
  ),
  ...nulls.flatMap(([what, value]) => {
    const full = { a: '1', d: 'x', n: 'x', o: { x: '1', z: { q: '1' } }, l: [{ k: 'a', v: '1' }] }
    const each = thing(`null for ${what}`)
    return [
      each.apply('of another’s', 'alice', { spec: full }),
      each.apply('by another', 'bob', { spec: value }, { unordered: true }),
      each.apply('by the owner', 'alice', { spec: value }),
    ]
  }),
  two.apply('both', 'alice', { spec: { a: '1', m: { x: '1', y: '1' }, s: ['a', 'b'] } }),
  two.apply('of all', 'bob', { spec: { a: '1', m: { x: '1' }, s: ['a'] } }),
  two.apply('one leaves', 'alice', { spec: { m: { y: '1' } } }),
  two.apply('the other leaves, too', 'bob', { spec: { s: [] } }),
  two.apply('and comes back', 'bob', { spec: { a: '2' } }),
  with3.create({ spec: { a: '1', m: { x: '1' }, l: [{ k: 'a', v: '1' }] } }, { query: 'fieldManager=tool' }),
  with3.apply('the same', 'alice', { spec: { a: '1', m: { x: '1' }, l: [{ k: 'a', v: '1' }] } }),
  with3.apply('gives up', 'alice', { spec: { m: {} } }),
  with3.patch('removes', 'merge', { spec: { m: null, l: null } }, { query: 'fieldManager=tool' }),
  with3.patch('null is kept', 'merge', { spec: { n: null } }, { query: 'fieldManager=tool' }),
  with3.patch('removes what another owns', 'merge', { spec: { a: null } }, { query: 'fieldManager=other' }),
  parents.apply('a leaf', 'alice', { spec: { o: { z: { q: '1' } } } }),
  parents.apply('an object without fields', 'bob', { spec: { o: { z: {} } } }),
  parents.apply('the leaf goes', 'alice', { spec: { o: {} } }),
  parents.apply('the object goes', 'bob', { spec: { o: {} } }),
  parents.apply('and its parent', 'bob', { spec: { a: '1' } }),
  listed.apply('items', 'alice', { spec: { l: [{ k: 'a', v: '1' }, { k: 'b' }] } }),
  listed.apply('more of one', 'bob', { spec: { l: [{ k: 'a', d: 'x' }, { k: 'c' }] } }, { unordered: true }),
  listed.apply('more of one by force', 'bob!', { spec: { l: [{ k: 'a', d: 'x' }, { k: 'c' }] } }),
  listed.apply('one goes', 'alice', { spec: { l: [{ k: 'b' }] } }),
  listed.apply('the other as well', 'bob', { spec: { l: [{ k: 'c' }] } }),
  listed.patch('an updater takes an item away', 'merge', { spec: { l: [{ k: 'b' }] } }),
  listed.apply('it comes back', 'bob', { spec: { l: [{ k: 'c' }] } }),
  map.apply('keys', 'alice', { data: { a: '1', b: '1' } }),
  map.apply('no keys', 'alice', { data: {} }),
  map.apply('no data', 'alice', {}),
  map.apply('data again', 'alice', { data: { c: '1' }, immutable: true }),
  map.apply('data of what is immutable', 'alice', { data: { d: '1' }, immutable: true }),
  map.apply('no longer immutable', 'alice', { data: { c: '1' } }),
  template.apply(
    'containers',
    'alice',
    pods({
      containers: [
        { name: 'a', image: 'a' },
        { name: 'b', image: 'b' },
      ],
    }),
  ),
  template.apply('one less', 'alice', pods({ containers: [{ name: 'b', image: 'b', args: ['x'] }] })),
  template.apply('its required field', 'alice', pods({ containers: [{ name: 'b' }] })),
  template.apply('none', 'alice', pods({ containers: [] })),
  template.apply(
    'defaulted fields',
    'alice',
    pods({ containers: [{ name: 'b', image: 'b', imagePullPolicy: 'Never' }] }),
  ),
  template.apply('back to the default', 'alice', pods({ containers: [{ name: 'b', image: 'b' }] })),
  template.apply(
    'volumes',
    'bob',
    pods({
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'w', secret: { secretName: 's' } },
      ],
    }),
  ),
  template.apply('another source', 'bob', pods({ volumes: [{ name: 'v', hostPath: { path: '/x' } }] })),
  template.apply('no volumes', 'bob', pods({})),
  service.apply('ports', 'alice', ports({ name: 'a', port: 80 }, { name: 'b', port: 81, targetPort: 'x' })),
  service.apply('another number', 'alice', ports({ name: 'a', port: 82 }, { name: 'b', port: 81 })),
  service.apply('of one name', 'alice', ports({ name: 'a', port: 82 }, { name: 'a', port: 81 })),
  service.apply('of one number', 'alice', ports({ name: 'a', port: 82 }, { name: 'b', port: 82 })),
  service.apply('without names', 'alice', ports({ port: 82 }, { port: 83, protocol: 'UDP' })),
  service.apply('one', 'alice', ports({ port: 83 })),
]
