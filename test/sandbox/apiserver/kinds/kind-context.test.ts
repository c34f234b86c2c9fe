import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { getPath, type JsonObject, type JsonPath } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { BuiltinSchemas } from '../../../../src/core/schema/builtin-schemas.ts'
import { builtinKinds } from '../../../../src/sandbox/apiserver/kinds/builtin-kinds.ts'
import type { FixtureCase } from './fixture.ts'
import { KindPipeline } from './kind-pipeline.ts'

const DATA = new URL('../../../../src/core/schema/builtin-schemas.generated.bin', import.meta.url)
const KINDS = builtinKinds(BuiltinSchemas.decode(readFileSync(DATA)))

const kube = (apiVersion: string, kind: string, metadata: JsonObject, rest: JsonObject = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata,
  ...rest,
})

const claim = (spec: JsonObject = {}): KubeObject =>
  kube(
    'v1',
    'PersistentVolumeClaim',
    { name: 'a' },
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec } },
  )
const storageClass = (name: string, creationTimestamp: string, rest: JsonObject = {}): KubeObject => {
  const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' }
  return kube('storage.k8s.io/v1', 'StorageClass', { name, creationTimestamp, annotations }, rest)
}
const ingress = (rest: JsonObject = {}, metadata: JsonObject = {}): KubeObject => {
  const defaultBackend = { service: { name: 'b', port: { number: 80 } } }
  return kube('networking.k8s.io/v1', 'Ingress', { name: 'a', ...metadata }, { spec: { defaultBackend, ...rest } })
}
const ingressClass = (name: string, creationTimestamp: string): KubeObject => {
  const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' }
  return kube('networking.k8s.io/v1', 'IngressClass', { name, creationTimestamp, annotations })
}
const priorityClass = (name: string, value: number, globalDefault = true): KubeObject =>
  kube('scheduling.k8s.io/v1', 'PriorityClass', { name }, { value, globalDefault, preemptionPolicy: 'Never' })
const service = (name: string, spec: JsonObject): KubeObject =>
  kube('v1', 'Service', { name, namespace: 'other' }, { spec })

const POD = kube('v1', 'Pod', { name: 'a' }, { spec: { containers: [{ name: 'c', image: 'nginx' }] } })
const podOf = (spec: JsonObject): KubeObject => ({ ...POD, spec: { ...(POD.spec as JsonObject), ...spec } })
const RUNTIME = kube(
  'node.k8s.io/v1',
  'RuntimeClass',
  { name: 'r' },
  {
    handler: 'r',
    overhead: { podFixed: { cpu: '100m' } },
    scheduling: { nodeSelector: { disk: 'ssd' }, tolerations: [{ key: 'r', operator: 'Exists' }] },
  },
)
const NODE_PORT = { type: 'NodePort', ports: [{ port: 80, nodePort: 30980, protocol: 'TCP' }] }
const portsFrom = (first: number, last: number): JsonObject => ({
  ports: Array.from({ length: last - first + 1 }, (_, index) => ({ nodePort: first + index, protocol: 'TCP' })),
})

interface Case extends Pick<FixtureCase, 'create' | 'given' | 'update' | 'before'> {
  readonly name: string
  /** What the cluster has already. */
  readonly others?: readonly KubeObject[]
  readonly path: JsonPath
  readonly expected: unknown
}

const YEAR = '2026-01-01T00:00:00Z'
const BOUND = { status: { status: { phase: 'Bound' } } }
const GROWTH = { spec: { resources: { requests: { storage: '2Gi' } } } }

