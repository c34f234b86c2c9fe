import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { ObjectSteps } from '../object-steps.ts'

/** What can be done with a ConfigMap or a Secret that is marked as immutable. */
function frozenSteps(kind: string, plural: string, data: JsonObject, other: JsonObject): readonly Step[] {
  const thing = new ObjectSteps(`frozen ${plural}`, `/api/v1/namespaces/{ns}/${plural}`, `v1 ${kind}`)
  return [
    thing.create({ data, immutable: true }),
    thing.patch('other data', 'merge', { data: other }),
    thing.patch('other data by a strategic patch', 'strategic', { data: other }),
    thing.put('replaced', { data: other, immutable: true }),
    thing.put('thawed', { data }),
    thing.patch('thawed by a patch', 'json', [{ op: 'remove', path: '/immutable' }]),
    thing.apply('other data applied', 'alice!', { data: other }),
    thing.patch('a label', 'merge', { metadata: { labels: { a: 'b' } } }),
    thing.put('replaced by the same', { data, immutable: true }),
    thing.delete(),
  ]
}

export const steps: readonly Step[] = [
  ...frozenSteps('ConfigMap', 'configmaps', { a: '1' }, { a: '2' }),
  ...frozenSteps('Secret', 'secrets', { a: 'MQ==' }, { a: 'Mg==' }),
]
