import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { MAPS, MERGE } from '../map-steps.ts'
import { crdSteps, crdVersion, customPath } from '../object-steps.ts'
import { createPolicy, removePolicy, write } from '../policy-steps.ts'
import { answering, configure, type WebhookCase, withdraw } from '../webhook-steps.ts'

const KIND = 'mutating'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/{ns}/deployments'

/** Each is shown one new map. */
const ANSWERS = [
  'allow',
  'review',
  'deny-with-message',
  'deny-and-warn',
  'warn',
  'patch-label',
  'patch-data',
  'patch-nothing',
  'patch-same',
  'patch-test',
  'patch-missing',
  'patch-no-path',
  'patch-replace-nowhere',
  'patch-move-nowhere',
  'patch-copy-nowhere',
  'patch-test-nowhere',
  'patch-no-item',
  'patch-name',
  'patch-wrongly',
  'patch-invalidly',
  'patch-unknown',
  'patch-no-json',
  'patch-no-list',
  'patch-without-type',
  'patch-type-alone',
  'patch-of-no-type',
  'patch-of-other-type',
  'patch-and-deny',
].map((answer) => answering(answer))

const again = { reinvocationPolicy: 'IfNeeded' }
const forDeployments = {
  rules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: ['deployments'] }],
}
const forScale = {
  rules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: ['deployments/scale'] }],
}
const forWidgets = (version: string): JsonObject => ({
  rules: [{ apiGroups: ['{ns}.example.com'], apiVersions: [version], operations: ['*'], resources: ['widgets'] }],
})

const CASES: readonly WebhookCase[] = [
  { name: 'in-order', webhooks: [['append-a'], ['append-b'], ['append-c']] },
  { name: 'once', webhooks: [['append-a', again]] },
  { name: 'first-again', webhooks: [['append-a', again], ['append-b']] },
  { name: 'second-again', webhooks: [['append-a'], ['append-b', again]] },
  {
    name: 'both-again',
    webhooks: [
      ['append-a', again],
      ['append-b', again],
    ],
  },
  { name: 'first-of-three', webhooks: [['append-a', again], ['allow'], ['append-c']] },
  { name: 'idle-again', webhooks: [['allow', again], ['append-b']] },
  { name: 'again-but-unchanged', webhooks: [['append-a', again], ['patch-same']] },
  { name: 'deny-second', webhooks: [['append-a'], ['deny-with-message'], ['append-c']] },
  { name: 'sees-first', webhooks: [['append-a'], ['review']] },
  { name: 'ignored-patch', webhooks: [['patch-no-json', { failurePolicy: 'Ignore' }], ['append-a']] },
  { name: 'ignored-missing', webhooks: [['patch-missing', { failurePolicy: 'Ignore' }]] },
  {
    name: 'condition-after-first',
    webhooks: [
      ['append-a'],
      ['append-b', { matchConditions: [{ name: 'called', expression: '"calls" in object.data' }] }],
    ],
  },
  {
    name: 'labelled-by-first',
    webhooks: [['patch-label'], ['append-b', { objectSelector: { matchLabels: { added: 'yes' } } }]],
  },
  {
    name: 'deletions',
    webhooks: [
      [
        'patch-data',
        { rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['configmaps'] }] },
      ],
    ],
  },
  { name: 'replicas', webhooks: [['patch-replicas', forDeployments]] },
  { name: 'sidecar', webhooks: [['patch-sidecar', forDeployments]] },
  { name: 'scaled', webhooks: [['patch-replicas', forScale]] },
  { name: 'widget-v1', webhooks: [['patch-replicas', { ...forWidgets('v1'), matchPolicy: 'Equivalent' }]] },
  { name: 'widget-exact', webhooks: [['patch-replicas', { ...forWidgets('v1'), matchPolicy: 'Exact' }]] },
  { name: 'widget-seen', webhooks: [['review', { ...forWidgets('v2'), matchPolicy: 'Equivalent' }]] },
  { name: 'widget-unknown', webhooks: [['patch-unknown', forWidgets('v1')]] },
  { name: 'with-policy', webhooks: [['append-a', again]] },
  { name: 'with-policy-again', webhooks: [['append-a']] },
]

