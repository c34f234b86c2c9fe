import type { Step } from '../exchange.ts'

const MAPS = '/api/v1/namespaces/{ns}/configmaps'
const MERGE = { 'content-type': 'application/merge-patch+json' }
const create = (name: string, metadata: object = {}): Step => ({
  name: `create ${name}`,
  method: 'POST',
  path: MAPS,
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata } },
})
const owner = (name: string, extra: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid: `{create ${name}.uid}`,
  ...extra,
})
const get = (name: string, until: Step['until'] & {}, why: string): Step => ({
  name: why,
  method: 'GET',
  path: `${MAPS}/${name}`,
  until,
})

export const steps: readonly Step[] = [
  create('held', { finalizers: ['example.com/hold'] }),
  { name: 'delete what a finalizer holds', method: 'DELETE', path: `${MAPS}/held` },
  { name: 'delete it again', method: 'DELETE', path: `${MAPS}/held` },
  create('held-again', { finalizers: ['example.com/hold'] }),
  {
    name: 'create what is being deleted',
    method: 'POST',
    path: MAPS,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'held' } },
  },
  {
    name: 'add a finalizer to what is being deleted',
    method: 'PATCH',
    path: `${MAPS}/held`,
    headers: MERGE,
    body: { metadata: { finalizers: ['example.com/hold', 'example.com/other'] } },
  },
  {
    name: 'take deletionTimestamp back',
    method: 'PATCH',
    path: `${MAPS}/held`,
    headers: MERGE,
    body: { metadata: { deletionTimestamp: null } },
  },
  {
    name: 'remove the finalizer',
    method: 'PATCH',
    path: `${MAPS}/held`,
    headers: MERGE,
    body: { metadata: { finalizers: null } },
  },
  { name: 'it is gone', method: 'GET', path: `${MAPS}/held` },
  create('parent'),
  create('child', { ownerReferences: [owner('parent')] }),
  { name: 'delete the parent', method: 'DELETE', path: `${MAPS}/parent` },
  get('child', 404, 'the child follows'),
  create('orphaner'),
  create('orphan', { ownerReferences: [owner('orphaner')] }),
  {
    name: 'delete and orphan',
    method: 'DELETE',
    path: `${MAPS}/orphaner`,
    body: { propagationPolicy: 'Orphan' },
  },
  get('orphaner', 404, 'the owner of orphans goes'),
  get('orphan', 200, 'the orphan stays'),
  create('front'),
  create('blocker', {
    ownerReferences: [owner('front', { blockOwnerDeletion: true })],
    finalizers: ['example.com/hold'],
  }),
  {
    name: 'delete in the foreground',
    method: 'DELETE',
    path: `${MAPS}/front`,
    body: { propagationPolicy: 'Foreground' },
  },
  { name: 'the owner waits', method: 'GET', path: `${MAPS}/front` },
  get('blocker', (body) => JSON.stringify(body).includes('deletionTimestamp'), 'the blocker ends'),
  {
    name: 'let the blocker go',
    method: 'PATCH',
    path: `${MAPS}/blocker`,
    headers: MERGE,
    body: { metadata: { finalizers: null } },
  },
  get('front', 404, 'the owner goes after its blocker'),
  create('absent-owner', {
    ownerReferences: [
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: '11111111-1111-1111-1111-111111111111' },
    ],
  }),
  get('absent-owner', 404, 'whose owner never was goes'),
  create('one-owner'),
  create('two-owners', {
    ownerReferences: [
      owner('one-owner'),
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: '11111111-1111-1111-1111-111111111111' },
    ],
  }),
  {
    name: 'delete by a policy in the query',
    method: 'DELETE',
    path: `${MAPS}/one-owner?propagationPolicy=Background`,
  },
  get('two-owners', 404, 'goes with its last owner'),
]
