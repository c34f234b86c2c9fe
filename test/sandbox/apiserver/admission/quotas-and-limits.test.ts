import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { Sandbox } from '../sandbox.ts'

const PODS = '/api/v1/namespaces/default/pods'
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims'
const SERVICES = '/api/v1/namespaces/default/services'

const pod = (resources: JsonObject = {}, spec: JsonObject = {}): JsonObject => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'a', image: 'a', resources }], ...spec },
})
const claim = (storage: string): JsonObject => ({
  metadata: { name: 'c' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
})
const balanced = (port: JsonObject): JsonObject => ({
  metadata: { name: 's' },
  spec: { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [{ port: 80, ...port }] },
})

interface Row {
  readonly name: string
  readonly kind: 'ResourceQuota' | 'LimitRange'
  readonly spec: JsonObject
  readonly path: string
  readonly body: JsonObject
  /** Of the refusal; absent: it passes. */
  readonly message?: RegExp
}

const limit = (type: string, more: JsonObject): JsonObject => ({ limits: [{ type, ...more }] })
const init = (resources: JsonObject): JsonObject => ({
  initContainers: [{ name: 'i', image: 'a', resources }],
})

const ROWS: readonly Row[] = [
  {
    name: 'a minimum of what a claim does not ask for',
    kind: 'LimitRange',
    spec: limit('PersistentVolumeClaim', { min: { storage: '1Gi', cpu: '1' } }),
    path: CLAIMS,
    body: claim('1Gi'),
    message: /minimum cpu usage per PersistentVolumeClaim is 1. {2}No request is specified$/,
  },
  {
    name: 'a maximum of what a claim does not ask for',
    kind: 'LimitRange',
    spec: limit('PersistentVolumeClaim', { max: { storage: '1Gi', cpu: '1' } }),
    path: CLAIMS,
    body: claim('1Gi'),
    message: /maximum cpu usage per PersistentVolumeClaim is 1. {2}No request is specified$/,
  },
  {
    name: 'pods that end, of one that does not',
    kind: 'ResourceQuota',
    spec: { hard: { pods: '0' }, scopes: ['Terminating'] },
    path: PODS,
    body: pod(),
  },
  {
    name: 'pods that do not end',
    kind: 'ResourceQuota',
    spec: { hard: { pods: '0' }, scopes: ['NotTerminating'] },
    path: PODS,
    body: pod(),
    message: /exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0$/,
  },
  {
    name: 'pods that do not end, of one that does',
    kind: 'ResourceQuota',
    spec: { hard: { pods: '0' }, scopes: ['NotTerminating'] },
    path: PODS,
    body: pod({}, { activeDeadlineSeconds: 60 }),
  },
  {
    name: 'pods with a priority, named as a scope, of one without',
    kind: 'ResourceQuota',
    spec: { hard: { pods: '0' }, scopes: ['PriorityClass'] },
    path: PODS,
    body: pod(),
  },
  {
    name: 'pods with a priority, named as a scope',
    kind: 'ResourceQuota',
    spec: { hard: { pods: '0' }, scopes: ['PriorityClass'] },
    path: PODS,
    body: pod({}, { priorityClassName: 'system-node-critical' }),
    message: /exceeded quota: q, requested: pods=1/,
  },
  ...[
    { operator: 'In', values: ['system-node-critical'], isCounted: true },
    { operator: 'In', values: ['system-cluster-critical'], isCounted: false },
    { operator: 'NotIn', values: ['system-node-critical'], isCounted: false },
    { operator: 'NotIn', values: ['system-cluster-critical'], isCounted: true },
  ].map(
    ({ operator, values, isCounted }): Row => ({
      name: `pods whose priority is ${operator} ${values}`,
      kind: 'ResourceQuota',
      spec: {
        hard: { pods: '0' },
        scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator, values }] },
      },
      path: PODS,
      body: pod({}, { priorityClassName: 'system-node-critical' }),
      ...(isCounted && { message: /exceeded quota: q, requested: pods=1/ }),
    }),
  ),
  {
    name: 'pods that look into other namespaces, of one that does not',
    kind: 'ResourceQuota',
    spec: { hard: { pods: '0' }, scopes: ['CrossNamespacePodAffinity'] },
    path: PODS,
    body: pod(),
  },
  ...['podAffinity', 'podAntiAffinity'].flatMap((field) =>
    [
      { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'x', namespaces: ['other'] }] },
      {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: { topologyKey: 'x', namespaceSelector: {} } },
        ],
      },
    ].map(
      (affinity): Row => ({
        name: `pods that look into other namespaces, by ${field} ${Object.keys(affinity)[0]?.slice(0, 9)}`,
        kind: 'ResourceQuota',
        spec: { hard: { pods: '0' }, scopes: ['CrossNamespacePodAffinity'] },
        path: PODS,
        body: pod({}, { affinity: { [field]: affinity } }),
        message: /exceeded quota: q, requested: pods=1/,
      }),
    ),
  ),
  {
    name: 'the larger of containers and init containers: the containers',
    kind: 'ResourceQuota',
    spec: { hard: { 'requests.cpu': '1' } },
    path: PODS,
    body: pod({ requests: { cpu: '2' } }, init({ requests: { cpu: '1' } })),
    message: /requested: requests.cpu=2, used: requests.cpu=0, limited: requests.cpu=1$/,
  },
  {
    name: 'the larger of containers and init containers: the init containers',
    kind: 'ResourceQuota',
    spec: { hard: { 'requests.cpu': '1' } },
    path: PODS,
    body: pod({ requests: { cpu: '1' } }, init({ requests: { cpu: '3' } })),
    message: /requested: requests.cpu=3, used: requests.cpu=0, limited: requests.cpu=1$/,
  },
  {
    name: 'node ports of a balancer that has none',
    kind: 'ResourceQuota',
    spec: { hard: { 'services.nodeports': '0' } },
    path: SERVICES,
    body: balanced({}),
  },
  {
    name: 'node ports of a balancer that asks for one itself',
    kind: 'ResourceQuota',
    spec: { hard: { 'services.nodeports': '0' } },
    path: SERVICES,
    body: balanced({ nodePort: 30123 }),
    message: /requested: services.nodeports=1, used: services.nodeports=0, limited: services.nodeports=0$/,
  },
  {
    name: 'kinds that are not served',
    kind: 'ResourceQuota',
    spec: { hard: { 'count/ghosts.example.com': '1', pods: '0', 'example.com/strange': '1' } },
    path: PODS,
    body: pod(),
    message: /requested: pods=1, used: pods=0, limited: pods=0$/,
  },
]

