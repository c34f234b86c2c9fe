import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const ISO = 'example.com/a'

const storage = (name: string, more: JsonObject): Step => ({
  name: `a StorageClass with ${name}`,
  method: 'POST',
  path: '/apis/storage.k8s.io/v1/storageclasses?dryRun=All',
  body: { metadata: { name: 'contract' }, provisioner: ISO, ...more },
})
const zones = (name: string, ...allowed: JsonValue[]): Step =>
  storage(name, { allowedTopologies: allowed.map((matchLabelExpressions) => ({ matchLabelExpressions })) })
const ingress = (name: string, spec: JsonObject): Step => ({
  name: `an IngressClass with ${name}`,
  method: 'POST',
  path: '/apis/networking.k8s.io/v1/ingressclasses?dryRun=All',
  body: { metadata: { name: 'contract' }, spec: { controller: ISO, ...spec } },
})
const parameters = (name: string, more: JsonObject): Step =>
  ingress(`parameters ${name}`, { parameters: { kind: 'K', name: 'n', ...more } })
const RUNTIME_CLASSES = '/apis/node.k8s.io/v1/runtimeclasses'
const runtime = (name: string, more: JsonObject): Step => ({
  name: `a RuntimeClass with ${name}`,
  method: 'POST',
  path: `${RUNTIME_CLASSES}?dryRun=All`,
  body: { metadata: { name: 'contract' }, handler: 'h', ...more },
})
const tolerated = (name: string, ...tolerations: JsonValue[]): Step => runtime(name, { scheduling: { tolerations } })

/** The classes of storage, of Ingresses and of container runtimes. */
export const steps: readonly Step[] = [
  storage('a provisioner in capitals', { provisioner: 'Example.com/A' }),
  storage('a provisioner of one word', { provisioner: 'local' }),
  storage('no provisioner', { provisioner: '' }),
  storage('a provisioner of two paths', { provisioner: 'a/b/c' }),
  storage('a provisioner of a bad domain', { provisioner: 'a_b/c' }),
  storage('a provisioner of a bad name', { provisioner: 'example.com/a b' }),
  storage('parameters', { parameters: { a: '', b: 'c' } }),
  storage('a parameter without a name', { parameters: { '': 'a' } }),
  storage('513 parameters', { parameters: Object.fromEntries([...Array(513).keys()].map((at) => [`p${at}`, ''])) }),
  storage('large parameters', { parameters: { a: 'x'.repeat(256 * 1024) } }),
  storage('another policy', { reclaimPolicy: 'Recycle' }),
  storage('another binding', { volumeBindingMode: 'Later' }),
  zones('a zone', [{ key: 'zone', values: ['a', 'b'] }]),
  zones('no zones', [{ key: 'zone', values: [] }]),
  zones('a zone twice', [{ key: 'zone', values: ['a', 'a'] }]),
  zones('two lists of zones', [
    { key: 'zone', values: ['a'] },
    { key: 'zone', values: ['b'] },
  ]),
  zones('a bad key of zones', [{ key: 'a b', values: ['a'] }]),
  zones('the same zones twice', [{ key: 'zone', values: ['a', 'b'] }], [{ key: 'zone', values: ['b', 'a'] }]),
  zones('an empty list of zones', []),
  zones('empty lists of zones', [], []),
  ingress('nothing more', {}),
  ingress('no controller', { controller: '' }),
  ingress('a controller of one word', { controller: 'nginx' }),
  ingress('a bad controller', { controller: 'a_b/c d' }),
  ingress('a long controller', { controller: `example.com/${'x'.repeat(250)}` }),
  parameters('', {}),
  parameters('of a bad group', { apiGroup: 'a_b' }),
  parameters('without a kind', { kind: '' }),
  parameters('without a name', { name: '' }),
  parameters('of a bad kind and name', { kind: 'a/b', name: 'a%b' }),
  parameters('of another scope', { scope: 'World' }),
  parameters('of a namespace', { scope: 'Namespace', namespace: 'a' }),
  parameters('of no namespace', { scope: 'Namespace' }),
  parameters('of a bad namespace', { scope: 'Namespace', namespace: 'A.b' }),
  parameters('of the cluster and a namespace', { scope: 'Cluster', namespace: 'a' }),
  runtime('nothing more', {}),
  runtime('no handler', { handler: '' }),
  runtime('a bad handler', { handler: 'a.b' }),
  runtime('a handler in capitals', { handler: 'A_b' }),
  runtime('an overhead', { overhead: { podFixed: { cpu: '100m', memory: '64Mi' } } }),
  runtime('a negative overhead', { overhead: { podFixed: { cpu: '-1' } } }),
  runtime('an overhead of nothing known', { overhead: { podFixed: { wood: '1' } } }),
  runtime('a bad selector', { scheduling: { nodeSelector: { 'a b': 'c d' } } }),
  tolerated('a toleration', { key: 'a', operator: 'Exists' }),
  tolerated('a bad toleration', { key: 'a', operator: 'Like' }),
  tolerated('a toleration twice', { key: 'a', operator: 'Exists' }, { key: 'a', operator: 'Exists' }),
  {
    name: 'a class',
    method: 'POST',
    path: RUNTIME_CLASSES,
    body: { metadata: { name: 'contract-{ns}' }, handler: 'h' },
  },
  {
    name: 'its handler changes',
    method: 'PUT',
    path: `${RUNTIME_CLASSES}/contract-{ns}`,
    body: { metadata: { name: 'contract-{ns}', resourceVersion: '{a class.rv}' }, handler: 'other' },
  },
  {
    name: 'a pod of an unknown runtime',
    method: 'POST',
    path: '/api/v1/namespaces/{ns}/pods?dryRun=All',
    body: { metadata: { name: 'p' }, spec: { runtimeClassName: 'nowhere', containers: [{ name: 'a', image: 'a' }] } },
  },
  { name: 'the class goes', method: 'DELETE', path: `${RUNTIME_CLASSES}/contract-{ns}` },
]
