import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { MAPS, MERGE, TABLE } from '../map-steps.ts'
import { write } from '../policy-steps.ts'
import { as } from '../user-steps.ts'
import { answering, configure, type WebhookCase, withdraw } from '../webhook-steps.ts'

const KIND = 'validating'
const HPAS = '/namespaces/{ns}/horizontalpodautoscalers'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/{ns}/deployments'

/** Each is shown one new map. */
const ANSWERS = [
  'allow',
  'review',
  'allow-with-status',
  'allow-with-audit',
  'deny-silently',
  'deny-emptily',
  'deny-with-message',
  'deny-with-reason',
  'deny-with-code',
  'deny-with-200',
  'deny-with-500',
  'deny-with-metadata',
  'deny-with-details',
  'deny-with-audit',
  'deny-and-warn',
  'warn',
  'warn-often',
  'warn-oddly',
  'warn-at-length',
  'patch-data',
  'patch-type-alone',
].map((answer) => answering(answer))

const rule = (operations: string, group: string, resources: string, more: JsonObject = {}): JsonObject => ({
  rules: [
    {
      apiGroups: [group],
      apiVersions: ['v1'],
      operations: operations.split(' '),
      resources: resources.split(' '),
      ...more,
    },
  ],
})

const condition = (...expressions: readonly string[]): JsonObject => ({
  matchConditions: expressions.map((expression, index) => ({ name: `c${index}`, expression })),
})

const one = (name: string, more: JsonObject, answer = 'deny-with-message'): WebhookCase => ({
  name,
  webhooks: [[answer, more]],
})

const CASES: readonly WebhookCase[] = [
  one('updates', rule('UPDATE', '', 'configmaps'), 'review'),
  one('deletions', rule('DELETE', '', 'configmaps'), 'review'),
  one('all-operations', rule('*', '*', '*')),
  one('namespaced', rule('*', '', 'configmaps', { scope: 'Namespaced' })),
  one('cluster', rule('*', '', 'configmaps', { scope: 'Cluster' })),
  one('condition', condition('"size" in object.data')),
  one('conditions', condition('"size" in object.data', 'object.data.size == "12"')),
  one('broken-condition', condition('object.data.missing == "x"')),
  one('broken-ignored', { ...condition('object.data.missing == "x"'), failurePolicy: 'Ignore' }),
  one('broken-and-false', condition('object.data.missing == "x"', 'false')),
  one(
    'request-condition',
    condition('request.operation == "CREATE" && request.dryRun && request.userInfo.username != ""'),
  ),
  one('side-effects', { sideEffects: 'NoneOnDryRun' }, 'review'),
  one('dotted-resource', rule('*', '', 'configmaps/status')),
  one('selected', {
    objectSelector: { matchExpressions: [{ key: 'case', operator: 'In', values: ['selected', 'chosen'] }] },
  }),
  one('elsewhere', { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'elsewhere' } } }),
  one('not-here', {
    namespaceSelector: {
      matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['{ns}'] }],
    },
  }),
  { name: 'two', webhooks: [['allow'], ['deny-with-message']] },
  { name: 'two-warn', webhooks: [['allow'], ['warn']] },
  one('exact', { ...rule('*', 'autoscaling', 'horizontalpodautoscalers'), matchPolicy: 'Exact' }, 'review'),
  one('equivalent', { ...rule('*', 'autoscaling', 'horizontalpodautoscalers'), matchPolicy: 'Equivalent' }, 'review'),
  one('scaling', rule('*', 'apps', 'deployments/scale'), 'review'),
  one('statuses', rule('*', 'apps', 'deployments/status')),
  one('all-subresources', rule('*', 'apps', 'deployments/*')),
  one('resources-alone', rule('*', 'apps', 'deployments')),
]

const ALL = [...ANSWERS, ...CASES, one('last-of-all', {})]

function hpa(name: string, version: string): Step {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }
  return {
    name: `${name}: an autoscaler in ${version}`,
    method: 'POST',
    path: `/apis/autoscaling/${version}${HPAS}?dryRun=All`,
    body: {
      metadata: { name, labels: { case: name } },
      spec: {
        scaleTargetRef,
        maxReplicas: 3,
        ...(version === 'v1' && { targetCPUUtilizationPercentage: 50 }),
      },
    },
  }
}

