import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { crdSteps, crdVersion, customPath, ObjectSteps } from '../object-steps.ts'

const text: JsonObject = { type: 'string' }
const map: JsonObject = { type: 'object', additionalProperties: text }
const item: JsonObject = { type: 'object', required: ['k'], properties: { k: text, v: text } }
const list: JsonObject = { type: 'array', items: item }
const keyed = { ...list, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }
const keyedByTwo = {
  type: 'array',
  items: { ...item, required: ['k', 'v'] },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k', 'v'],
}
const atomic = { 'x-kubernetes-map-type': 'atomic' }
const set = (type: string): JsonObject => ({ type: 'array', items: text, 'x-kubernetes-list-type': type })
const struct = (more: JsonObject = {}): JsonObject => ({ type: 'object', properties: { x: text, y: text }, ...more })
const open: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

/** How the schema of one field changes under objects that two managers own. */
interface Change {
  readonly what: string
  readonly before: JsonObject
  readonly after: JsonObject
  readonly alice: JsonObject[string]
  readonly bob: JsonObject[string]
}

const items = (...keys: string[]) => keys.map((k) => ({ k, v: '1' }))
const changes: readonly Change[] = [
  { what: 'map to atomic', before: map, after: { ...map, ...atomic }, alice: { a: '1' }, bob: { b: '1' } },
  { what: 'map to granular', before: { ...map, ...atomic }, after: map, alice: { a: '1' }, bob: { a: '1' } },
  { what: 'object to atomic', before: struct(), after: struct(atomic), alice: { x: '1' }, bob: { y: '1' } },
  { what: 'object to granular', before: struct(atomic), after: struct(), alice: { x: '1' }, bob: { x: '1' } },
  { what: 'list to keyed', before: list, after: keyed, alice: items('a', 'b'), bob: items('a', 'b') },
  { what: 'keyed to list', before: keyed, after: list, alice: items('a', 'b'), bob: items('c') },
  { what: 'keyed by another key', before: keyed, after: keyedByTwo, alice: items('a', 'b'), bob: items('c') },
  { what: 'set to atomic', before: set('set'), after: set('atomic'), alice: ['a'], bob: ['b'] },
  { what: 'atomic to set', before: set('atomic'), after: set('set'), alice: ['a', 'b'], bob: ['a', 'b'] },
  { what: 'open to closed', before: open, after: struct(), alice: { x: '1', z: '1' }, bob: { y: '1' } },
  { what: 'closed to open', before: struct(), after: open, alice: { x: '1' }, bob: { y: '1' } },
  {
    what: 'field removed',
    before: struct(),
    after: { type: 'object', properties: { x: text } },
    alice: { x: '1' },
    bob: { y: '1' },
  },
  {
    what: 'field added',
    before: { type: 'object', properties: { x: text } },
    after: struct({ properties: { x: text, y: { ...text, default: 'new' } } }),
    alice: { x: '1' },
    bob: { x: '1' },
  },
  { what: 'text to number', before: text, after: { type: 'integer' }, alice: '1', bob: '1' },
  { what: 'map to text', before: map, after: text, alice: { a: '1' }, bob: { b: '1' } },
]

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** Each change has a CRD of its own. A field that only the new schema has shows when that schema is in force. */
function stepsOf({ what, before, after, alice, bob }: Change, index: number): readonly Step[] {
  const kind = `Change${String.fromCharCode(65 + index)}`
  const plural = `${kind.toLowerCase()}s`
  const spec = (field: JsonObject, more: JsonObject = {}): JsonObject => ({
    type: 'object',
    properties: { f: field, a: text, ...more },
  })
  const thing = new ObjectSteps(what, customPath(plural), `{ns}.example.com/v1 ${kind}`)
  const probe = new ObjectSteps(`${what} probe`, customPath(plural), `{ns}.example.com/v1 ${kind}`)
  return [
    ...crdSteps(kind, [crdVersion(spec(before))]),
    thing.apply('one manager', 'alice', { spec: { f: alice, a: '1' } }),
    thing.apply('another', 'bob', { spec: { f: bob } }),
    thing.patch('an updater', 'merge', { spec: { a: '2' } }, { query: 'fieldManager=tool' }),
    {
      name: `${what}: the schema changes`,
      method: 'PATCH',
      path: `${CRDS}/${plural}.{ns}.example.com`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { spec: { versions: [crdVersion(spec(after, { probe: { ...text, default: 'now' } }))] } },
    },
    probe.create(
      { spec: {} },
      {
        query: 'dryRun=All',
        until: (body) => JSON.stringify(body).includes('"probe":"now"'),
      },
    ),
    thing.get('read'),
    thing.patch('an updater again', 'merge', { spec: { a: '3' } }, { query: 'fieldManager=tool' }),
    thing.apply('one manager again', 'alice', { spec: { f: alice, a: '3' } }, { unordered: true }),
    thing.apply('another by force', 'bob!', { spec: { f: bob } }),
    thing.apply('one manager gives up', 'alice', { spec: { a: '3' } }),
    thing.get('at the end'),
  ]
}

export const steps: readonly Step[] = changes.flatMap(stepsOf)
