import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const IN = '/api/v1/namespaces/{ns}'
const binding = (name: string, body: JsonObject, query = ''): Step => ({
  name,
  method: 'POST',
  path: `${IN}/bindings${query}`,
  body,
})
const target = { kind: 'Node', name: 'no-such-node' }

/** Pods are bound by what is posted to the collection, too; nothing is kept there. */
export const steps: readonly Step[] = [
  {
    name: 'create a pod that nobody schedules',
    method: 'POST',
    path: `${IN}/pods`,
    body: {
      metadata: { name: 'p' },
      spec: { schedulerName: 'nobody', automountServiceAccountToken: false, containers: [{ name: 'a', image: 'a' }] },
    },
  },
  {
    name: 'a status with a node',
    method: 'PATCH',
    path: `${IN}/pods/p/status`,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { spec: { nodeName: 'n' }, status: { message: 'm' } },
  },
  binding('without a name', { target }),
  binding('without a target', { metadata: { name: 'p' } }),
  binding('of another namespace', { metadata: { name: 'p', namespace: 'other' }, target }),
  binding('of a pod that is not there', { metadata: { name: 'none' }, target }),
  binding('in dry run', { metadata: { name: 'p' }, target }, '?dryRun=All'),
  binding('with an annotation', { metadata: { name: 'p', annotations: { a: '1' } }, target }),
  { name: 'the bound pod', method: 'GET', path: `${IN}/pods/p` },
  binding('again', { metadata: { name: 'p' }, target: { ...target, name: 'other' } }),
  { name: 'list them', method: 'GET', path: `${IN}/bindings` },
  { name: 'get one', method: 'GET', path: `${IN}/bindings/p` },
  { name: 'delete one', method: 'DELETE', path: `${IN}/bindings/p` },
]
