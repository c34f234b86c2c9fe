import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const container = { name: 'c', image: 'i' }
const pod = (name: string, spec: JsonObject): Step => ({
  name,
  method: 'POST',
  path: '/api/v1/namespaces/{ns}/pods?dryRun=All',
  body: { metadata: { name: 'p' }, spec: { automountServiceAccountToken: false, containers: [container], ...spec } },
})
const volume = (name: string, spec: JsonObject, annotations: JsonObject = {}): Step => ({
  name,
  method: 'POST',
  path: '/api/v1/persistentvolumes?dryRun=All',
  body: {
    metadata: { name: 'v', annotations },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, ...spec },
  },
})
const term = { matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'In', values: ['linux'] }] }
const pods = { topologyKey: 'kubernetes.io/hostname' }
const bad = { matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] }

export const steps: readonly Step[] = [
  volume('storageOS', { storageos: { volumeName: 'a' } }),
  volume(
    'all old annotations',
    { hostPath: { path: '/a' } },
    {
      'volume.beta.kubernetes.io/storage-class': 'a',
      'volume.beta.kubernetes.io/mount-options': 'b',
    },
  ),
  volume('an old label of nodes', {
    hostPath: { path: '/a' },
    nodeAffinity: { required: { nodeSelectorTerms: [term] } },
  }),
  pod('an old label of nodes that is required', {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } },
  }),
  pod('an old label of nodes that is preferred', {
    affinity: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, preference: term },
          { weight: 1, preference: bad },
        ],
      },
    },
  }),
  pod('an old label of nodes to spread over', {
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'failure-domain.beta.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
    ],
  }),
  pod('affinity to no pod', {
    affinity: {
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [pods] },
      podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: pods }] },
    },
  }),
  pod('a claim of half a byte', {
    volumes: [
      {
        name: 'v',
        ephemeral: {
          volumeClaimTemplate: {
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1500m' } } },
          },
        },
      },
    ],
  }),
  pod('an image of a long name', { containers: [{ ...container, image: 'x'.repeat(256) }] }),
  pod('an image of a long path', { containers: [{ ...container, image: `example.com/${'x'.repeat(256)}` }] }),
  pod('an image of a path that is long enough', {
    containers: [{ ...container, image: `example.com/${'x'.repeat(255)}` }],
  }),
  pod('an image that is an id', { containers: [{ ...container, image: 'a'.repeat(64) }] }),
  {
    name: 'a claim of half a byte, and a limit',
    method: 'POST',
    path: '/api/v1/namespaces/{ns}/persistentvolumeclaims?dryRun=All',
    body: {
      metadata: { name: 'c' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1500m' }, limits: { storage: '2500m' } },
      },
    },
  },
]
