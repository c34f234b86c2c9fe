import { isJsonObject, type JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const MERGE = { 'content-type': 'application/merge-patch+json' }
const namespace = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...more },
})
const create = (name: string, body: object = {}): Step => ({
  name: `create ${name}`,
  method: 'POST',
  path: '/api/v1/namespaces',
  body: namespace(name, body),
})
const DOOMED = '/api/v1/namespaces/{ns}-doomed'

export const steps: readonly Step[] = [
  create('{ns}-one'),
  { ...create('{ns}-one'), name: 'create it again' },
  { ...create('{ns}.dots'), name: 'a name with dots' },
  { ...create('a'.repeat(64)), name: 'a name that is too long' },
  {
    name: 'its ServiceAccount',
    method: 'GET',
    path: '/api/v1/namespaces/{ns}-one/serviceaccounts/default',
    until: 200,
  },
  { name: 'its CA', method: 'GET', path: '/api/v1/namespaces/{ns}-one/configmaps/kube-root-ca.crt', until: 200 },
  {
    name: 'label it',
    method: 'PATCH',
    path: '/api/v1/namespaces/{ns}-one',
    headers: MERGE,
    body: { metadata: { labels: { a: 'b' } } },
  },
  {
    name: 'take its own label away',
    method: 'PATCH',
    path: '/api/v1/namespaces/{ns}-one',
    headers: MERGE,
    body: { metadata: { labels: null } },
  },
  { name: 'delete default', method: 'DELETE', path: '/api/v1/namespaces/default' },
  { name: 'delete kube-system', method: 'DELETE', path: '/api/v1/namespaces/kube-system' },
  { name: 'a namespace as an owner', method: 'GET', path: '/api/v1/namespaces/{ns}-none' },
  create('{ns}-doomed'),
  { name: 'wait for its ServiceAccount', method: 'GET', path: `${DOOMED}/serviceaccounts/default`, until: 200 },
  {
    name: 'an object that holds it',
    method: 'POST',
    path: `${DOOMED}/configmaps`,
    body: { metadata: { name: 'holder', finalizers: ['example.com/hold'] } },
  },
  { name: 'delete it', method: 'DELETE', path: DOOMED },
  {
    name: 'create in it meanwhile',
    method: 'POST',
    path: `${DOOMED}/configmaps`,
    body: { metadata: { name: 'late' } },
  },
  { name: 'wait for the others', method: 'GET', path: `${DOOMED}/serviceaccounts/default`, until: 404 },
  { name: 'wait for the holder', method: 'GET', path: `${DOOMED}/configmaps/holder`, until: isTerminating },
  {
    name: 'its conditions',
    method: 'GET',
    path: DOOMED,
    until: (body) => JSON.stringify(body).includes('SomeFinalizersRemain'),
  },
  {
    name: 'let it go',
    method: 'PATCH',
    path: `${DOOMED}/configmaps/holder`,
    headers: MERGE,
    body: { metadata: { finalizers: null } },
  },
  { name: 'it goes', method: 'GET', path: DOOMED, until: 404 },
  { name: 'delete one', method: 'DELETE', path: '/api/v1/namespaces/{ns}-one?propagationPolicy=Background' },
]

function isTerminating(body: JsonValue): boolean {
  return isJsonObject(body) && isJsonObject(body.metadata) && body.metadata.deletionTimestamp !== undefined
}