/** No controller of the real server is to touch it: it is paused. */
function deployment(name: string): readonly Step[] {
  const labels = { case: name }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a:1' }] } }
  const body = {
    metadata: { name, labels },
    spec: { replicas: 0, paused: true, selector: { matchLabels: labels }, template },
  }
  const patch = (what: string, path: string, change: JsonObject): Step => ({
    name: `${name}: ${what}`,
    method: 'PATCH',
    path: `${DEPLOYMENTS}/${name}${path}?dryRun=All&includeObject=None`,
    headers: path === '/scale' ? MERGE : { ...MERGE, ...TABLE },
    body: change,
  })
  return [
    { name: `${name}: a deployment on trial`, method: 'POST', path: `${DEPLOYMENTS}?dryRun=All`, body },
    patch('its spec', '', { metadata: { labels: { more: 'x' } } }),
    patch('its scale', '/scale', { spec: { replicas: 2 } }),
    patch('its status', '/status', { status: { observedGeneration: 9 } }),
  ]
}

const SUBRESOURCES = ['scaling', 'statuses', 'all-subresources', 'resources-alone']

/** Made before any webhook is there. */
function made(name: string): Step {
  return {
    name: `${name}: before all`,
    method: 'POST',
    path: MAPS,
    body: { metadata: { name: `${name}-kept`, labels: { case: name } }, data: { size: '1' } },
  }
}

function madeDeployment(name: string): Step {
  const [first] = deployment(name)
  return {
    ...(first as Step),
    name: `${name}: a deployment`,
    path: DEPLOYMENTS,
    body: { ...(first?.body as JsonObject) },
  }
}

const change = (name: string, what: string, body: JsonObject, query = ''): Step => ({
  name: `${name}: ${what}`,
  method: 'PATCH',
  path: `${MAPS}/${name}-kept${query}`,
  headers: MERGE,
  body,
})

const KEPT = ['updates', 'deletions', 'all-operations', 'selected']

export const steps: readonly Step[] = [
  ...KEPT.map(made),
  ...SUBRESOURCES.map(madeDeployment),
  ...ALL.map((each) => configure(KIND, each)),
  write('last-of-all', 'until it is asked', {}, { until: 400 }),
  ...ANSWERS.map(({ name }) => write(name, 'is shown a map', { size: '12' })),
  write('review', 'as somebody', { size: '12' }, { headers: as('chosen-one', 'system:masters') }),
  write(
    'review',
    'with a manager',
    { size: '12' },
    { path: `${MAPS}?dryRun=All&fieldManager=me&fieldValidation=Strict` },
  ),
  write('review', 'a real one', { size: '12' }, { real: true }),
  ...CASES.slice(3, 18).map(({ name }) => write(name, 'a sized one', { size: '12' })),
  ...['condition', 'conditions', 'broken-condition', 'request-condition'].map((name) =>
    write(name, 'another', { size: '1', other: 'x' }),
  ),
  write('condition', 'without size', { other: 'x' }),
  write('side-effects', 'a real one', { size: '1' }, { real: true }),
  change('updates', 'a change', { data: { size: '2' } }),
  change('updates', 'a change on trial', { data: { size: '2' } }, '?dryRun=All&fieldManager=me'),
  change('updates', 'no change', { data: { size: '1' } }),
  change('updates', 'loses its label', { metadata: { labels: null } }),
  change('selected', 'loses its label', { metadata: { labels: null } }),
  change('selected', 'changes its label', { metadata: { labels: { case: 'chosen' } } }),
  {
    name: 'updates: applied',
    method: 'PATCH',
    path: `${MAPS}/updates-kept?fieldManager=me`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'updates-kept' }, data: { applied: 'x' } },
  },
  { name: 'deletions: deleted', method: 'DELETE', path: `${MAPS}/deletions-kept` },
  {
    name: 'deletions: deleted with options',
    method: 'DELETE',
    path: `${MAPS}/deletions-kept?dryRun=All`,
    body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Orphan' },
  },
  { name: 'deletions: deleted as a collection', method: 'DELETE', path: `${MAPS}?labelSelector=case%3Ddeletions` },
  { name: 'deletions: is still there', method: 'GET', path: `${MAPS}/deletions-kept` },
  { name: 'all-operations: deleted', method: 'DELETE', path: `${MAPS}/all-operations-kept` },
  change('all-operations', 'changed', { data: { size: '2' } }),
  ...['exact', 'equivalent'].flatMap((name) => [hpa(name, 'v1'), hpa(name, 'v2')]),
  ...SUBRESOURCES.flatMap(deployment),
  ...ALL.map((each) => withdraw(KIND, each)),
]
