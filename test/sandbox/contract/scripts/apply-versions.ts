import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { crdSteps, crdVersion, customPath, ObjectSteps } from '../object-steps.ts'

const text: JsonObject = { type: 'string' }
const map: JsonObject = { type: 'object', additionalProperties: text }
const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties })
const keyed: JsonObject = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
  items: { type: 'object', required: ['k'], properties: { k: text, v: text } },
}
const same = object({ a: text, m: map, l: keyed })

const GROUP = '{ns}.example.com'

/** The same object in two versions. */
const pair = (label: string, kind: string): readonly [ObjectSteps, ObjectSteps] => {
  const plural = `${kind.toLowerCase()}s`
  return [
    new ObjectSteps(label, customPath(plural, 'v1'), `${GROUP}/v1 ${kind}`),
    new ObjectSteps(label, customPath(plural, 'v2'), `${GROUP}/v2 ${kind}`),
  ]
}

const status = { subresources: { status: {} } }
const [s1, s2] = pair('same schemas', 'Same')
const [t1, t2] = pair('atomic in v2', 'Atomic')
const [f1, f2] = pair('fields of one version', 'Field')
const [u1, u2] = pair('updates in two versions', 'Same')
const [x1, x2] = pair('status in two versions', 'Same')
const [c1, c2] = pair('scale in two versions', 'Scaled')
const [m1] = pair('entries of other versions', 'Same')
const unserved = new ObjectSteps('entries of other versions', customPath('sames', 'v3'), `${GROUP}/v3 Same`)
const fieldsOf = (f: JsonObject) => ({
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': f },
  time: '2026-01-01T00:00:00Z',
})
const entry = (manager: string, apiVersion: string, operation: string): JsonObject => ({
  manager,
  operation,
  apiVersion,
  ...fieldsOf({ 'f:a': {} }),
})
const scale = {
  subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
}
const number: JsonObject = { type: 'integer' }

