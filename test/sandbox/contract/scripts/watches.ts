import type { Step } from '../exchange.ts'

const MAPS = '/api/v1/namespaces/{ns}/configmaps'
const WATCH = `${MAPS}?watch=true&timeoutSeconds=2`
const MERGE = { 'content-type': 'application/merge-patch+json' }
const create = (name: string): Step => ({
  name: `create ${name}`,
  method: 'POST',
  path: MAPS,
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { w: '1' } } },
})
const patch = (name: string, metadata: object): Step => ({
  name: `patch ${name} to ${JSON.stringify(metadata)}`,
  method: 'PATCH',
  path: `${MAPS}/${name}`,
  headers: MERGE,
  body: { metadata: { ...metadata } },
})

export const steps: readonly Step[] = [
  create('a'),
  create('b'),
  patch('a', { annotations: { n: '1' } }),
  patch('b', { labels: { w: '2' } }),
  patch('b', { labels: { w: '1' } }),
  { name: 'delete a', method: 'DELETE', path: `${MAPS}/a` },
  { name: 'from a version', method: 'GET', background: true, path: `${WATCH}&resourceVersion={create a.rv}` },
  {
    name: 'from a version by label',
    method: 'GET',
    background: true,
    path: `${WATCH}&labelSelector=w%3D1&resourceVersion={create a.rv}`,
  },
  {
    name: 'from a version by name',
    method: 'GET',
    background: true,
    path: `${WATCH}&fieldSelector=metadata.name%3Db&resourceVersion={create a.rv}`,
  },
  {
    name: 'of one object',
    method: 'GET',
    background: true,
    path: `${MAPS}/b?watch=true&timeoutSeconds=2&resourceVersion={create a.rv}`,
  },
  { name: 'from now', method: 'GET', background: true, path: `${WATCH}&labelSelector=w` },
  { name: 'from 0', method: 'GET', background: true, path: `${WATCH}&labelSelector=w&resourceVersion=0` },
  {
    name: 'with initial events',
    unordered: true,
    method: 'GET',
    background: true,
    path: `${WATCH}&labelSelector=w&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
  },
  {
    name: 'metadata only',
    method: 'GET',
    background: true,
    path: `${WATCH}&labelSelector=w&resourceVersion={create a.rv}`,
    headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json' },
  },
]
