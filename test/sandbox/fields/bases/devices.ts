import { type Base, basesOf, CONDITION } from './base.ts'

const DRIVER = 'a.example.com'
const SELECTORS = [{ cel: { expression: 'device.driver == "a.example.com"' } }]
const CONFIGURATION = { opaque: { driver: DRIVER, parameters: { a: 1 } } }
const TOLERATIONS = [{ key: 'a', operator: 'Equal', value: 'b', effect: 'NoExecute', tolerationSeconds: 10 }]
const WANTED = {
  deviceClassName: 'gpu',
  allocationMode: 'ExactCount',
  count: 1,
  selectors: SELECTORS,
  tolerations: TOLERATIONS,
  capacity: { requests: { memory: '1Gi' } },
}
const CLAIM = {
  devices: {
    requests: [
      { name: 'one', exactly: WANTED },
      { name: 'two', firstAvailable: [{ name: 'a', ...WANTED }] },
    ],
    constraints: [
      { requests: ['one'], matchAttribute: 'a.example.com/model' },
      { requests: ['one'], distinctAttribute: 'a.example.com/serial' },
    ],
    config: [{ requests: ['one'], ...CONFIGURATION }],
  },
}
const NODES = {
  nodeSelectorTerms: [
    {
      matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }],
      matchFields: [{ key: 'metadata.name', operator: 'In', values: ['b'] }],
    },
  ],
}
const ALLOCATED = { driver: DRIVER, pool: 'pool', device: 'd' }
const POOL = { name: 'pool', generation: 1, resourceSliceCount: 1 }
const DEVICE = {
  attributes: {
    model: { string: 'a' },
    number: { int: 1 },
    fine: { bool: true },
    release: { version: '1.2.3' },
  },
  capacity: { memory: { value: '1Gi' } },
  taints: [{ key: 'a', value: 'b', effect: 'NoSchedule', timeAdded: '2020-01-01T00:00:00Z' }],
}

export const DEVICES: readonly Base[] = [
  ...basesOf('resource.k8s.io', 'v1', 'DeviceClass', {
    gpu: { spec: { selectors: SELECTORS, config: [CONFIGURATION], extendedResourceName: 'example.com/gpu' } },
  }),
  ...basesOf('resource.k8s.io', 'v1', 'ResourceClaim', {
    claim: { spec: CLAIM },
    allocated: {
      spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'gpu' } }] } },
      status: {
        allocation: {
          devices: {
            results: [{ request: 'one', ...ALLOCATED, tolerations: TOLERATIONS }],
            config: [{ source: 'FromClaim', requests: ['one'], ...CONFIGURATION }],
          },
          nodeSelector: NODES,
          allocationTimestamp: '2020-01-01T00:00:00Z',
        },
        devices: [
          {
            ...ALLOCATED,
            conditions: [CONDITION],
            data: { a: 1 },
            networkData: { interfaceName: 'eth0', ips: ['1.2.3.4/24'], hardwareAddress: 'ea:9f:cb:40:b7:7b' },
          },
        ],
        reservedFor: [{ resource: 'pods', name: 'a', uid: 'b' }],
      },
    },
  }),
  ...basesOf('resource.k8s.io', 'v1', 'ResourceClaimTemplate', {
    claim: { spec: { metadata: { labels: { a: 'b' }, annotations: { a: 'b' } }, spec: CLAIM } },
  }),
  ...basesOf('resource.k8s.io', 'v1', 'ResourceSlice', {
    node: { spec: { driver: DRIVER, nodeName: 'node', pool: POOL, devices: [{ name: 'd', ...DEVICE }] } },
    nodes: {
      spec: {
        driver: DRIVER,
        nodeSelector: { nodeSelectorTerms: [{ matchExpressions: NODES.nodeSelectorTerms[0]?.matchExpressions }] },
        pool: POOL,
        devices: [],
      },
    },
    each: {
      spec: {
        driver: DRIVER,
        perDeviceNodeSelection: true,
        pool: POOL,
        devices: [
          { name: 'd', nodeName: 'node', consumesCounters: [{ counterSet: 'set', counters: { a: { value: '1' } } }] },
          { name: 'e', allNodes: true },
        ],
      },
    },
    counters: {
      spec: {
        driver: DRIVER,
        nodeName: 'node',
        pool: POOL,
        sharedCounters: [{ name: 'set', counters: { a: { value: '1' } } }],
      },
    },
  }),
]
