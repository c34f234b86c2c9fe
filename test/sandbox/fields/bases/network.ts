import { type Base, basesOf, CONDITION } from './base.ts'

const SELECTOR = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] }
const TARGET = {
  apiVersion: 'v1',
  kind: 'Pod',
  name: 'a',
  namespace: 'b',
  uid: 'c',
  resourceVersion: '1',
  fieldPath: 'd',
}
const BACKEND = { service: { name: 'web', port: { name: 'http' } } }

export const NETWORK: readonly Base[] = [
  ...basesOf('', 'v1', 'Service', {
    web: {
      spec: {
        allocateLoadBalancerNodePorts: true,
        clusterIP: '10.96.77.77',
        clusterIPs: ['10.96.77.77'],
        externalIPs: ['1.2.3.4'],
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 30999,
        internalTrafficPolicy: 'Cluster',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        loadBalancerClass: 'example.com/class',
        loadBalancerIP: '1.2.3.4',
        loadBalancerSourceRanges: ['1.2.3.0/24'],
        ports: [{ name: 'http', port: 80, targetPort: 8080, nodePort: 30998, protocol: 'TCP', appProtocol: 'http' }],
        publishNotReadyAddresses: true,
        selector: { app: 'web' },
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 100 } },
        trafficDistribution: 'PreferClose',
        type: 'LoadBalancer',
      },
      status: {
        conditions: [CONDITION],
        loadBalancer: {
          ingress: [
            { ip: '1.2.3.4', ipMode: 'VIP', ports: [{ port: 80, protocol: 'TCP', error: 'Failed' }] },
            { hostname: 'a.example.com' },
          ],
        },
      },
    },
    inside: { spec: { ports: [{ port: 80 }], selector: { app: 'web' } } },
    headless: { spec: { clusterIP: 'None', ports: [{ port: 80, targetPort: 'http' }], selector: { app: 'web' } } },
    outside: { spec: { type: 'ExternalName', externalName: 'a.example.com' } },
  }),
  ...basesOf('', 'v1', 'Endpoints', {
    web: {
      subsets: [
        {
          addresses: [{ ip: '1.2.3.4', hostname: 'a', nodeName: 'node', targetRef: TARGET }],
          notReadyAddresses: [{ ip: '1.2.3.5', hostname: 'a', nodeName: 'node', targetRef: TARGET }],
          ports: [{ name: 'http', port: 80, protocol: 'TCP', appProtocol: 'http' }],
        },
      ],
    },
  }),
  ...basesOf('discovery.k8s.io', 'v1', 'EndpointSlice', {
    web: {
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['1.2.3.4'],
          conditions: { ready: true, serving: true, terminating: false },
          deprecatedTopology: { a: 'b' },
          hints: { forZones: [{ name: 'zone' }], forNodes: [{ name: 'node' }] },
          hostname: 'a',
          nodeName: 'node',
          targetRef: TARGET,
          zone: 'zone',
        },
      ],
      ports: [{ name: 'http', port: 80, protocol: 'TCP', appProtocol: 'http' }],
    },
  }),
  ...basesOf('networking.k8s.io', 'v1', 'Ingress', {
    web: {
      spec: {
        defaultBackend: { service: { name: 'web', port: { number: 80 } } },
        ingressClassName: 'nginx',
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [
                { path: '/', pathType: 'Prefix', backend: BACKEND },
                {
                  path: '/b',
                  pathType: 'Exact',
                  backend: { resource: { apiGroup: 'example.com', kind: 'Bucket', name: 'a' } },
                },
              ],
            },
          },
        ],
        tls: [{ hosts: ['a.example.com'], secretName: 'tls' }],
      },
      status: {
        loadBalancer: {
          ingress: [
            { ip: '1.2.3.4', ports: [{ port: 80, protocol: 'TCP', error: 'Failed' }] },
            { hostname: 'a.example.com' },
          ],
        },
      },
    },
  }),
  ...basesOf('networking.k8s.io', 'v1', 'IngressClass', {
    nginx: {
      spec: {
        controller: 'example.com/controller',
        parameters: { apiGroup: 'example.com', kind: 'Parameters', name: 'a', namespace: 'other', scope: 'Namespace' },
      },
    },
  }),
  ...basesOf('networking.k8s.io', 'v1', 'NetworkPolicy', {
    web: {
      spec: {
        podSelector: SELECTOR,
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          {
            from: [
              { namespaceSelector: SELECTOR, podSelector: SELECTOR },
              { ipBlock: { cidr: '1.2.0.0/16', except: ['1.2.3.0/24'] } },
            ],
            ports: [{ port: 80, endPort: 90, protocol: 'TCP' }],
          },
        ],
        egress: [
          {
            to: [
              { namespaceSelector: SELECTOR, podSelector: SELECTOR },
              { ipBlock: { cidr: '1.2.0.0/16', except: ['1.2.3.0/24'] } },
            ],
            ports: [{ port: 80, endPort: 90, protocol: 'TCP' }],
          },
        ],
      },
    },
  }),
  ...basesOf('networking.k8s.io', 'v1', 'IPAddress', {
    '192.168.100.5': { spec: { parentRef: { group: 'example.com', resource: 'gateways', name: 'a', namespace: 'b' } } },
  }),
  ...basesOf('networking.k8s.io', 'v1', 'ServiceCIDR', {
    more: { spec: { cidrs: ['192.168.100.0/24'] }, status: { conditions: [CONDITION] } },
  }),
]
