import type { JsonObject } from '../../../../src/core/base/json.ts'
import { CRDS, crdBody, groupOf, installed, objectBody, pathOf, removed } from '../crd-body.ts'
import type { Step } from '../exchange.ts'

const text = { type: 'string' }
const specOf = (properties: JsonObject): JsonObject => ({ properties: { spec: { type: 'object', properties } } })
const version = (name: string, properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: { type: 'object', ...specOf(properties) } },
  ...more,
})
const crd = (singular: string): string => `${CRDS}/${singular}s.${groupOf(singular)}`
const patch = (name: string, path: string, body: JsonObject): Step => ({
  name,
  method: 'PATCH',
  path,
  headers: { 'content-type': 'application/merge-patch+json' },
  body,
})
const get = (name: string, path: string): Step => ({ name, method: 'GET', path })
const post = (name: string, path: string, body: JsonObject): Step => ({ name, method: 'POST', path, body })

const versions = [
  version('v1', { a: text, old: text }),
  version('v2', { a: text, added: { ...text, default: 'new' } }, { storage: true }),
  version('v3beta1', { a: text }, { deprecated: true }),
  version('v4', { a: text }, { served: false }),
]

/** Says of a CRD what its controllers find. */
const settled = (name: string, singular: string, condition: string): Step => ({
  name,
  method: 'GET',
  path: crd(singular),
  until: (body) => JSON.stringify(body).includes(condition),
})

export const steps: readonly Step[] = [
  ...installed({ singular: 'many', spec: { versions } }),
  post(
    'made in the first version',
    pathOf('many'),
    objectBody('many', 'one', { spec: { a: 'a', old: 'x', added: 'y' } }),
  ),
  get('read in the second', pathOf('many', 'one', 'v2')),
  get('read in a deprecated one', pathOf('many', 'one', 'v3beta1')),
  get('read in one that is not served', pathOf('many', 'one', 'v4')),
  post('made in the second', pathOf('many', '', 'v2'), objectBody('many', 'two', { spec: { a: 'a', old: 'x' } }, 'v2')),
  post(
    'made in a deprecated one',
    pathOf('many', '', 'v3beta1'),
    objectBody('many', 'three', { spec: { a: 'a' } }, 'v3beta1'),
  ),
  get('listed in the first', pathOf('many')),
  get('listed in the second', pathOf('many', '', 'v2')),
  post('made with the version of another path', pathOf('many'), objectBody('many', 'four', {}, 'v2')),
  get('the group', `/apis/${groupOf('many')}`),
  get('the resources of a version', `/apis/${groupOf('many')}/v2`),
  patch('another version is stored', crd('many'), {
    spec: { versions: versions.map((each) => ({ ...each, storage: each.name === 'v1' })) },
  }),
  patch('a stored version goes', crd('many'), { spec: { versions: [{ ...versions[0], storage: true }] } }),
  patch('the stored versions are told', `${crd('many')}/status`, { status: { storedVersions: ['v1'] } }),
  patch('an unknown version is told', `${crd('many')}/status?dryRun=All`, { status: { storedVersions: ['v9'] } }),
  patch('now it goes', crd('many'), { spec: { versions: [{ ...versions[0], storage: true }] } }),
  patch('another scope', crd('many'), { spec: { scope: 'Cluster' } }),
  patch('another kind', crd('many'), { spec: { names: { kind: 'Other', listKind: 'OtherList' } } }),
  patch('another plural', crd('many'), { spec: { names: { plural: 'others' } } }),
  patch('another group', crd('many'), { spec: { group: 'other.example.com' } }),
  patch('short names and categories', crd('many'), { spec: { names: { shortNames: ['mn'], categories: ['all'] } } }),
  {
    ...get('the resources have them', `/apis/${groupOf('many')}/v1`),
    until: (body) => JSON.stringify(body).includes('"mn"'),
  },
  patch('a status of the names', `${crd('many')}/status`, { status: { acceptedNames: { plural: 'No', kind: 'a b' } } }),
  patch('conditions of the names', `${crd('many')}/status`, {
    status: {
      conditions: [
        { type: 'Own', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2020-01-01T00:00:00Z' },
      ],
    },
  }),
  { ...removed('many'), differs: 'whether its controller has looked again at the conditions is a matter of time' },

  ...installed({
    singular: 'taken',
    spec: { names: { plural: 'takens', singular: 'taken', kind: 'Taken', listKind: 'TakenList', shortNames: ['tk'] } },
  }),
  post('a kind that is taken', CRDS, {
    ...crdBody({ singular: 'taken' }),
    metadata: { name: `rivals.${groupOf('taken')}` },
    spec: {
      ...(crdBody({ singular: 'taken' }).spec as JsonObject),
      names: { plural: 'rivals', singular: 'rival', kind: 'Taken', listKind: 'TakenList', shortNames: ['tk', 'rv'] },
    },
  }),
  {
    name: 'its names are refused',
    method: 'GET',
    path: `${CRDS}/rivals.${groupOf('taken')}`,
    until: (body) =>
      JSON.stringify(body).includes('"NamesAccepted","status":"False"') ||
      JSON.stringify(body).includes('KindConflict') ||
      JSON.stringify(body).includes('Conflict'),
  },
  get('it is not served', `/apis/${groupOf('taken')}/v1/namespaces/{ns}/rivals`),
  { name: 'the first goes', method: 'DELETE', path: crd('taken') },
  { name: 'the first is gone', method: 'GET', path: crd('taken'), until: 404 },
  {
    name: 'the second gets its names',
    method: 'GET',
    path: `${CRDS}/rivals.${groupOf('taken')}`,
    until: (body) => JSON.stringify(body).includes('InitialNamesAccepted'),
  },
  { name: 'the second goes', method: 'DELETE', path: `${CRDS}/rivals.${groupOf('taken')}` },

  ...installed({ singular: 'again', schema: specOf({ a: text }) }),
  post('an object of the first life', pathOf('again'), objectBody('again', 'one', { spec: { a: 'a' } })),
  post('an object that is held', pathOf('again'), {
    ...objectBody('again', 'held'),
    metadata: { name: 'held', finalizers: ['example.com/hold'] },
  }),
  { name: 'the kind goes', method: 'DELETE', path: crd('again') },
  settled('the kind waits for what is held', 'again', 'InstanceDeletionInProgress'),
  post('an object while it goes', pathOf('again'), objectBody('again', 'late')),
  {
    ...get('what is held is there', pathOf('again', 'held')),
    differs: 'how soon the other objects are gone, and its generation, is a matter of time',
  },
  patch('it is let go', pathOf('again', 'held'), { metadata: { finalizers: null } }),
  { name: 'the kind is gone', method: 'GET', path: crd('again'), until: 404 },
  { ...get('objects are gone', pathOf('again')), until: 404 },
  ...installed({ singular: 'again', schema: specOf({ a: text }) }).map((step) => ({
    ...step,
    name: `${step.name} once more`,
  })),
  get('nothing is left from before', pathOf('again')),
  { name: 'the kind goes for good', method: 'DELETE', path: crd('again') },
]
