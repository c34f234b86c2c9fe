import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { crdSteps, crdVersion, customPath, ObjectSteps } from '../object-steps.ts'

const text: JsonObject = { type: 'string' }
const number: JsonObject = { type: 'integer' }
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more })
const list = (items: JsonObject, type?: string, keys?: readonly string[]): JsonObject => ({
  type: 'array',
  items,
  ...(type !== undefined && { 'x-kubernetes-list-type': type }),
  ...(keys !== undefined && { 'x-kubernetes-list-map-keys': keys }),
})
const keyed = (properties: JsonObject, ...keys: string[]): JsonObject =>
  list(
    object(properties, { required: keys.filter((key) => !('default' in (properties[key] as JsonObject))) }),
    'map',
    keys,
  )

const port = { port: number, protocol: { ...text, default: 'TCP' }, name: text }
const spec = object({
  plain: list(text),
  atomic: list(text, 'atomic'),
  set: list(text, 'set'),
  numbers: list(number, 'set'),
  map: keyed({ k: text, v: text, w: text }, 'k'),
  ports: keyed(port, 'port', 'protocol'),
  nested: keyed({ k: text, inner: keyed({ k: text, v: text }, 'k'), tags: list(text, 'set') }, 'k'),
  whole: keyed({ k: text, o: object({ x: text, y: text }, { 'x-kubernetes-map-type': 'atomic' }) }, 'k'),
  items: list(object({ a: text, b: text })),
  free: { type: 'object', additionalProperties: text },
  one: object({ x: text, y: text }, { 'x-kubernetes-map-type': 'atomic' }),
  many: object({ x: text, y: text }, { 'x-kubernetes-map-type': 'granular' }),
  atomicFree: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
  mapOfLists: { type: 'object', additionalProperties: list(text, 'set') },
  mapOfMaps: { type: 'object', additionalProperties: keyed({ k: text, v: text }, 'k') },
  floats: list({ type: 'number' }, 'set'),
  bounded: { type: 'number', maximum: 0 },
  preset: keyed({ k: { ...text, default: 'x' }, v: text }, 'k'),
  selector: list(object({ k: text, v: text }, { 'x-kubernetes-map-type': 'atomic' }), 'map', ['k']),
})
;(((spec.properties as JsonObject).selector as JsonObject).items as { required?: string[] }).required = ['k']

const PATH = customPath('lists')

/** Two managers, one after the other, on one field: who owns what after each. */
interface Case {
  readonly what: string
  readonly field: string
  readonly first: JsonValue
  readonly second: JsonValue
  /** What the first applies at the end. */
  readonly last?: JsonValue
}

const cases: readonly Case[] = [
  { what: 'plain list', field: 'plain', first: ['a', 'b'], second: ['b'], last: ['b'] },
  { what: 'atomic list', field: 'atomic', first: ['a', 'b'], second: ['a', 'b'], last: [] },
  { what: 'set', field: 'set', first: ['a', 'b', 'c'], second: ['c', 'd', 'a'], last: ['b'] },
  { what: 'set of numbers', field: 'numbers', first: [3, 1], second: [2, 3], last: [] },
  {
    what: 'list of maps',
    field: 'map',
    first: [
      { k: 'a', v: '1' },
      { k: 'b', v: '1' },
    ],
    second: [
      { k: 'c', v: '1' },
      { k: 'a', w: '2' },
    ],
    last: [{ k: 'b', v: '2' }],
  },
  {
    what: 'list of maps in conflict',
    field: 'map',
    first: [
      { k: 'a', v: '1' },
      { k: 'b', v: '1', w: '1' },
    ],
    second: [
      { k: 'b', v: '2', w: '2' },
      { k: 'a', v: '3' },
    ],
    last: [{ k: 'a' }],
  },
  {
    what: 'list with a defaulted key',
    field: 'ports',
    first: [{ port: 80 }, { port: 53, protocol: 'UDP' }],
    second: [{ port: 80, protocol: 'TCP', name: 'web' }, { port: 53 }],
    last: [{ port: 53, protocol: 'UDP', name: 'dns' }],
  },
  {
    what: 'list in a list',
    field: 'nested',
    first: [{ k: 'a', inner: [{ k: 'x', v: '1' }], tags: ['t'] }],
    second: [
      {
        k: 'a',
        inner: [
          { k: 'y', v: '1' },
          { k: 'x', v: '1' },
        ],
        tags: ['u', 't'],
      },
      { k: 'b', inner: [] },
    ],
    last: [{ k: 'a' }],
  },
  {
    what: 'list of maps with an atomic one',
    field: 'whole',
    first: [{ k: 'a', o: { x: '1' } }],
    second: [{ k: 'a', o: { y: '1' } }],
    last: [{ k: 'a', o: { x: '2' } }],
  },
  { what: 'list of anything', field: 'items', first: [{ a: '1' }], second: [{ a: '1' }], last: [{ b: '1' }] },
  { what: 'free map', field: 'free', first: { x: '1', y: '1' }, second: { y: '1', z: '1' }, last: { x: '2' } },
  { what: 'atomic map', field: 'one', first: { x: '1' }, second: { y: '1' }, last: { x: '1', y: '1' } },
  { what: 'granular map', field: 'many', first: { x: '1' }, second: { y: '1' }, last: {} },
  { what: 'atomic free map', field: 'atomicFree', first: { x: '1' }, second: { y: '1' }, last: { x: '1' } },
  {
    what: 'map of sets',
    field: 'mapOfLists',
    first: { x: ['a', 'b'], y: ['a'] },
    second: { x: ['b', 'c'] },
    last: { y: ['b'] },
  },
  {
    what: 'map of lists of maps',
    field: 'mapOfMaps',
    first: { x: [{ k: 'a', v: '1' }] },
    second: { x: [{ k: 'a', v: '2' }, { k: 'b' }] },
    last: { y: [] },
  },
  {
    what: 'list of atomic maps',
    field: 'selector',
    first: [{ k: 'a', v: '1' }],
    second: [
      { k: 'a', v: '2' },
      { k: 'b', v: '1' },
    ],
    last: [{ k: 'b', v: '1' }],
  },
]

