import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { get, patch } from '../map-steps.ts'

const PODS = '/api/v1/namespaces/{ns}/pods'
const BUDGETS = '/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets'

/** On a node without a kubelet. */
const pod = (app: string, name: string): Step => ({
  name: `create ${name}`,
  method: 'POST',
  path: PODS,
  body: {
    metadata: { name, labels: { app } },
    spec: {
      nodeName: '{ns}-nowhere',
      automountServiceAccountToken: false,
      containers: [{ name: 'c', image: 'example.com/a' }],
    },
  },
})

const serving = (name: string, ready = 'True', phase = 'Running'): Step =>
  patch(`${name} is ${phase}, ready ${ready}`, `${PODS}/${name}/status`, {
    status: { phase, conditions: [{ type: 'Ready', status: ready }] },
  })

/** With what its controller says of it in any case. */
function budget(name: string, spec: JsonObject, status: JsonObject, app = name): readonly Step[] {
  return [
    {
      name: `budget ${name}`,
      method: 'POST',
      path: BUDGETS,
      body: { metadata: { name }, spec: { selector: { matchLabels: { app } }, ...spec } },
    },
    { ...say(`of ${name}`, name, status) },
    get(`budget ${name} is known`, `${BUDGETS}/${name}?includeObject=None`, {
      until: (body) => JSON.stringify(body).includes(`"N/A",${status.disruptionsAllowed},`),
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    }),
  ]
}

/** On trial it would be said of nothing; the answer has what the controller of the real server wrote. */
function say(what: string, name: string, status: JsonObject): Step {
  return {
    name: `status ${what}`,
    method: 'PATCH',
    path: `${BUDGETS}/${name}/status?includeObject=None`,
    headers: {
      'content-type': 'application/merge-patch+json',
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    },
    body: { status: { observedGeneration: 1, ...status } },
  }
}

const evict = (name: string, what: string, more: JsonObject = {}, query = ''): Step => ({
  name: what,
  method: 'POST',
  path: `${PODS}/${name}/eviction${query}`,
  body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name }, ...more },
})

const counts = (expectedPods: number, desiredHealthy: number, currentHealthy: number): JsonObject => ({
  expectedPods,
  desiredHealthy,
  currentHealthy,
  disruptionsAllowed: Math.max(0, currentHealthy - desiredHealthy),
})

export const steps: readonly Step[] = [
  ...['a1', 'a2'].map((name) => pod('a', name)),
  ...['b1', 'b2'].map((name) => pod('b', name)),
  ...['c1', 'c2'].map((name) => pod('c', name)),
  ...['d1', 'd2', 'd3', 'd4'].map((name) => pod('d', name)),
  ...['e1', 'e2'].map((name) => pod('e', name)),
  pod('f', 'f1'),
  ...['a1', 'a2', 'b1', 'b2', 'd1', 'f1'].map((name) => serving(name)),
  ...['c1', 'd2', 'e1'].map((name) => serving(name, 'False')),
  serving('d3', 'False', 'Succeeded'),
  serving('c2'),
  ...budget('a', { minAvailable: 1 }, counts(2, 1, 2)),
  evict('a1', 'one of two on trial', {}, '?dryRun=All'),
  evict('a1', 'one of two on trial by its own options', { deleteOptions: { dryRun: ['All'] } }),
  evict('a1', 'one of two'),
  { ...say('after an eviction', 'a', counts(2, 1, 1)) },
  evict('a1', 'the one that goes already'),
  evict('a2', 'the other one'),
  evict('a2', 'the other one on trial', {}, '?dryRun=All'),
  get('the other one is still there', `${PODS}/a2`),
  ...budget('b', { minAvailable: 2 }, counts(2, 2, 2)),
  evict('b1', 'one of two that are needed'),
  { name: 'budgets do not hold deletions', method: 'DELETE', path: `${PODS}/b1?gracePeriodSeconds=0` },
  ...budget('c', { minAvailable: 1 }, counts(2, 1, 1)),
  evict('c2', 'the one that serves'),
  evict('c1', 'one that does not serve while enough do'),
  ...budget('d', { minAvailable: 3 }, counts(3, 3, 1)),
  evict('d2', 'one that does not serve while too few do'),
  evict('d3', 'one that has ended'),
  evict('d4', 'one that waits'),
  ...budget('e', { minAvailable: 3, unhealthyPodEvictionPolicy: 'AlwaysAllow' }, counts(2, 3, 0)),
  evict('e1', 'one that does not serve and that nobody minds'),
  ...budget('f', { minAvailable: 0 }, counts(1, 0, 1)),
  ...budget('g', { minAvailable: 0 }, counts(1, 0, 1), 'f'),
  evict('f1', 'one with two budgets'),
  evict('f1', 'one with two budgets on trial', {}, '?dryRun=All'),
  {
    name: 'the second budget ends',
    method: 'DELETE',
    path: `${BUDGETS}/g`,
    headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
  },
  evict('f1', 'one with a budget to spare'),
]