export const steps: readonly Step[] = [
  ...crdSteps('Same', [
    crdVersion(same, status),
    crdVersion(same, { name: 'v2', ...status }),
    crdVersion(same, { name: 'v3', served: false }),
  ]),
  ...crdSteps('Atomic', [
    crdVersion(same),
    crdVersion(
      object({
        a: text,
        m: { ...map, 'x-kubernetes-map-type': 'atomic' },
        l: { type: 'array', items: keyed.items as JsonObject },
      }),
      { name: 'v2' },
    ),
  ]),
  ...crdSteps('Field', [
    crdVersion(object({ a: text, one: text })),
    crdVersion(object({ a: text, two: { ...text, default: 'given' } }), { name: 'v2' }),
  ]),
  ...crdSteps('Scaled', [
    crdVersion(object({ replicas: number }), scale),
    crdVersion(object({ replicas: number, size: number }), {
      name: 'v2',
      subresources: { scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas' } },
    }),
  ]),
  s1.apply('applied in v1', 'alice', { spec: { a: '1', m: { x: '1' }, l: [{ k: 'a', v: '1' }] } }, { as: 's1' }),
  s2.apply('applied the same in v2', 'alice', { spec: { a: '1', m: { x: '1' }, l: [{ k: 'a', v: '1' }] } }),
  s2.apply('another in v2 wants other values', 'bob', { spec: { a: '2', l: [{ k: 'a', v: '2' }] } }),
  s2.apply('another in v2 wants the same values', 'bob', { spec: { a: '1', l: [{ k: 'a', v: '1' }] } }),
  s1.apply('the first in v1 gives up all but one', 'alice', { spec: { m: { x: '1' } } }),
  s1.apply('the other in v1 gives up all', 'bob', { spec: {} }),
  s1.apply('the other in v1 forces', 'bob!', { spec: { m: { x: '2', y: '1' } } }),
  s2.get('in v2'),
  t1.apply('applied in v1', 'alice', { spec: { a: '1', m: { x: '1', y: '1' }, l: [{ k: 'a', v: '1' }] } }),
  t2.apply('the map in v2', 'bob', { spec: { m: { x: '1' } } }),
  t2.apply('the map in v2, forced', 'bob!', { spec: { m: { x: '1' } } }),
  t1.apply('a key of the map in v1', 'carol', { spec: { m: { z: '1' } } }),
  t2.apply('the list in v2', 'bob!', { spec: { m: { x: '1' }, l: [{ k: 'b' }] } }),
  t1.apply('the first in v2 now', 'alice', { spec: { a: '2', l: [{ k: 'c' }] } }),
  t2.apply('the first in v2 with other values', 'alice!', { spec: { a: '2', m: { q: '1' }, l: [{ k: 'c' }] } }),
  t2.patch('a key by patch in v2', 'merge', { spec: { m: { p: '1' } } }),
  t1.patch('a key by patch in v1', 'merge', { spec: { m: { r: '1' } } }),
  f1.apply('a field of v1 only', 'alice', { spec: { a: '1', one: '1' } }),
  f2.get('read in v2'),
  f2.apply('a field of v2 only', 'bob', { spec: { a: '1', two: '2' } }),
  f1.get('read in v1'),
  f1.apply('the first again in v1', 'alice', { spec: { a: '1', one: '2' } }),
  f2.apply('the first in v2', 'alice', { spec: { a: '3' } }),
  f2.patch('patched in v2', 'merge', { spec: { a: '4' } }),
  f1.patch('patched in v1', 'merge', { spec: { one: '5' } }),
  f1.get('at the end in v1'),
  u1.create({ spec: { a: '1' } }, { query: 'fieldManager=tool' }),
  u2.patch('patched in v2 by the same manager', 'merge', { spec: { a: '2' } }, { query: 'fieldManager=tool' }),
  u1.patch('and in v1 again', 'merge', { spec: { m: { x: '1' } } }, { query: 'fieldManager=tool' }),
  u2.put('replaced in v2', { spec: { a: '3' }, metadata: { resourceVersion: '1' } }, { query: 'fieldManager=tool' }),
  u2.apply('applied against both', 'alice', { spec: { a: '9', m: { x: '9' } } }, { unordered: true }),
  u2.apply('applied against both, forced', 'alice!', { spec: { a: '9', m: { x: '9' } } }),
  x1.apply('applied in v1', 'alice', { spec: { a: '1' } }),
  x1.apply('the status in v1', 'ctrl', { status: { x: '1' } }, { subresource: 'status' }),
  x2.apply('the status in v2', 'ctrl', { status: { y: '1' } }, { subresource: 'status' }),
  x2.patch('the status by patch in v2', 'merge', { status: { y: '2' } }, { subresource: 'status' }),
  x1.apply('the status in v1 by another', 'other', { status: { y: '3' } }, { subresource: 'status' }),
  x2.apply('a status at the main endpoint in v2', 'alice', { spec: { a: '2' }, status: { x: '5' } }),
  c1.apply('applied in v1', 'alice', { spec: { replicas: 1 } }),
  c2.apply('the size in v2', 'alice', { spec: { replicas: 1, size: 2 } }),
  c1.patch('scaled in v1', 'merge', { spec: { replicas: 3 } }, { subresource: 'scale' }),
  c2.patch('scaled in v2', 'merge', { spec: { replicas: 4 } }, { subresource: 'scale' }),
  c1.get('at the end'),
  m1.create({ spec: { a: '1' }, metadata: { managedFields: [entry('old', `${GROUP}/v3`, 'Apply')] } }),
  unserved.get('of the version that is not served'),
  m1.apply('applied against an entry of that version', 'alice', { spec: { a: '2' } }),
  m1.apply('applied against it by force', 'alice!', { spec: { a: '2' } }),
  m1.patch('an entry of no version', 'merge', {
    metadata: { managedFields: [entry('old', `${GROUP}/v9`, 'Apply')] },
  }),
  m1.apply('applied against that', 'alice', { spec: { a: '3' } }),
  m1.patch('patched against that', 'merge', { spec: { a: '3' } }),
  m1.get('at the end'),
]
