import { type Base, basesOf } from './base.ts'

const SELECTOR = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] }
const REFERENCE = (namespace: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  name: 'a',
  namespace,
  uid: 'b',
  resourceVersion: '1',
  fieldPath: 'c',
})
const METRIC = { name: 'requests', selector: SELECTOR }
const STABLE = {
  selectPolicy: 'Max',
  stabilizationWindowSeconds: 100,
  tolerance: '100m',
  policies: [{ type: 'Pods', value: 1, periodSeconds: 15 }],
}
const CONDITION = {
  type: 'Ready',
  status: 'True',
  reason: 'A',
  message: 'a',
  lastTransitionTime: '2020-01-01T00:00:00Z',
}
const SCALED = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
const CURRENT = { value: '1', averageValue: '1', averageUtilization: 50 }

export const OTHERS: readonly Base[] = [
  ...basesOf('', 'v1', 'ConfigMap', {
    config: { data: { key: 'value' }, binaryData: { bin: 'YQ==' }, immutable: false },
  }),
  ...basesOf('', 'v1', 'Secret', {
    secret: { data: { key: 'dmFsdWU=' }, stringData: { text: 'value' }, immutable: false, type: 'Opaque' },
  }),
  ...basesOf('', 'v1', 'Namespace', {
    'fields-space': {
      metadata: { name: 'fields-space', labels: { app: 'fields' }, annotations: { note: 'fields' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active', conditions: [CONDITION] },
    },
  }),
  ...basesOf('', 'v1', 'Node', {
    'fields-node': {
      spec: {
        configSource: {
          configMap: { name: 'a', namespace: 'b', uid: 'c', resourceVersion: '1', kubeletConfigKey: 'd' },
        },
        externalID: 'a',
        podCIDR: '1.2.3.0/24',
        podCIDRs: ['1.2.3.0/24'],
        providerID: 'a://b',
        taints: [{ key: 'a', value: 'b', effect: 'NoSchedule', timeAdded: '2020-01-01T00:00:00Z' }],
        unschedulable: true,
      },
      status: {
        addresses: [{ type: 'InternalIP', address: '1.2.3.4' }],
        allocatable: { cpu: '4' },
        capacity: { cpu: '4' },
        conditions: [{ ...CONDITION, lastHeartbeatTime: '2020-01-01T00:00:00Z' }],
        daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
        features: { supplementalGroupsPolicy: true },
        images: [{ names: ['a'], sizeBytes: 1 }],
        nodeInfo: {
          architecture: 'a',
          bootID: 'a',
          containerRuntimeVersion: 'a',
          kernelVersion: 'a',
          kubeProxyVersion: 'a',
          kubeletVersion: 'a',
          machineID: 'a',
          operatingSystem: 'a',
          osImage: 'a',
          systemUUID: 'a',
          swap: { capacity: 1 },
        },
        phase: 'Running',
        runtimeHandlers: [{ name: 'a', features: { recursiveReadOnlyMounts: true, userNamespaces: true } }],
        volumesAttached: [{ name: 'a', devicePath: '/a' }],
        volumesInUse: ['a'],
      },
    },
  }),
  ...basesOf('', 'v1', 'Event', {
    series: {
      action: 'Acted',
      count: 2,
      eventTime: '2020-01-01T00:00:00.000000Z',
      firstTimestamp: '2020-01-01T00:00:00Z',
      lastTimestamp: '2020-01-01T00:00:00Z',
      involvedObject: REFERENCE('fields-events-core-v1'),
      message: 'a',
      reason: 'A',
      related: REFERENCE('other'),
      reportingComponent: 'example.com/a',
      reportingInstance: 'a',
      series: { count: 2, lastObservedTime: '2020-01-01T00:00:00.000000Z' },
      source: { component: 'a', host: 'b' },
      type: 'Normal',
    },
    old: { involvedObject: REFERENCE('fields-events-core-v1'), message: 'a', reason: 'A', type: 'Warning' },
  }),
  ...basesOf('events.k8s.io', 'v1', 'Event', {
    series: {
      action: 'Acted',
      eventTime: '2020-01-01T00:00:00.000000Z',
      note: 'a',
      reason: 'A',
      regarding: REFERENCE('fields-events-events-v1'),
      related: REFERENCE('other'),
      reportingController: 'example.com/a',
      reportingInstance: 'a',
      series: { count: 2, lastObservedTime: '2020-01-01T00:00:00.000000Z' },
      type: 'Normal',
    },
  }),
  ...basesOf('autoscaling', 'v2', 'HorizontalPodAutoscaler', {
    web: {
      spec: {
        behavior: { scaleDown: STABLE, scaleUp: STABLE },
        maxReplicas: 5,
        minReplicas: 2,
        scaleTargetRef: SCALED,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
          { type: 'Pods', pods: { metric: METRIC, target: { type: 'AverageValue', averageValue: '1' } } },
          {
            type: 'Object',
            object: { describedObject: SCALED, metric: METRIC, target: { type: 'Value', value: '1' } },
          },
          { type: 'External', external: { metric: METRIC, target: { type: 'Value', value: '1' } } },
          {
            type: 'ContainerResource',
            containerResource: {
              container: 'web',
              name: 'cpu',
              target: { type: 'Utilization', averageUtilization: 50 },
            },
          },
        ],
      },
      status: {
        conditions: [{ ...CONDITION, type: 'AbleToScale' }],
        currentReplicas: 1,
        desiredReplicas: 1,
        lastScaleTime: '2020-01-01T00:00:00Z',
        observedGeneration: 1,
        currentMetrics: [
          { type: 'Resource', resource: { name: 'cpu', current: CURRENT } },
          { type: 'Pods', pods: { metric: METRIC, current: CURRENT } },
          { type: 'Object', object: { describedObject: SCALED, metric: METRIC, current: CURRENT } },
          { type: 'External', external: { metric: METRIC, current: CURRENT } },
          { type: 'ContainerResource', containerResource: { container: 'web', name: 'cpu', current: CURRENT } },
        ],
      },
    },
  }),
  ...basesOf('autoscaling', 'v1', 'HorizontalPodAutoscaler', {
    web: {
      spec: { maxReplicas: 5, minReplicas: 2, scaleTargetRef: SCALED, targetCPUUtilizationPercentage: 50 },
      status: {
        currentCPUUtilizationPercentage: 50,
        currentReplicas: 1,
        desiredReplicas: 1,
        lastScaleTime: '2020-01-01T00:00:00Z',
        observedGeneration: 1,
      },
    },
  }),
  ...basesOf('scheduling.k8s.io', 'v1', 'PriorityClass', {
    high: { description: 'a', globalDefault: false, preemptionPolicy: 'Never', value: 1000 },
  }),
  ...basesOf('node.k8s.io', 'v1', 'RuntimeClass', {
    runtime: {
      handler: 'runc',
      overhead: { podFixed: { cpu: '100m' } },
      scheduling: {
        nodeSelector: { size: 'big' },
        tolerations: [{ key: 'a', operator: 'Equal', value: 'b', effect: 'NoExecute', tolerationSeconds: 5 }],
      },
    },
  }),
  ...basesOf('coordination.k8s.io', 'v1', 'Lease', {
    leader: {
      spec: {
        acquireTime: '2020-01-01T00:00:00.000000Z',
        holderIdentity: 'a',
        leaseDurationSeconds: 15,
        leaseTransitions: 1,
        renewTime: '2020-01-01T00:00:00.000000Z',
      },
    },
    coordinated: { spec: { strategy: 'OldestEmulationVersion', preferredHolder: 'a' } },
  }),
  ...basesOf('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition', {
    'widgets.fields.example.com': {
      spec: {
        group: 'fields.example.com',
        names: {
          kind: 'Widget',
          listKind: 'WidgetList',
          plural: 'widgets',
          singular: 'widget',
          shortNames: ['wd'],
          categories: ['all'],
        },
        scope: 'Namespaced',
        preserveUnknownFields: false,
        conversion: { strategy: 'None' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            additionalPrinterColumns: [
              { name: 'A', type: 'string', jsonPath: '.spec.a', description: 'a', format: 'password', priority: 1 },
            ],
            selectableFields: [{ jsonPath: '.spec.a' }],
            subresources: {
              status: {},
              scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', labelSelectorPath: '.status.s' },
            },
            schema: {
              openAPIV3Schema: {
                type: 'object',
                description: 'a',
                properties: {
                  spec: {
                    type: 'object',
                    required: ['a'],
                    minProperties: 1,
                    maxProperties: 9,
                    properties: {
                      a: {
                        type: 'string',
                        default: 'b',
                        enum: ['b', 'c'],
                        pattern: '^[a-z]+$',
                        minLength: 1,
                        maxLength: 9,
                        format: 'password',
                      },
                    },
                    'x-kubernetes-validations': [
                      {
                        rule: 'self.a != ""',
                        message: 'a',
                        messageExpression: '"a"',
                        fieldPath: '.a',
                        reason: 'FieldValueInvalid',
                      },
                    ],
                  },
                },
              },
            },
          },
        ],
      },
    },
  }),
]
