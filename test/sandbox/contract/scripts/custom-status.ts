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
]