describe('Quotas and limits', () => {
  const sandbox = new Sandbox()
  before(() => sandbox.start())
  after(() => sandbox.stop())

  function install(kind: string, spec: JsonObject): () => void {
    const object = { apiVersion: 'v1', kind, metadata: { name: 'q', namespace: 'default' }, spec } as KubeObject
    sandbox.objects.create(object, 'test')
    return () => sandbox.objects.delete({ group: '', version: 'v1', kind }, { namespace: 'default', name: 'q' })
  }

  for (const { name, kind, spec, path, body, message } of ROWS) {
    it(`count ${name}`, async () => {
      const remove = install(kind, spec)
      const answer = await sandbox.send('POST', `${path}?dryRun=All`, { body })
      remove()
      expect(answer.status, answer.text).to.equal(message ? 403 : 201)
      if (message) expect(answer.body.message).to.match(message)
    })
  }

  it('leave room for what has run to its end', async () => {
    const remove = install('ResourceQuota', { hard: { pods: '1' } })
    const made = await sandbox.send('POST', PODS, { body: pod() })
    expect(made.status).to.equal(201)
    const more = { body: { ...pod(), metadata: { name: 'second' } } }
    expect((await sandbox.send('POST', `${PODS}?dryRun=All`, more)).status).to.equal(403)
    const status = { ...(made.body.status as JsonObject), phase: 'Succeeded' }
    await sandbox.send('PUT', `${PODS}/p/status`, { body: { ...made.body, status } })
    expect((await sandbox.send('POST', `${PODS}?dryRun=All`, more)).status).to.equal(201)
    remove()
  })
})
