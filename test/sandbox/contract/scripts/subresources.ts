import type { Step } from '../exchange.ts'

const APPS = '/apis/apps/v1/namespaces/{ns}'
const PODS = '/api/v1/namespaces/{ns}/pods'
const ACCOUNTS = '/api/v1/namespaces/{ns}/serviceaccounts'
const MERGE = { 'content-type': 'application/merge-patch+json' }
const APPLY = { 'content-type': 'application/apply-patch+yaml' }
const template = {
  metadata: { labels: { app: 'x' } },
  spec: { containers: [{ name: 'c', image: 'example.com/notfound' }] },
}
const scale = (replicas: number) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'rs' },
  spec: { replicas },
})
const SETS = `${APPS}/replicasets`

export const steps: readonly Step[] = [
  {
    name: 'create a ReplicaSet that wants nothing',
    method: 'POST',
    path: SETS,
    body: { metadata: { name: 'rs' }, spec: { replicas: 0, selector: { matchLabels: { app: 'x' } }, template } },
  },
  { name: 'get its scale', method: 'GET', path: `${SETS}/rs/scale` },
  { name: 'a scale of nothing', method: 'GET', path: `${SETS}/none/scale` },
  { name: 'scale by PUT', method: 'PUT', path: `${SETS}/rs/scale`, body: scale(0) },
  {
    name: 'scale by another kind',
    method: 'PUT',
    path: `${SETS}/rs/scale`,
    body: { ...scale(0), kind: 'ReplicaSet', apiVersion: 'apps/v1' },
  },
  {
    name: 'scale under another name',
    method: 'PUT',
    path: `${SETS}/rs/scale`,
    body: { ...scale(0), metadata: { name: 'zz' } },
  },
  {
    name: 'scale below zero',
    method: 'PATCH',
    path: `${SETS}/rs/scale`,
    headers: MERGE,
    body: { spec: { replicas: -1 } },
  },
  {
    name: 'scale with a stale version',
    method: 'PATCH',
    path: `${SETS}/rs/scale`,
    headers: MERGE,
    body: { metadata: { resourceVersion: '1' }, spec: { replicas: 0 } },
  },
  {
    name: 'scale by apply against another',
    method: 'PATCH',
    path: `${SETS}/rs/scale?fieldManager=hpa`,
    headers: APPLY,
    body: scale(1),
  },
  { name: 'scale of a kind that has none', method: 'GET', path: '/api/v1/namespaces/{ns}/configmaps/x/scale' },
  { name: 'an unknown subresource', method: 'GET', path: `${PODS}/x/nothing` },
  {
    name: 'create a pod that nobody schedules',
    method: 'POST',
    path: PODS,
    body: { metadata: { name: 'p' }, spec: { ...template.spec, schedulerName: 'nobody' } },
  },
  {
    name: 'bind it',
    method: 'POST',
    path: `${PODS}/p/binding`,
    body: {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'p' },
      target: { kind: 'Node', name: 'no-such-node' },
    },
  },
  {
    name: 'bind it again',
    method: 'POST',
    path: `${PODS}/p/binding`,
    body: { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'other' } },
  },
  { name: 'bind what is not there', method: 'POST', path: `${PODS}/none/binding`, body: { target: { name: 'a' } } },
  {
    name: 'bind to nothing',
    method: 'POST',
    path: `${PODS}/p/binding`,
    body: { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' } },
  },
  {
    name: 'evict what is not there',
    method: 'POST',
    path: `${PODS}/none/eviction`,
    body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'none' } },
  },
  {
    name: 'evict it',
    method: 'POST',
    path: `${PODS}/p/eviction`,
    body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } },
  },
  {
    name: 'a token of nobody',
    method: 'POST',
    path: `${ACCOUNTS}/none/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
  },
  {
    name: 'a token',
    method: 'POST',
    path: `${ACCOUNTS}/default/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 600 } },
  },
  {
    name: 'a token for too short a time',
    method: 'POST',
    path: `${ACCOUNTS}/default/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 1 } },
  },
  { name: 'GET a token', method: 'GET', path: `${ACCOUNTS}/default/token` },
]
