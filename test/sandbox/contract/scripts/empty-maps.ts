import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const podSpec = { containers: [{ name: 'c', image: 'i:1' }] }
const tried = (name: string, path: string, spec: JsonObject): Step => ({
  name,
  method: 'POST',
  path: `/apis/${path}?dryRun=All`,
  body: { metadata: { name: 'x' }, spec },
})
const PLURALS = ['deployments', 'replicasets', 'daemonsets', 'statefulsets'] as const
const selector = { matchLabels: { a: 'b' } }
const workload = (name: string, more: JsonObject): readonly Step[] =>
  PLURALS.map((plural) =>
    tried(`${plural} with ${name}`, `apps/v1/namespaces/{ns}/${plural}`, {
      selector,
      template: { metadata: { labels: { a: 'b' } }, spec: podSpec },
      ...more,
    }),
  )
const job = (name: string, more: JsonObject): Step =>
  tried(`a Job with ${name}`, 'batch/v1/namespaces/{ns}/jobs', {
    selector,
    manualSelector: true,
    template: { metadata: { labels: { a: 'b' } }, spec: { ...podSpec, restartPolicy: 'Never' } },
    ...more,
  })

/** Maps that are empty or absent, as refusals show them. */
export const steps: readonly Step[] = [
  ...workload('no labels', { template: { spec: podSpec } }),
  ...workload('empty labels', { template: { metadata: { labels: {} }, spec: podSpec } }),
  ...workload('no selector', { selector: null }),
  ...workload('an empty selector', { selector: {} }),
  ...workload('a selector of empty labels', { selector: { matchLabels: {} } }),
  ...workload('a selector that cannot be read', { selector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
  job('no labels', { template: { spec: { ...podSpec, restartPolicy: 'Never' } } }),
  job('empty labels', { template: { metadata: { labels: {} }, spec: { ...podSpec, restartPolicy: 'Never' } } }),
  job('no selector', { selector: null }),
  job('an empty selector', { selector: {} }),
  {
    ...tried('a ReplicationController', '', {}),
    path: '/api/v1/namespaces/{ns}/replicationcontrollers?dryRun=All',
    body: { metadata: { name: 'x' }, spec: { selector: { a: 'b' }, template: { spec: podSpec } } },
  },
]
