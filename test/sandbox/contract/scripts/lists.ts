import type { Step } from '../exchange.ts'

const MAPS = '/api/v1/namespaces/{ns}/configmaps'
const MINE = `${MAPS}?labelSelector=`
const create = (name: string, labels: object): Step => ({
  name: `create ${name}`,
  method: 'POST',
  path: MAPS,
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { ...labels } } },
})
const META = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json'

export const steps: readonly Step[] = [
  create('a', { app: 'x', tier: 'front' }),
  create('b', { app: 'x', tier: 'back' }),
  create('c', { app: 'y' }),
  create('d', { other: '' }),
  { name: 'by equality', method: 'GET', path: `${MINE}app%3Dx` },
  { name: 'by two equalities', method: 'GET', path: `${MINE}app%3Dx,tier%3D%3Dback` },
  { name: 'by inequality', method: 'GET', path: `${MINE}app!%3Dx,app` },
  { name: 'by set', method: 'GET', path: `${MINE}app%20in%20(x,y),tier%20notin%20(back)` },
  { name: 'by presence', method: 'GET', path: `${MINE}other` },
  { name: 'by absence', method: 'GET', path: `${MINE}!app,other` },
  { name: 'by name', method: 'GET', path: `${MAPS}?fieldSelector=metadata.name%3Da` },
  { name: 'by another name', method: 'GET', path: `${MAPS}?fieldSelector=metadata.name!%3Da&labelSelector=app` },
  {
    name: 'of all namespaces',
    method: 'GET',
    path: '/api/v1/configmaps?fieldSelector=metadata.namespace%3D{ns}&labelSelector=app',
  },
  { name: 'metadata only', method: 'GET', path: `${MINE}app`, headers: { accept: META } },
  { name: 'first page', method: 'GET', path: `${MINE}app&limit=2` },
  { name: 'second page', method: 'GET', path: `${MINE}app&limit=2&continue={first page.continue}` },
  { name: 'first page of all', method: 'GET', path: `${MAPS}?limit=3` },
  create('a2', { app: 'x' }),
  { name: 'a page sees no later change', method: 'GET', path: `${MAPS}?limit=3&continue={first page of all.continue}` },
  {
    name: 'at a version exactly',
    method: 'GET',
    path: `${MINE}app&resourceVersionMatch=Exact&resourceVersion={create b.rv}`,
  },
  {
    name: 'not older than a version',
    method: 'GET',
    path: `${MINE}app&resourceVersionMatch=NotOlderThan&resourceVersion={create b.rv}`,
  },
  { name: 'at version 0', method: 'GET', path: `${MINE}app&resourceVersion=0&limit=1` },
  { name: 'nothing', method: 'GET', path: `${MINE}app%3Dnothing` },
  { name: 'delete by selector', method: 'DELETE', path: `${MINE}app%3Dx` },
  { name: 'what is left', method: 'GET', path: `${MAPS}?labelSelector=app` },
]