const cases: readonly Case[] = [
  {
    name: 'a claim gets the class that is marked as default',
    create: claim(),
    others: [kube('storage.k8s.io/v1', 'StorageClass', { name: 'plain' }), storageClass('marked', YEAR)],
    path: ['object', 'spec', 'storageClassName'],
    expected: 'marked',
  },
  {
    name: 'of two classes marked as default, a claim gets the newer one',
    create: claim(),
    others: [storageClass('old', YEAR), storageClass('new', '2026-02-01T00:00:00Z'), storageClass('older', '2025')],
    path: ['object', 'spec', 'storageClassName'],
    expected: 'new',
  },
  {
    name: 'of two classes of one age, a claim gets the first by name',
    create: claim(),
    others: [storageClass('b', YEAR), storageClass('a', YEAR), storageClass('c', YEAR)],
    path: ['object', 'spec', 'storageClassName'],
    expected: 'a',
  },
  {
    name: 'a claim grows where its class lets it',
    given: claim({ storageClassName: 's' }),
    before: BOUND,
    update: GROWTH,
    others: [storageClass('s', YEAR, { allowVolumeExpansion: true })],
    path: ['object', 'spec', 'resources', 'requests', 'storage'],
    expected: '2Gi',
  },
  {
    name: 'a claim does not grow where its class says nothing of it',
    given: claim({ storageClassName: 's' }),
    before: BOUND,
    update: GROWTH,
    others: [storageClass('s', YEAR)],
    path: ['code'],
    expected: 403,
  },
  {
    name: 'an Ingress gets the class that is marked as default, the newer one of two',
    create: ingress(),
    others: [
      kube('networking.k8s.io/v1', 'IngressClass', { name: 'plain' }),
      ingressClass('old', YEAR),
      ingressClass('new', '2026-02-01T00:00:00Z'),
    ],
    path: ['object', 'spec', 'ingressClassName'],
    expected: 'new',
  },
  {
    name: 'an Ingress keeps the class that it names',
    create: ingress({ ingressClassName: 'mine' }),
    others: [ingressClass('marked', YEAR)],
    path: ['object', 'spec', 'ingressClassName'],
    expected: 'mine',
  },
  {
    name: 'an Ingress keeps the class that it names as it was done before there was a field',
    create: ingress({}, { annotations: { 'kubernetes.io/ingress.class': 'mine' } }),
    others: [ingressClass('marked', YEAR)],
    path: ['object', 'spec', 'ingressClassName'],
    expected: undefined,
  },
  {
    name: 'a pod gets the default priority, the lowest if there are two',
    create: POD,
    others: [priorityClass('high', 9), priorityClass('low', 5), priorityClass('lowest', 1, false)],
    path: ['object', 'spec', 'priority'],
    expected: 5,
  },
  {
    name: 'a pod takes the preemption policy from its class',
    create: POD,
    others: [priorityClass('low', 5)],
    path: ['object', 'spec', 'preemptionPolicy'],
    expected: 'Never',
  },
  {
    name: 'a pod takes what pods of its RuntimeClass cost',
    create: podOf({ runtimeClassName: 'r' }),
    others: [RUNTIME],
    path: ['object', 'spec', 'overhead', 'cpu'],
    expected: '100m',
  },
  {
    name: 'a pod goes to the nodes of its RuntimeClass, and to its own',
    create: podOf({ runtimeClassName: 'r', nodeSelector: { zone: 'a' } }),
    others: [RUNTIME],
    path: ['object', 'spec', 'nodeSelector', 'disk'],
    expected: 'ssd',
  },
  {
    name: 'a pod tolerates what its RuntimeClass does, and says nothing more of it',
    create: podOf({ runtimeClassName: 'r', tolerations: [{ key: 'r', operator: 'Equal', value: 'b' }] }),
    others: [RUNTIME],
    path: ['object', 'spec', 'tolerations', 0, 'key'],
    expected: 'node.kubernetes.io/not-ready',
  },
  {
    name: 'a pod does not go elsewhere than its RuntimeClass says',
    create: podOf({ runtimeClassName: 'r', nodeSelector: { disk: 'hdd' } }),
    others: [RUNTIME],
    path: ['code'],
    expected: 403,
  },
  {
    name: 'a pod does not cost other than its RuntimeClass says',
    create: podOf({ runtimeClassName: 'r', overhead: { cpu: '200m' } }),
    others: [RUNTIME],
    path: ['code'],
    expected: 403,
  },
  {
    name: 'a pod without a RuntimeClass costs nothing but its containers',
    create: podOf({ overhead: { cpu: '100m' } }),
    path: ['code'],
    expected: 403,
  },
  {
    name: 'no RuntimeClass can have such a name',
    create: podOf({ runtimeClassName: 'a/b' }),
    path: ['code'],
    expected: 500,
  },
  {
    name: 'the classes of the system have their values',
    create: kube('scheduling.k8s.io/v1', 'PriorityClass', { name: 'system-node-critical' }, { value: 2000001000 }),
    path: ['object', 'value'],
    expected: 2000001000,
  },
  {
    name: 'a port of the node that asks for the health of another Service is taken',
    create: service('a', NODE_PORT),
    others: [service('b', { type: 'LoadBalancer', healthCheckNodePort: 30980 })],
    path: ['causes', 0, 'message'],
    expected: 'Invalid value: 30980: provided port is already allocated',
  },
  {
    name: 'the port that asks for the health of a Service is none of its others',
    create: service('a', {
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: 30053,
      ports: [{ port: 53, nodePort: 30053 }],
    }),
    path: ['code'],
    expected: 500,
  },
  {
    name: 'a cluster IP of another Service is taken',
    create: service('a', { clusterIP: '10.96.0.77', ports: [{ port: 80 }] }),
    others: [service('b', { clusterIPs: ['10.96.0.77'] })],
    path: ['causes', 0, 'message'],
    expected: 'Invalid value: ["10.96.0.77"]: failed to allocate IP 10.96.0.77: provided IP is already allocated',
  },
  {
    name: 'a Service wants two ports of the node where one is left',
    create: service('a', { type: 'NodePort', ports: [{ port: 80 }, { port: 81, name: 'b' }] }),
    others: [service('b', portsFrom(30001, 32767))],
    path: ['code'],
    expected: 500,
  },
  {
    name: 'no port of the node is left, not even the one asked for',
    create: service('a', NODE_PORT),
    others: [service('b', portsFrom(30000, 32767))],
    path: ['code'],
    expected: 422,
  },
]

