import { conversionBy, convertedCrd } from '../conversion-steps.ts'
import type { Step } from '../exchange.ts'
import { customPath, ObjectSteps } from '../object-steps.ts'
import { TABLE } from '../table-steps.ts'

const [OLD, NEW] = [customPath('rods'), customPath('rods', 'v2')]
const old = new ObjectSteps('Rod', OLD, '{ns}.example.com/v1 Rod')
const recent = new ObjectSteps('Rod', NEW, '{ns}.example.com/v2 Rod')
const PARTIAL = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
const CRD = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const get = (name: string, path: string, more: Partial<Step> = {}): Step => ({ name, method: 'GET', path, ...more })
/** 429, where the sandbox answers as to a read of one object. */
const CACHE = 'the real server says that its cache of a version cannot be filled'
const repaired = (name: string, answer: string): Step => ({
  name,
  method: 'PATCH',
  path: `${CRD}/rods.{ns}.example.com`,
  headers: { 'content-type': 'application/merge-patch+json' },
  body: { spec: { conversion: conversionBy(answer) } },
})
const columns = {
  subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  additionalPrinterColumns: [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
    { name: 'Length', type: 'string', jsonPath: '.spec.length' },
  ],
}

const writes: readonly Step[] = [
  recent.create({ spec: { length: '3' } }, { name: 'create the new' }),
  old.get('get the old'),
  recent.get('get the new'),
  old.get('in a table of the old', { headers: { accept: TABLE } }),
  recent.get('in a table of the new', { headers: { accept: TABLE } }),
  recent.get('its metadata', { headers: { accept: PARTIAL } }),
  recent.put(
    'put the new',
    { metadata: { resourceVersion: '{create the new.rv}' }, spec: { length: '4', colour: 'red' } },
    { as: 'put' },
  ),
  recent.put('put the same', { metadata: { resourceVersion: '{put.rv}' }, spec: { length: '4', colour: 'red' } }),
  recent.put('put without its version', { spec: { length: '4' } }),
  recent.put('put an old version', { metadata: { resourceVersion: '{create the new.rv}' }, spec: { length: '4' } }),
  recent.put('put a number', { metadata: { resourceVersion: '{put.rv}' }, spec: { length: 4 } }),
  recent.patch('merge into the new', 'merge', { spec: { length: '5' } }),
  recent.patch('a JSON patch of the new', 'json', [{ op: 'replace', path: '/spec/length', value: '6' }]),
  recent.patch('labels of the new', 'merge', { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } } }),
  old.patch('merge into the old', 'merge', { spec: { size: 7 } }),
  recent.patch('a trial', 'merge', { spec: { length: '8' } }, { query: 'dryRun=All' }),
  recent.patch('the status of the new', 'merge', { status: { replicas: 1 } }, { subresource: 'status' }),
  recent.patch('an unknown field', 'merge', { spec: { size: 9 } }, { query: 'fieldValidation=Strict' }),
  old.get('get the old again'),
  recent.get('get the new again'),
]

const applies: readonly Step[] = [
  recent.apply('applied in the new', 'alice!', { spec: { length: '10' } }),
  old.apply('applied in the old', 'bob!', { spec: { size: 11 } }),
  recent.apply('a conflict in the new', 'alice', { spec: { length: '12' } }),
  recent.apply('by force in the new', 'alice!', { spec: { length: '12', colour: 'green' } }),
  recent.apply('less in the new', 'alice', { spec: { length: '12' } }),
  recent.apply('created by an apply', 'carol', { spec: { length: '1' } }, { query: 'dryRun=All' }),
  old.get('get the old after applies'),
]

const lists: readonly Step[] = [
  get('the list of the new', NEW),
  get('the list of the old', OLD),
  get('the list of the new in a table', NEW, { headers: { accept: TABLE } }),
  get('a page of the new', `${NEW}?limit=1`),
  get('those with a label', `${NEW}?labelSelector=a%3Db`),
  get('a watch of the new', `${NEW}?watch=true&resourceVersion=0&timeoutSeconds=3`, { background: true }),
  get(
    'a watch of the new with its state',
    `${NEW}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=3`,
    { background: true },
  ),
  {
    name: 'another',
    method: 'POST',
    path: OLD,
    body: { apiVersion: '{ns}.example.com/v1', kind: 'Rod', metadata: { name: 'second' }, spec: { size: 20 } },
  },
  {
    name: 'change another',
    method: 'PATCH',
    path: `${NEW}/second`,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { spec: { length: '21' } },
  },
  {
    name: 'finalizers',
    method: 'PATCH',
    path: `${NEW}/second`,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { metadata: { finalizers: ['example.com/a'] } },
  },
  { name: 'delete what has finalizers', method: 'DELETE', path: `${NEW}/second` },
  {
    name: 'no finalizers',
    method: 'PATCH',
    path: `${NEW}/second`,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { metadata: { finalizers: null } },
  },
]

const failures: readonly Step[] = [
  repaired('the webhook fails', 'convert-failed'),
  get('the new fails', `${NEW}/rod`, { until: 500 }),
  old.get('the old is read all the same'),
  recent.put('put the new in vain', { metadata: { resourceVersion: '{put.rv}' }, spec: { length: '4' } }),
  recent.patch('merge into the new in vain', 'merge', { spec: { length: '5' } }),
  recent.apply('applied in the new in vain', 'alice', { spec: { length: '10' } }),
  recent.apply('created in the new in vain', 'alice', { spec: { length: '10' } }),
  recent.delete('delete the new in vain'),
  get('the list of the new in vain', NEW, { differs: CACHE }),
  get('a watch of the new in vain', `${NEW}?watch=true&timeoutSeconds=2`, { differs: CACHE }),
  repaired('the webhook converts again', 'convert'),
  get('the new is read again', `${NEW}/rod`, { until: 200 }),
  recent.delete('delete the new'),
  get('nothing is left', NEW),
]

/** A kind with two versions between which a webhook converts. */
export const steps: readonly Step[] = [
  ...convertedCrd('Rod', conversionBy('convert'), columns),
  ...writes,
  ...applies,
  ...lists,
  ...failures,
]
