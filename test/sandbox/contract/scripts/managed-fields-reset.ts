import type { JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { ObjectSteps } from '../object-steps.ts'

const map = (name: string): ObjectSteps => new ObjectSteps(name, '/api/v1/namespaces/{ns}/configmaps', 'v1 ConfigMap')

/** Each way to say it, on an object that two managers have written. */
function resetBy(name: string, ask: (thing: ObjectSteps) => Step): readonly Step[] {
  const thing = map(name)
  return [
    thing.create({ data: { a: '1' } }, { query: 'fieldManager=maker' }),
    thing.apply('applied', 'alice', { data: { b: '2' } }),
    ask(thing),
    thing.apply('applied again', 'alice', { data: { b: '3' } }),
  ]
}

const forms: readonly (readonly [string, JsonValue])[] = [
  ['an empty list', []],
  ['an empty entry', [{}]],
]

export const steps: readonly Step[] = forms.flatMap(([form, managedFields]) => [
  ...resetBy(`${form} merged`, (thing) => thing.patch('reset', 'merge', { metadata: { managedFields } })),
  ...resetBy(`${form} by a strategic patch`, (thing) =>
    thing.patch('reset', 'strategic', { metadata: { managedFields } }),
  ),
  ...resetBy(`${form} by a json patch`, (thing) =>
    thing.patch('reset', 'json', [{ op: 'replace', path: '/metadata/managedFields', value: managedFields }]),
  ),
  ...resetBy(`${form} put`, (thing) => thing.put('reset', { metadata: { managedFields }, data: { a: '1', b: '2' } })),
])
