import type { Step } from '../exchange.ts'

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json'
const GROUPS = [
  'apps',
  'batch',
  'autoscaling',
  'networking.k8s.io',
  'rbac.authorization.k8s.io',
  'policy',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'storage.k8s.io',
  'scheduling.k8s.io',
  'apiextensions.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'node.k8s.io',
  'resource.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'apiregistration.k8s.io',
]
const get = (path: string, more: object = {}): Step => ({ name: `get ${path}`, method: 'GET', path, ...more })

export const steps: readonly Step[] = [
  get('/api'),
  get('/api/v1'),
  get('/apis'),
  ...GROUPS.map((group) => get(`/apis/${group}`)),
  ...GROUPS.map((group) => get(`/apis/${group}/v1`)),
  get('/apis/autoscaling/v2'),
  get('/apis/apps/v2'),
  get('/apis/nothing'),
  get('/version'),
  get('/healthz'),
  get('/livez'),
  get('/readyz'),
  { name: 'aggregated core', method: 'GET', path: '/api', headers: { accept: AGGREGATED } },
  {
    name: 'an unknown form',
    method: 'GET',
    path: '/apis',
    headers: { accept: 'application/json;as=Nothing;v=v1;g=x' },
  },
]
