import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { type TableCase, tableSteps } from '../table-steps.ts'

/** Objects that belong to no namespace: what is not on trial has that of the run in its name, and goes at the end. */
const of = (path: string) => (name: string, body: object) => ({
  path,
  body: { metadata: { name: `{ns}-${name}` }, ...body } as JsonObject,
})
const volume = of('/api/v1/persistentvolumes')
const storage = { capacity: { storage: '2Gi' }, hostPath: { path: '/tmp' }, storageClassName: '{ns}' }
const node = of('/api/v1/nodes')
const ready = (status: string) => ({ type: 'Ready', status, reason: 'r' })
const rbac = (plural: string) => of(`/apis/rbac.authorization.k8s.io/v1/${plural}`)
const storageOf = (plural: string) => of(`/apis/storage.k8s.io/v1/${plural}`)
const admission = (plural: string) => of(`/apis/admissionregistration.k8s.io/v1/${plural}`)

const core: readonly TableCase[] = [
  {
    name: 'volume',
    ...volume('v', {
      spec: {
        ...storage,
        accessModes: ['ReadWriteOnce', 'ReadWriteMany'],
        claimRef: { namespace: '{ns}', name: 'nobody' },
      },
    }),
    states: { bound: { phase: 'Bound' }, failed: { phase: 'Failed', reason: 'Recycling', message: 'no' } },
  },
  {
    name: 'volume of a class',
    ...volume('w', { spec: { ...storage, accessModes: ['ReadOnlyMany'], persistentVolumeReclaimPolicy: 'Delete' } }),
  },
  {
    name: 'node',
    ...node('n', {
      metadata: {
        name: '{ns}-n',
        labels: { 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/edge': '', 'kubernetes.io/role': 'x' },
      },
      spec: { unschedulable: true, taints: [{ key: 'contract', effect: 'NoExecute' }] },
    }),
    states: {
      ready: {
        conditions: [ready('True')],
        addresses: [
          { type: 'InternalIP', address: '10.0.0.9' },
          { type: 'ExternalIP', address: '192.0.2.9' },
        ],
        nodeInfo: {
          kubeletVersion: 'v1.36.4',
          osImage: 'Linux',
          kernelVersion: '6.1',
          containerRuntimeVersion: 'containerd://2',
        },
      },
      'not ready': { conditions: [ready('False')] },
      unknown: { conditions: [ready('Unknown')] },
    },
  },
  { name: 'namespace', ...of('/api/v1/namespaces')('x', {}) },
]

const others: readonly TableCase[] = [
  { name: 'cluster role', ...rbac('clusterroles')('r', { rules: [] }) },
  {
    name: 'cluster role binding',
    ...rbac('clusterrolebindings')('b', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'g' }],
    }),
  },
  {
    name: 'storage class',
    ...storageOf('storageclasses')('s', {
      provisioner: 'example.com/p',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowVolumeExpansion: true,
    }),
  },
  {
    name: 'storage class by default',
    ...storageOf('storageclasses')('d', {
      metadata: { name: '{ns}-d', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'example.com/p',
    }),
  },
  {
    name: 'driver',
    ...storageOf('csidrivers')('c', {
      spec: {
        attachRequired: false,
        tokenRequests: [{ audience: 'a' }],
        volumeLifecycleModes: ['Ephemeral', 'Persistent'],
      },
    }),
  },
  {
    name: 'node of drivers',
    ...storageOf('csinodes')('n', { spec: { drivers: [{ name: 'd.example.com', nodeID: '1', topologyKeys: [] }] } }),
  },
  {
    name: 'attachment',
    ...storageOf('volumeattachments')('a', {
      spec: { attacher: 'd.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } },
    }),
    states: { attached: { attached: true } },
  },
  {
    name: 'priority class',
    ...of('/apis/scheduling.k8s.io/v1/priorityclasses')('p', { value: 7, preemptionPolicy: 'Never' }),
  },
  { name: 'runtime class', ...of('/apis/node.k8s.io/v1/runtimeclasses')('r', { handler: 'runc' }) },
  {
    name: 'ingress class',
    ...of('/apis/networking.k8s.io/v1/ingressclasses')('i', {
      spec: { controller: 'example.com/c', parameters: { apiGroup: 'example.com', kind: 'P', name: 'p' } },
    }),
  },
  {
    name: 'ingress class without parameters',
    ...of('/apis/networking.k8s.io/v1/ingressclasses')('i', { spec: { controller: 'a.b/c' } }),
  },
  { name: 'webhooks', ...admission('mutatingwebhookconfigurations')('m', { webhooks: [] }) },
  { name: 'validating webhooks', ...admission('validatingwebhookconfigurations')('v', {}) },
  {
    name: 'definition',
    ...of('/apis/apiextensions.k8s.io/v1/customresourcedefinitions')('d', {
      metadata: { name: 'tables.{ns}.example.com' },
      spec: {
        group: '{ns}.example.com',
        scope: 'Cluster',
        names: { plural: 'tables', kind: 'TableThing' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    }),
  },
]

const cases = [...core, ...others]
const made = cases.filter(({ states }) => states !== undefined)

export const steps: readonly Step[] = [
  ...tableSteps(cases),
  ...made.map(({ name, path, body }): Step => {
    const { name: object } = body.metadata as { name: string }
    const differs = name === 'volume' ? 'no controller looks after volumes where the servers are compared' : undefined
    return { name: `delete ${name}`, method: 'DELETE', path: `${path}/${object}`, ...(differs && { differs }) }
  }),
]
