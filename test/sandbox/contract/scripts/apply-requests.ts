import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { crdSteps, crdVersion, customPath, ObjectSteps } from '../object-steps.ts'

const MAPS = '/api/v1/namespaces/{ns}/configmaps'
const APPLY = { 'content-type': 'application/apply-patch+yaml' }
const map = (label: string) => new ObjectSteps(label, MAPS, 'v1 ConfigMap')
const custom = (label: string) => new ObjectSteps(label, customPath('asks'), '{ns}.example.com/v1 Ask')
const spec: JsonObject = {
  type: 'object',
  required: ['a'],
  properties: { a: { type: 'string', maxLength: 3 }, b: { type: 'integer' }, m: { type: 'object' } },
}

/** A body as it stands, of the object `x` in either kind. */
const raw = (name: string, path: string, text: string, headers: Record<string, string> = APPLY): Step => ({
  name,
  method: 'PATCH',
  path: `${path}/x?fieldManager=alice`,
  headers,
  text,
})
const json = (value: JsonValue): string => JSON.stringify(value)
const head = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } }
const customHead = { apiVersion: '{ns}.example.com/v1', kind: 'Ask', metadata: { name: 'x' }, spec: { a: '1' } }

const bodies: readonly (readonly [what: string, text: string])[] = [
  ['nothing', ''],
  ['null', 'null'],
  ['a list', '[]'],
  ['a text', '"x"'],
  ['a number', '5'],
  ['an empty object', '{}'],
  ['no apiVersion', json({ kind: 'ConfigMap', metadata: { name: 'x' } })],
  ['no kind', json({ apiVersion: 'v1', metadata: { name: 'x' } })],
  ['no metadata', json({ apiVersion: 'v1', kind: 'ConfigMap' })],
  ['no name', json({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {} })],
  ['another name', json({ ...head, metadata: { name: 'y' } })],
  ['another namespace', json({ ...head, metadata: { name: 'x', namespace: 'other' } })],
  ['its namespace', json({ ...head, metadata: { name: 'x', namespace: '{ns}' } })],
  ['another kind', json({ ...head, kind: 'Secret' })],
  ['an unknown kind', json({ ...head, kind: 'Nothing' })],
  ['another version', json({ ...head, apiVersion: 'v2' })],
  ['another group', json({ ...head, apiVersion: 'apps/v1' })],
  ['no version', json({ ...head, apiVersion: 'a/b/c' })],
  ['managedFields', json({ ...head, metadata: { name: 'x', managedFields: [] } })],
  ['managedFields of null', json({ ...head, metadata: { name: 'x', managedFields: null } })],
  ['a field of another type', json({ ...head, data: { a: 1 } })],
  ['a list for a map', json({ ...head, data: [1], immutable: true })],
  ['metadata of another type', json({ ...head, metadata: 'x' })],
  ['a label of another type', json({ ...head, metadata: { name: 'x', labels: { a: 1 } } })],
  ['an unknown field', json({ ...head, foo: 1 })],
  ['an unknown field of metadata', json({ ...head, metadata: { name: 'x', foo: 1 } })],
  ['a wrong label', json({ ...head, metadata: { name: 'x', labels: { 'a b': 'c d' } } })],
  ['a key that is no name', json({ ...head, data: { 'a b': '1' } })],
  ['base64 that is none', json({ ...head, binaryData: { a: '***' } })],
  ['a key twice', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{"a":"1","a":"2"}}'],
  ['deletionTimestamp', json({ ...head, metadata: { name: 'x', deletionTimestamp: '2026-01-01T00:00:00Z' } })],
  ['a uid', json({ ...head, metadata: { name: 'x', uid: 'abc' } })],
  ['a resourceVersion', json({ ...head, metadata: { name: 'x', resourceVersion: '1' } })],
  ['generateName', json({ ...head, metadata: { name: 'x', generateName: 'y-' } })],
]

const customBodies: readonly (readonly [what: string, text: string])[] = [
  ['null', 'null'],
  ['no kind', json({ ...customHead, kind: '' })],
  ['no apiVersion', json({ ...customHead, apiVersion: '' })],
  ['another kind', json({ ...customHead, kind: 'Other' })],
  ['another version', json({ ...customHead, apiVersion: '{ns}.example.com/v9' })],
  ['another name', json({ ...customHead, metadata: { name: 'y' } })],
  ['no metadata', json({ ...customHead, metadata: {} })],
  ['a missing field', json({ ...customHead, spec: {} })],
  ['a field that is too long', json({ ...customHead, spec: { a: '12345' } })],
  ['a field of another type', json({ ...customHead, spec: { a: 1 } })],
  ['a fraction', json({ ...customHead, spec: { a: '1', b: 1.5 } })],
  ['an unknown field', json({ ...customHead, spec: { a: '1', c: 1 } })],
  ['an unknown field at the root', json({ ...customHead, foo: 1 })],
  ['an unknown field of metadata', json({ ...customHead, metadata: { name: 'x', foo: 1 } })],
  ['a label of another type', json({ ...customHead, metadata: { name: 'x', labels: { a: 1 } } })],
  ['unknown fields in an object without any', json({ ...customHead, spec: { a: '1', m: { x: 1 } } })],
  ['a uid', json({ ...customHead, metadata: { name: 'x', uid: 'abc' } })],
  ['managedFields', json({ ...customHead, metadata: { name: 'x', managedFields: [{}] } })],
]

const DOUBLED =
  '{"apiVersion":"v1","kind":"ConfigMap",\n"metadata":{"name":"x","name":"x"},\n\n"data":{"a":"1","a":"2"},"data":{}}'