const POLICIES = [
  { name: 'with-policy', policy: appendingPolicy('Never') },
  { name: 'with-policy-again', policy: appendingPolicy('IfNeeded') },
]

function appendingPolicy(reinvocationPolicy: string): JsonObject {
  const expression =
    '[JSONPatch{op: "add", path: "/data/calls", value: ("calls" in object.data ? object.data.calls : "") + "p"}]'
  return { reinvocationPolicy, mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }] }
}

const ALL: readonly WebhookCase[] = [...ANSWERS, ...CASES, { name: 'last-of-all', webhooks: [['deny-with-message']] }]

function deployment(name: string): Step {
  const labels = { case: name }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a:1' }] } }
  return {
    name: `${name}: a deployment`,
    method: 'POST',
    path: `${DEPLOYMENTS}?dryRun=All`,
    body: { metadata: { name, labels }, spec: { selector: { matchLabels: labels }, template } },
  }
}

function widget(name: string, version: string): Step {
  return {
    name: `${name}: a widget in ${version}`,
    method: 'POST',
    path: `${customPath('widgets', version)}?dryRun=All`,
    body: {
      apiVersion: `{ns}.example.com/${version}`,
      kind: 'Widget',
      metadata: { name, labels: { case: name } },
      spec: { size: 1 },
    },
  }
}

const spec = { type: 'object', properties: { size: { type: 'integer' }, replicas: { type: 'integer', maximum: 7 } } }
const widgetSchema = [crdVersion(spec), crdVersion(spec, { name: 'v2' })]

const applied = (what: string, data: JsonObject): Step => ({
  name: `in-order: apply ${what}`,
  method: 'PATCH',
  path: `${MAPS}/in-order-applied?fieldManager=me`,
  headers: { 'content-type': 'application/apply-patch+yaml' },
  body: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'in-order-applied', labels: { case: 'in-order' } },
    data,
  },
})

const change = (name: string, what: string, body: JsonObject): Step => ({
  name: `${name}: ${what}`,
  method: 'PATCH',
  path: `${MAPS}/${name}-kept`,
  headers: MERGE,
  body,
})

const size = { size: '1' }

export const steps: readonly Step[] = [
  ...crdSteps('Widget', widgetSchema),
  write('deletions', 'kept', size, { real: true }),
  ...POLICIES.flatMap((each) => createPolicy('MutatingAdmissionPolicy', each)),
  ...ALL.map((each) => configure(KIND, each)),
  write('last-of-all', 'until it is asked', {}, { until: 400 }),
  write('with-policy-again', 'until policies act', size, {
    until: (body) => JSON.stringify(body).includes('p') && JSON.stringify(body).includes('"calls":"p'),
  }),
  ...ANSWERS.map(({ name }) => write(name, 'is shown a map', size)),
  ...CASES.slice(0, 14).map(({ name }) => write(name, 'is shown a map', size)),
  ...POLICIES.map(({ name }) => write(name, 'is shown a map', size)),
  write('patch-label', 'kept', size, { real: true }),
  change('patch-label', 'changed', { data: { size: '2' } }),
  change('patch-label', 'without what is added', { metadata: { labels: { added: null } } }),
  change('patch-label', 'without its labels', { metadata: { labels: null } }),
  { name: 'patch-label: get what is kept', method: 'GET', path: `${MAPS}/patch-label-kept` },
  applied('creates', size),
  applied('again', size),
  applied('another size', { size: '2' }),
  applied('what webhooks add', { size: '2', calls: 'mine' }),
  { name: 'deletions: deleted', method: 'DELETE', path: `${MAPS}/deletions-kept` },
  ...['replicas', 'sidecar', 'scaled'].map(deployment),
  ...['widget-v1', 'widget-exact', 'widget-seen', 'widget-unknown'].flatMap((name) => [
    widget(name, 'v1'),
    widget(name, 'v2'),
  ]),
  ...ALL.map((each) => withdraw(KIND, each)),
  ...POLICIES.flatMap((each) => removePolicy('MutatingAdmissionPolicy', each)),
]