function rulesOf(object: KubeObject): (typeof KINDS)[number] {
  return KINDS.find(({ gvk }) => gvk.kind === object.kind && object.apiVersion.endsWith(gvk.version))!
}

describe('what the cluster has decides about a new object', () => {
  for (const { name, others = [], path, expected, ...request } of cases) {
    it(name, () => {
      const input = (request.create ?? request.given) as KubeObject
      const pipeline = new KindPipeline(rulesOf(input), {
        namespaced: input.kind !== 'PriorityClass',
        given: others,
      })
      const answer = pipeline.answer({ name, ...request })
      expect(getPath(answer as unknown as JsonObject, path), JSON.stringify(answer)).to.equal(expected)
    })
  }

  it('a number of a new Service has one port of the node for all protocols', () => {
    const udp = { name: 'udp', port: 53, protocol: 'UDP', nodePort: 30053 }
    const input = service('a', { type: 'NodePort', ports: [{ name: 'tcp', port: 53 }, udp] })
    const created = new KindPipeline(rulesOf(input), { namespaced: true }).create(input)
    expect(getPath(created as unknown as JsonObject, ['spec', 'ports', 0, 'nodePort'])).to.equal(30053)
  })

  it('a port of the node that is kept for people comes when all others are taken', () => {
    const input = service('a', { type: 'NodePort', ports: [{ port: 80 }] })
    const given = [service('b', portsFrom(30051, 32767)), service('c', portsFrom(30000, 30049))]
    const created = new KindPipeline(rulesOf(input), { namespaced: true, given }).create(input)
    expect(getPath(created as unknown as JsonObject, ['spec', 'ports', 0, 'nodePort'])).to.equal(30050)
  })

  it('a namespace carries its name as a label once it has one', () => {
    const unnamed = kube('v1', 'Namespace', { generateName: 'a-' })
    const { applyDefaults } = rulesOf(unnamed)
    expect(applyDefaults?.(unnamed).metadata.labels).to.equal(undefined)
    const named = applyDefaults?.({ ...unnamed, metadata: { name: 'a-1' } })
    expect(named?.metadata.labels).to.deep.equal({ 'kubernetes.io/metadata.name': 'a-1' })
  })

  it('a list and a time of null in a map stay null', () => {
    const review = kube(
      'authorization.k8s.io/v1',
      'SubjectAccessReview',
      {},
      { spec: { user: 'u', extra: { a: null } } },
    )
    expect(rulesOf(review).decode?.(review).spec).to.deep.equal({ user: 'u', extra: { a: null } })
    const budget = kube('policy/v1', 'PodDisruptionBudget', {}, { status: { disruptedPods: { a: null } } })
    expect(getPath(rulesOf(budget).decode?.(budget) ?? {}, ['status', 'disruptedPods'])).to.deep.equal({ a: null })
  })
})
