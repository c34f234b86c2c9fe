import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { ObjectSteps } from '../object-steps.ts'

const LAST = 'kubectl.kubernetes.io/last-applied-configuration'
const MAPS = '/api/v1/namespaces/{ns}/configmaps'
const TEMPLATES = '/api/v1/namespaces/{ns}/podtemplates'

/** As `kubectl apply` writes it on the client side. */
function annotated(thing: ObjectSteps, fields: JsonObject): JsonObject {
  const body = thing.body({
    ...fields,
    metadata: { annotations: {}, namespace: '{ns}', ...(fields.metadata as JsonObject | undefined) },
  })
  const metadata = body.metadata as JsonObject
  const annotations = { ...(metadata.annotations as JsonObject), [LAST]: `${JSON.stringify(body)}\n` }
  return { ...fields, metadata: { ...metadata, annotations } }
}

const CLIENT = { query: 'fieldManager=kubectl-client-side-apply' }

/** An object that client-side apply made, and what comes after. */
function migrated(
  what: string,
  fields: JsonObject,
  then: (thing: ObjectSteps) => readonly Step[],
  given?: JsonObject,
): readonly Step[] {
  const thing = new ObjectSteps(what, MAPS, 'v1 ConfigMap')
  return [thing.create({ ...annotated(thing, fields), ...given }, CLIENT), ...then(thing)]
}

const data = (...pairs: string[]): JsonObject => ({ data: Object.fromEntries(pairs.map((pair) => pair.split('='))) })
const note = (value: JsonValue): JsonObject => ({ metadata: { annotations: { [LAST]: value } } })

/** The patch by which kubectl moves the entry of client-side apply to the one of server-side apply. */
const upgrade = (fields: JsonObject, more: JsonValue[] = []): JsonValue => [
  {
    op: 'replace',
    path: '/metadata/managedFields',
    value: [
      {
        manager: 'kubectl',
        operation: 'Apply',
        apiVersion: 'v1',
        time: '2026-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: fields,
      },
      ...more,
    ],
  },
  { op: 'replace', path: '/metadata/resourceVersion', value: '{made.rv}' },
]

const pods = (image: string, more: JsonObject = {}): JsonObject => ({
  template: { spec: { containers: [{ name: 'a', image, ...more }] } },
})
const template = new ObjectSteps('template', TEMPLATES, 'v1 PodTemplate')
const upgraded = new ObjectSteps('upgraded', MAPS, 'v1 ConfigMap')
const kept = new ObjectSteps('kept up', MAPS, 'v1 ConfigMap')

