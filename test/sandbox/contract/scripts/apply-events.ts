import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { ObjectSteps } from '../object-steps.ts'

const about = { apiVersion: 'v1', kind: 'Pod', name: 'p', namespace: '{ns}' }
const old = (more: JsonObject = {}): JsonObject => ({ involvedObject: about, ...more })
const young = (more: JsonObject = {}): JsonObject => ({
  regarding: about,
  eventTime: '2026-01-01T00:00:00.000000Z',
  reportingController: 'example.com/me',
  reportingInstance: 'me-1',
  action: 'Doing',
  reason: 'Because',
  type: 'Normal',
  ...more,
})

/** The same Event in the core group and in its own. */
const both = (label: string): readonly [ObjectSteps, ObjectSteps] => [
  new ObjectSteps(label, '/api/v1/namespaces/{ns}/events', 'v1 Event'),
  new ObjectSteps(label, '/apis/events.k8s.io/v1/namespaces/{ns}/events', 'events.k8s.io/v1 Event'),
]
const [a1, a2] = both('applied in both groups')
const [b1, b2] = both('applied by two managers')
const [c1, c2] = both('updated in both groups')
const [d1, d2] = both('labelled in its own group')
const [e1, e2] = both('no time after the other group')
const [f1, f2] = both('no time by another manager')
const [g1] = both('no time at once')
const [h1] = both('no time after a time')

const noTime = old({ firstTimestamp: '' })

/** Who owns fields in the other group of Events is forgotten: there is no way between groups for managers. */
export const steps: readonly Step[] = [
  a2.apply('in its own group', 'm', young()),
  a1.apply('in the core group, without what was applied', 'm', old({ firstTimestamp: '2026-01-01T00:00:00Z' })),
  a2.get('as it is'),
  b2.apply('in its own group', 'm', young()),
  b1.apply('in the core group, another reason without force', 'n', old({ reason: 'Other' })),
  c2.create(young(), { query: 'fieldManager=creator' }),
  c1.patch('its count in the core group', 'merge', { count: 3 }, { query: 'fieldManager=m' }),
  c1.put('in the core group', old({ reason: 'Other' }), { query: 'fieldManager=n' }),
  d1.apply('in the core group', 'm', old({ reason: 'Because', metadata: { labels: { a: '1' } } })),
  d2.patch('a label in its own group', 'merge', { metadata: { labels: { b: '2' } } }, { query: 'fieldManager=n' }),
  d1.apply('in the core group, without the label', 'm', old({ reason: 'Because' })),
  e2.apply('in its own group', 'm', young()),
  e1.apply('an empty time in the core group', 'm!', noTime),
  f2.apply('in its own group', 'm', young()),
  f1.apply('an empty time in the core group', 'n!', noTime),
  g1.apply('an empty time', 'm!', noTime),
  h1.apply('with a reason', 'm!', old({ reason: 'Because' })),
  h1.apply('an empty time', 'm!', noTime),
]