function stepsOf({ what, field, first, second, last = null }: Case): readonly Step[] {
  const thing = new ObjectSteps(what, PATH, '{ns}.example.com/v1 List')
  return [
    thing.apply('one manager', 'alice', { spec: { [field]: first } }),
    thing.apply('another', 'bob', { spec: { [field]: second } }, { unordered: true }),
    thing.apply('the other by force', 'bob!', { spec: { [field]: second } }),
    thing.apply('the first goes on', 'alice!', { spec: { [field]: last } }),
    thing.apply('the first gives up', 'alice', { spec: {} }),
    thing.apply('the other gives up', 'bob', {}),
  ]
}

/** What is refused, or read in a way of its own. */
const odd: readonly (readonly [what: string, field: string, value: JsonValue])[] = [
  ['duplicates in a set', 'set', ['a', 'b', 'a']],
  ['duplicates in an atomic list', 'atomic', ['a', 'a']],
  ['duplicates in a list of maps', 'map', [{ k: 'a' }, { k: 'a', v: '1' }]],
  ['duplicates by a default', 'ports', [{ port: 1 }, { port: 1, protocol: 'TCP' }]],
  ['duplicates in an inner list', 'nested', [{ k: 'a', inner: [{ k: 'b' }, { k: 'b' }] }]],
  ['an item without its key', 'map', [{ v: '1' }]],
  ['an item with half of its keys', 'ports', [{ protocol: 'UDP' }]],
  ['an item that is null', 'map', [null]],
  ['an item that is a text', 'map', ['x']],
  ['an item of a set that is null', 'set', [null]],
  ['an item of a set that is a map', 'set', [{}]],
  ['an item of a set that is a list', 'set', [['a']]],
  ['an item of a set of another type', 'set', [1]],
  ['a number with a fraction', 'numbers', [1.5]],
  ['a text for a list', 'atomic', 'x'],
  ['a list for a map', 'free', ['x']],
  ['a map for a list', 'map', { k: 'a' }],
  ['null for a list', 'map', null],
  ['null for a map', 'free', null],
  ['null in a map', 'free', { x: null, y: '1' }],
  ['a key that is null', 'map', [{ k: null }]],
  ['a key of another type', 'map', [{ k: 1 }]],
  ['an empty list', 'map', []],
  ['an empty map', 'free', {}],
  ['keys with dots, slashes and quotes', 'free', { 'a.b': '1', 'c/d': '1', '"e"': '1', '': '1', é: '1' }],
]

const order = new ObjectSteps('order of items', PATH, '{ns}.example.com/v1 List')
const items = (keys: string): JsonObject => ({ spec: { map: [...keys].map((k) => ({ k })), set: [...keys] } })
const orders = ['abc', 'cba', 'xay', 'b', 'ybxz', 'zyx', 'a1b2', 'ba21']

/** How the numbers of refused values are written. */
const numbers = [1e21, 1e20, 2 ** 63, 123456789012, 1234567.5, 123456.5, 0.5, 0.0001, 0.00001].flatMap((number) => {
  const one = new ObjectSteps(`refused ${number}`, PATH, '{ns}.example.com/v1 List')
  return [
    one.create({ spec: { floats: [number, number] } }, { name: 'twice in a set' }),
    one.create({ spec: { bounded: number } }, { name: 'above its bound' }),
    one.create({ spec: { map: [{ k: 'a' }, number] } }, { name: 'in a list of maps', unordered: true }),
  ]
})

/** The key of such an item is a default: the manager who applied the item does not own it. */
const preset = new ObjectSteps('an item with the default of its key', PATH, '{ns}.example.com/v1 List')

export const steps: readonly Step[] = [
  ...crdSteps('List', [crdVersion(spec)]),
  ...cases.flatMap(stepsOf),
  ...odd.map(([what, field, value]) =>
    new ObjectSteps(what, PATH, '{ns}.example.com/v1 List').apply('apply', 'alice', { spec: { [field]: value } }),
  ),
  ...numbers,
  preset.apply('the item', 'bob', { spec: { preset: [{}] } }),
  preset.apply('what holds it', 'alice', { spec: {} }),
  preset.apply('what holds it is given up', 'alice', {}),
  preset.apply('its field', 'carl', { spec: { preset: [{ v: '1' }] } }),
  preset.apply('its field is given up', 'carl', { spec: {} }),
  preset.apply('the item is given up', 'bob', {}),
  ...orders.map((keys, index) => order.apply(`${keys} by ${'abc'[index % 3]}`, `m${index % 3}!`, items(keys))),
]
