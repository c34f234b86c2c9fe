import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { crdSteps, customPath, ObjectSteps } from '../object-steps.ts'

const text = { type: 'string' }
const status = { type: 'object', properties: { phase: text, list: { type: 'array', items: text } } }
const version: JsonObject = {
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' }, status } } },
  subresources: { status: {} },
}
const thing = (label: string): ObjectSteps => new ObjectSteps(label, customPath('typeds'), '{ns}.example.com/v1 Typed')
const AT_STATUS = { subresource: 'status' }

/** Values for a status that the schema declares as an object. */
const cases: readonly (readonly [what: string, status: JsonValue])[] = [
  ['null', null],
  ['a list', [{}]],
  ['a text', 'x'],
  ['an empty object', {}],
  ['a wrong field', { phase: 1 }],
  ['a wrong item', { list: ['a', 1] }],
]

const embedded = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
}
const embedding: JsonObject = {
  ...version,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        status: {
          type: 'object',
          properties: {
            one: embedded,
            list: { type: 'array', items: embedded },
            map: { type: 'object', additionalProperties: embedded },
            named: { ...embedded, required: ['kind'], properties: { kind: { type: 'string', maxLength: 3 } } },
          },
        },
      },
    },
  },
}
const holder = (label: string): ObjectSteps =>
  new ObjectSteps(label, customPath('embeddings'), '{ns}.example.com/v1 Embedding')
const resource = { apiVersion: 'v1', kind: 'A' }

/** Statuses with resources inside, of which `/status` asks less than the main endpoint. */
const embeddedCases: readonly (readonly [what: string, status: JsonObject])[] = [
  ['an empty one', { one: {} }],
  ['one in a list', { list: [{ kind: 'A' }, {}] }],
  ['one in a map', { map: { a: { apiVersion: 'v1' } } }],
  ['one with a group too many', { one: { apiVersion: 'a/b/c', kind: 'A b' } }],
  ['one with empty texts', { one: { apiVersion: '', kind: '' } }],
  ['one with a number for a group', { one: { apiVersion: 5, kind: 'A' } }],
  ['one with a number for a kind', { one: { apiVersion: 'v1', kind: 6 } }],
  ['one with another name', { one: { ...resource, metadata: { name: 'No Name' } } }],
  ['one with a wrong label', { one: { ...resource, metadata: { labels: { a: 1 } } } }],
  ['one with a text for metadata', { one: { ...resource, metadata: 'none' } }],
  ['one whose author requires a kind', { named: {} }],
  ['one whose author wants a short kind', { named: { kind: 'Long' } }],
]

export const steps: readonly Step[] = [
  ...crdSteps('Typed', [version]),
  ...cases.flatMap(([what, value]) => [
    thing(what).create({}),
    thing(what).patch('merged where none is', 'merge', { status: value }, AT_STATUS),
    thing(what).apply('applied where none is', 'alice', { status: value }, AT_STATUS),
    thing(what).patch('a status', 'merge', { status: { phase: 'a' } }, AT_STATUS),
    thing(what).patch('merged where one is', 'merge', { status: value }, AT_STATUS),
    thing(what).apply('applied where one is', 'bob!', { status: value }, AT_STATUS),
    thing(what).get(),
  ]),
  ...crdSteps('Embedding', [embedding]),
  ...embeddedCases.flatMap(([what, value]) => [
    holder(what).create({}),
    holder(what).patch('merged', 'merge', { status: value }, AT_STATUS),
    holder(what).apply('applied', 'alice', { status: value }, AT_STATUS),
    holder(what).get(),
  ]),
]