export const steps: readonly Step[] = [
  ...migrated('same values', data('a=1', 'b=1'), (thing) => [
    thing.apply('as another', 'alice', data('a=1', 'b=2')),
    thing.apply('as kubectl', 'kubectl', data('a=1', 'b=1')),
    thing.apply('another value as kubectl', 'kubectl', data('a=2', 'b=1')),
    thing.apply('one less as kubectl', 'kubectl', data('a=2')),
  ]),
  ...migrated('other values', data('a=1', 'b=1'), (thing) => [
    thing.apply('as kubectl', 'kubectl', data('a=2', 'b=1')),
    thing.apply('again as kubectl', 'kubectl', data('a=3', 'b=1')),
    thing.apply('as another', 'alice', data('a=4')),
  ]),
  ...migrated('changed by hand', data('a=1', 'b=1'), (thing) => [
    thing.patch('by kubectl edit', 'merge', data('a=5'), { query: 'fieldManager=kubectl-edit' }),
    thing.apply('as kubectl', 'kubectl', data('a=2', 'b=2')),
    thing.apply('what is there as kubectl', 'kubectl', data('a=5', 'b=2')),
    thing.apply('by force as kubectl', 'kubectl!', data('a=2', 'b=3')),
  ]),
  ...migrated('changed by the same manager', data('a=1'), (thing) => [
    thing.patch('without the annotation', 'merge', data('a=5'), CLIENT),
    thing.apply('as kubectl', 'kubectl', data('a=2')),
  ]),
  ...migrated('removed by hand', data('a=1', 'b=1'), (thing) => [
    thing.patch('by kubectl edit', 'json', [{ op: 'remove', path: '/data/a' }], { query: 'fieldManager=kubectl-edit' }),
    thing.apply('as kubectl', 'kubectl', data('a=2', 'b=2')),
  ]),
  ...migrated('labels', { metadata: { labels: { x: '1' } }, ...data('a=1') }, (thing) => [
    thing.apply('as kubectl', 'kubectl', { metadata: { labels: { x: '2' } } }),
    thing.apply('with annotations as kubectl', 'kubectl', { metadata: { annotations: { n: '1' } }, ...data('a=2') }),
    thing.apply('with the annotation as kubectl', 'kubectl', note('{}')),
    thing.apply('with the annotation as another', 'alice', note('{}')),
  ]),
  ...migrated('of another version', data('a=1'), (thing) => [
    thing.patch('the annotation', 'merge', note('{"apiVersion":"v2","kind":"ConfigMap","data":{"a":"1"}}'), CLIENT),
    thing.apply('as kubectl', 'kubectl', data('a=2')),
  ]),
  ...migrated('of another kind', data('a=1'), (thing) => [
    thing.patch('the annotation', 'merge', note('{"apiVersion":"v1","kind":"Secret","data":{"a":"1"}}'), CLIENT),
    thing.apply('as kubectl', 'kubectl', data('a=2')),
  ]),
  ...[
    '',
    '{',
    '[]',
    'null',
    '5',
    '{}',
    '{"apiVersion":"v1"}',
    '{"apiVersion":"v1","kind":"ConfigMap","data":{"a":1}}',
    '{"apiVersion":"v1","kind":"ConfigMap","foo":1,"data":{"a":"1"}}',
  ].flatMap((value, index) =>
    migrated(`annotation ${index}`, data('a=1'), (thing) => [
      thing.patch('broken', 'merge', note(value), CLIENT),
      thing.apply('as kubectl', 'kubectl', data('a=2')),
      thing.apply('by force as kubectl', 'kubectl!', data('a=2')),
    ]),
  ),
  ...migrated('without the annotation', data('a=1'), (thing) => [
    thing.patch('which goes', 'merge', note(null), CLIENT),
    thing.apply('as kubectl', 'kubectl', data('a=2')),
    thing.apply('by force as kubectl', 'kubectl!', data('a=2')),
    thing.apply('again as kubectl', 'kubectl', data('a=3')),
  ]),
  template.create(annotated(template, pods('a:1')), CLIENT),
  template.apply('as kubectl', 'kubectl', pods('a:2')),
  template.apply('a defaulted field as kubectl', 'kubectl', pods('a:2', { imagePullPolicy: 'Never' })),
  template.patch('another image by hand', 'strategic', pods('a:3'), { query: 'fieldManager=kubectl-set' }),
  template.apply('against the hand', 'kubectl', pods('a:4')),
  template.apply('against the hand by force', 'kubectl!', pods('a:4')),
  upgraded.create({ ...annotated(upgraded, data('a=1', 'b=1')) }, { ...CLIENT, as: 'made' }),
  upgraded.patch(
    'its managers',
    'json',
    upgrade({
      'f:data': { '.': {}, 'f:a': {}, 'f:b': {} },
      'f:metadata': { 'f:annotations': { '.': {}, [`f:${LAST}`]: {} } },
    }),
  ),
  upgraded.patch('its managers with a stale version', 'json', upgrade({ 'f:data': { 'f:a': {} } })),
  upgraded.apply('one less', 'kubectl', data('a=1')),
  upgraded.apply('another manager', 'alice', data('a=2')),
  upgraded.get('at the end'),
  kept.apply('by server-side apply', 'kubectl', data('a=1')),
  kept.patch('the annotation by another', 'merge', note('{"apiVersion":"v1"}'), {
    query: 'fieldManager=kubectl-client-side-apply',
  }),
  kept.apply('with an annotation now', 'kubectl', data('a=2')),
  kept.apply('with the same', 'kubectl', data('a=2')),
  kept.apply('as kubectl of another name', 'kubectl2', data('a=2')),
  kept.apply('in dry run', 'kubectl', data('a=3'), { query: 'dryRun=All' }),
]