const yaml = (what: string, text: string): Step => raw(`yaml: ${what}`, MAPS, text)
const lock = map('optimistic lock')
const again = map('no change')
const dry = map('dry run')
const unknown = map('unknown fields')
const customUnknown = custom('unknown fields of a custom resource')
const place = map('place')

export const steps: readonly Step[] = [
  ...crdSteps('Ask', [crdVersion(spec)]),
  ...bodies.map(([what, text]) => raw(`body: ${what}`, MAPS, text)),
  ...customBodies.map(([what, text]) => raw(`custom body: ${what}`, customPath('asks'), text)),
  yaml(
    'a document',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  a: "1"\n  b: |\n    two\n    lines\n',
  ),
  yaml('numbers for texts', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: 1}\n'),
  { ...yaml('broken', '{"a":'), differs: 'the words of the YAML library are its own' },
  yaml('no document', '# nothing\n'),
  yaml('two documents', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n---\na: b\n'),
  yaml('a text', 'just a text'),
  raw('content type with a parameter', MAPS, json(head), {
    'content-type': 'application/apply-patch+yaml; charset=utf-8',
  }),
  raw('content type in capitals', MAPS, json(head), { 'content-type': 'Application/Apply-Patch+YAML' }),
  raw('content type of CBOR', MAPS, json(head), { 'content-type': 'application/apply-patch+cbor' }),
  raw('no such content type', MAPS, json(head), { 'content-type': 'application/apply-patch+json' }),
  lock.apply('with a version that is not there', 'alice', { metadata: { resourceVersion: '5' } }),
  lock.apply('with a uid that is not there', 'alice', { metadata: { uid: 'x' } }),
  lock.apply('create', 'alice', { data: { a: '1' } }, { as: 'locked' }),
  lock.apply('with its version', 'alice', { metadata: { resourceVersion: '{locked.rv}' }, data: { a: '2' } }),
  lock.apply('with a stale version', 'alice', { metadata: { resourceVersion: '{locked.rv}' }, data: { a: '3' } }),
  lock.apply('with a stale version and no change', 'alice', {
    metadata: { resourceVersion: '{locked.rv}' },
    data: { a: '2' },
  }),
  lock.apply('with a version that is none', 'alice', { metadata: { resourceVersion: 'x' }, data: { a: '3' } }),
  lock.apply('with version 0', 'alice', { metadata: { resourceVersion: '0' }, data: { a: '3' } }),
  lock.apply('with its uid', 'alice', { metadata: { uid: '{locked.uid}' }, data: { a: '4' } }),
  lock.apply('with another uid', 'alice', { metadata: { uid: 'other' }, data: { a: '5' } }),
  again.apply('create', 'alice', { data: { a: '1' }, metadata: { labels: { x: '1' } } }),
  again.apply('the same', 'alice', { data: { a: '1' }, metadata: { labels: { x: '1' } } }),
  again.apply('the same by another', 'bob', { data: { a: '1' } }),
  again.apply('the same by another again', 'bob!', { data: { a: '1' } }),
  again.apply('less of what is shared', 'bob', { data: {} }),
  again.apply('nothing', 'carol', {}),
  again.apply('nothing of what the first had, as the last owner', 'alice', {}),
  dry.apply('create', 'alice', { data: { a: '1' } }, { query: 'dryRun=All' }),
  dry.get('is not there'),
  dry.apply('really', 'alice', { data: { a: '1' } }),
  dry.apply('a change', 'alice', { data: { b: '1' } }, { query: 'dryRun=All' }),
  dry.apply('a conflict', 'bob', { data: { a: '2' } }, { query: 'dryRun=All' }),
  dry.apply('by force', 'bob!', { data: { a: '2' } }, { query: 'dryRun=All' }),
  dry.apply('of another kind', 'bob!', { data: { a: '2' } }, { query: 'dryRun=Some' }),
  dry.get('is as before'),
  ...['Strict', 'Warn', 'Ignore', 'Other', ''].flatMap((level) => [
    unknown.apply(
      `by ${level || 'default'}`,
      'alice',
      { foo: 1, data: { a: level } },
      { query: `fieldValidation=${level}` },
    ),
    customUnknown.apply(
      `by ${level || 'default'}`,
      'alice',
      { spec: { a: '1', c: { d: level } } },
      { query: `fieldValidation=${level}` },
    ),
  ]),
  ...['Strict', 'Warn', 'Ignore'].map((level) => ({
    ...raw(`keys twice by ${level}`, MAPS, DOUBLED),
    path: `${MAPS}/x?fieldManager=alice&fieldValidation=${level}`,
  })),
  place.apply(
    'in a namespace that is not there',
    'alice',
    {},
    { path: '/api/v1/namespaces/none/configmaps/place?fieldManager=a' },
  ),
  place.apply(
    'of a resource that is not there',
    'alice',
    {},
    { path: '/api/v1/namespaces/{ns}/nothings/place?fieldManager=a' },
  ),
  place.apply('of a collection', 'alice', {}, { path: `${MAPS}?fieldManager=a` }),
  place.apply('without a manager', 'alice', {}, { path: `${MAPS}/place` }),
  place.apply('without a manager in dry run', 'alice', {}, { path: `${MAPS}/place?dryRun=All&force=true` }),
  place.apply(
    'as a table',
    'alice',
    { data: { a: '1' } },
    {
      headers: { ...APPLY, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    },
  ),
  place.apply(
    'as metadata',
    'alice',
    { data: { a: '2' } },
    {
      headers: { ...APPLY, accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
    },
  ),
]
