import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { crdSteps, crdVersion, customPath, ObjectSteps } from '../object-steps.ts'

const number: JsonObject = { type: 'integer' }
const spec: JsonObject = { type: 'object', properties: { replicas: number, a: { type: 'string' } } }
const openAPIV3Schema: JsonObject = {
  type: 'object',
  properties: {
    spec,
    status: {
      type: 'object',
      properties: {
        replicas: number,
        selector: { type: 'string' },
        conditions: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
          items: {
            type: 'object',
            required: ['type'],
            properties: { type: { type: 'string' }, status: { type: 'string' }, reason: { type: 'string' } },
          },
        },
      },
    },
  },
}
const subresources = {
  status: {},
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.selector',
  },
}
const custom = (label: string) => new ObjectSteps(label, customPath('subs'), '{ns}.example.com/v1 Sub')
const bare = new ObjectSteps('no status endpoint', customPath('bares'), '{ns}.example.com/v1 Bare')
const scaleOf = (label: string) => new ObjectSteps(label, customPath('subs'), 'autoscaling/v1 Scale')
const conditions = (...names: string[]): JsonObject => ({
  status: { conditions: names.map((name) => ({ type: name.slice(0, 1), status: name.slice(1) })) },
})
const STATUS = { subresource: 'status' }
const SCALE = { subresource: 'scale' }
const replicas = (count: number | null): JsonObject => ({ spec: { replicas: count } })

const status = custom('status')
const mixed = custom('main and status')
const scaled = custom('scale')
const scale = scaleOf('scale')
const unscaled = custom('unset')
const unset = scaleOf('unset')
const service = new ObjectSteps('service', '/api/v1/namespaces/{ns}/services', 'v1 Service')
const pod = new ObjectSteps('pod', '/api/v1/namespaces/{ns}/pods', 'v1 Pod')
const claim = new ObjectSteps('claim', '/api/v1/namespaces/{ns}/persistentvolumeclaims', 'v1 PersistentVolumeClaim')
const cron = new ObjectSteps('cron', '/apis/batch/v1/namespaces/{ns}/cronjobs', 'batch/v1 CronJob')
const ready = (value: string, reason?: string): JsonObject => ({
  status: { conditions: [{ type: 'Ready', status: value, ...(reason && { reason }) }] },
})
const containers = [{ name: 'a', image: 'a' }]

