import { type Base, basesOf } from './base.ts'

const CONDITION = {
  type: 'Dangling',
  status: 'False',
  reason: 'Found',
  message: 'a',
  lastTransitionTime: '2020-01-01T00:00:00Z',
}

/** How the server itself is set up while it runs. */
export const SERVING: readonly Base[] = [
  ...basesOf('flowcontrol.apiserver.k8s.io', 'v1', 'FlowSchema', {
    fields: {
      spec: {
        distinguisherMethod: { type: 'ByUser' },
        matchingPrecedence: 9000,
        priorityLevelConfiguration: { name: 'catch-all' },
        rules: [
          {
            subjects: [
              { kind: 'User', user: { name: 'a' } },
              { kind: 'Group', group: { name: 'a' } },
              { kind: 'ServiceAccount', serviceAccount: { name: 'a', namespace: 'b' } },
            ],
            resourceRules: [
              {
                verbs: ['get'],
                apiGroups: ['fields.example.com'],
                resources: ['widgets'],
                clusterScope: true,
                namespaces: ['a'],
              },
            ],
            nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/fields'] }],
          },
        ],
      },
      status: { conditions: [CONDITION] },
    },
  }),
  ...basesOf('flowcontrol.apiserver.k8s.io', 'v1', 'PriorityLevelConfiguration', {
    fields: {
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: 1,
          lendablePercent: 50,
          borrowingLimitPercent: 10,
          limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 6, queueLengthLimit: 50 } },
        },
      },
      status: { conditions: [CONDITION] },
    },
    rejecting: { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
  }),
  ...basesOf('apiregistration.k8s.io', 'v1', 'APIService', {
    'v1.served.example.com': {
      spec: {
        group: 'served.example.com',
        version: 'v1',
        service: { name: 'a', namespace: 'b', port: 443 },
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: 100,
        versionPriority: 100,
      },
    },
  }),
]