export const steps: readonly Step[] = [
  ...crdSteps('Sub', [crdVersion(spec, { schema: { openAPIV3Schema }, subresources })]),
  ...crdSteps('Bare', [crdVersion(spec, { schema: { openAPIV3Schema } })]),
  status.apply('of what is not there', 'ctrl', conditions('AT'), STATUS),
  status.apply('the main part first', 'alice', { spec: { a: '1' } }),
  status.apply('conditions', 'ctrl', conditions('AT', 'BF'), STATUS),
  status.apply('the same conditions', 'ctrl', conditions('AT', 'BF'), STATUS),
  status.apply('by another controller', 'other', conditions('BT'), { ...STATUS, unordered: true }),
  status.apply('its own condition', 'other', conditions('CT'), STATUS),
  status.apply('one condition less', 'ctrl', conditions('AT'), STATUS),
  status.apply(
    'with spec and metadata',
    'ctrl',
    { ...conditions('AT'), spec: { a: '2' }, metadata: { labels: { x: '1' } } },
    STATUS,
  ),
  status.apply('of the wrong type', 'ctrl', { status: { replicas: 'x' } }, STATUS),
  status.apply('that nobody declares', 'ctrl', { status: { foo: 1 } }, STATUS),
  status.apply('no status', 'ctrl', {}, STATUS),
  status.patch('by merge patch', 'merge', conditions('AF'), { ...STATUS, query: 'fieldManager=ctrl' }),
  status.apply('against the patch', 'other', conditions('AT', 'CT'), STATUS),
  status.put('by PUT', { ...conditions('DT'), spec: { a: '1' }, metadata: { resourceVersion: '' } }, STATUS),
  status.apply('in dry run', 'ctrl!', conditions('ZT'), { ...STATUS, query: 'dryRun=All' }),
  mixed.apply('status at the main endpoint', 'alice', { spec: { a: '1' }, ...conditions('AT') }),
  mixed.apply('the same manager at the status', 'alice', conditions('AT'), STATUS),
  mixed.apply('the same manager at the main endpoint', 'alice', { spec: { a: '2' } }),
  mixed.patch(
    'all at the main endpoint',
    'merge',
    { spec: { a: '3' }, ...conditions('AF') },
    { query: 'fieldManager=m' },
  ),
  mixed.patch(
    'all at the status',
    'merge',
    { spec: { a: '4' }, ...conditions('AF') },
    { ...STATUS, query: 'fieldManager=m' },
  ),
  mixed.apply('leave the main endpoint', 'alice', {}),
  mixed.apply('leave the status', 'alice', { status: {} }, STATUS),
  mixed.get(),
  bare.apply('at the main endpoint', 'alice', { spec: { a: '1' }, ...conditions('AT') }),
  bare.apply('at a subresource that is not there', 'alice', conditions('AT'), STATUS),
  bare.apply('at a scale that is not there', 'alice', replicas(1), SCALE),
  bare.apply('another', 'bob', conditions('AF')),
  scaled.apply('the object', 'alice', { spec: { replicas: 2, a: '1' } }),
  scale.apply('applied against the owner', 'hpa', replicas(3), SCALE),
  scale.apply('applied as it is', 'hpa', replicas(2), SCALE),
  scale.apply('applied by force', 'hpa!', replicas(3), SCALE),
  scaled.get('who owns what after that'),
  scale.apply('applied again', 'hpa', replicas(3), SCALE),
  scale.apply('of another kind', 'hpa', { ...replicas(3), kind: 'Sub', apiVersion: '{ns}.example.com/v1' }, SCALE),
  scale.apply('of another version', 'hpa', { ...replicas(3), apiVersion: 'autoscaling/v2' }, SCALE),
  scale.apply('of the wrong type', 'hpa', { spec: { replicas: 'x' } }, SCALE),
  scale.apply('with an unknown field', 'hpa', { spec: { replicas: 3, foo: 1 } }, SCALE),
  scale.apply('with a label', 'hpa', { ...replicas(3), metadata: { labels: { a: '1' } } }, SCALE),
  scale.apply('with a status', 'hpa', { ...replicas(3), status: { replicas: 9 } }, SCALE),
  scaled.apply('the owner wants it back', 'alice', { spec: { replicas: 2, a: '1' } }),
  scaled.apply('the owner leaves it', 'alice', { spec: { a: '1' } }),
  scale.apply('below zero', 'hpa', replicas(-1), SCALE),
  scale.apply('to zero', 'hpa', replicas(0), SCALE),
  scaled.get('who owns zero'),
  scale.apply('nothing', 'hpa', {}, SCALE),
  scaled.get('what nothing left'),
  scale.patch('by merge patch', 'merge', replicas(4), { ...SCALE, query: 'fieldManager=kubectl' }),
  scale.patch('by the same value', 'merge', replicas(4), { ...SCALE, query: 'fieldManager=kubectl' }),
  scale.patch('by JSON patch', 'json', [{ op: 'replace', path: '/spec/replicas', value: 5 }], SCALE),
  scale.patch('by strategic patch', 'strategic', replicas(5), SCALE),
  scaled.get('who owns it after patches'),
  scaled.patch('the same value at the main endpoint', 'merge', replicas(5), { query: 'fieldManager=main' }),
  scaled.patch('another at the main endpoint', 'merge', replicas(6), { query: 'fieldManager=kubectl' }),
  scale.apply('against all', 'hpa', replicas(7), { ...SCALE, unordered: true }),
  scale.get('the scale', SCALE),
  unscaled.apply('without replicas', 'alice', { spec: { a: '1' } }),
  unset.get('the scale without replicas', SCALE),
  unset.apply('replicas by scale', 'hpa', replicas(1), SCALE),
  unset.patch('replicas by patch', 'merge', replicas(1), SCALE),
  unscaled.patch('no replicas again', 'merge', replicas(null)),
  service.apply('create', 'alice', { spec: { clusterIP: 'None', ports: [{ port: 80 }] } }),
  service.apply('status', 'ctrl', { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } }, STATUS),
  service.apply('conditions', 'ctrl', ready('True'), STATUS),
  service.apply('spec at the status', 'ctrl', { spec: { ports: [{ port: 81 }] }, status: {} }, STATUS),
  service.apply('status at the main endpoint', 'alice', {
    spec: { clusterIP: 'None', ports: [{ port: 80 }] },
    status: {},
  }),
  pod.apply('create', 'alice', { spec: { containers, schedulerName: 'nobody', automountServiceAccountToken: false } }),
  pod.apply('status', 'kubelet', { status: { phase: 'Pending', podIP: '10.0.0.1' } }, STATUS),
  pod.apply('conditions', 'kubelet', ready('False'), STATUS),
  pod.apply('conditions by another', 'gate', ready('True', 'x'), { ...STATUS, unordered: true }),
  pod.apply(
    'a condition of its own',
    'gate',
    { status: { conditions: [{ type: 'example.com/x', status: 'True' }] } },
    STATUS,
  ),
  pod.apply('addresses', 'kubelet', { status: { podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] } }, STATUS),
  pod.apply('labels at the status', 'kubelet', { metadata: { labels: { a: '1' } }, status: {} }, STATUS),
  pod.apply('nothing at the status', 'gate', {}, STATUS),
  claim.apply('create', 'alice', {
    spec: {
      storageClassName: 'none-{ns}',
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
    },
  }),
  claim.apply(
    'conditions',
    'ctrl',
    { status: { conditions: [{ type: 'Resizing', status: 'True' }], capacity: { storage: '1024Mi' } } },
    STATUS,
  ),
  claim.apply('the same capacity', 'other', { status: { capacity: { storage: '1Gi' } } }, STATUS),
  cron.apply('create', 'alice', {
    spec: {
      schedule: '* * * * *',
      suspend: true,
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers } } } },
    },
  }),
  cron.apply('status', 'ctrl', { status: { lastScheduleTime: '2026-01-01T00:00:00Z' } }, STATUS),
]
