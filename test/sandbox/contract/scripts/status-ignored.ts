import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { ObjectSteps } from '../object-steps.ts'

const NETWORKING = '/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses'
const BATCH = '/apis/batch/v1/namespaces/{ns}/cronjobs'

const ingressSpec = { defaultBackend: { service: { name: 'one', port: { number: 80 } } } }
const container = { name: 'one', image: 'busybox' }
const template = { spec: { restartPolicy: 'Never', containers: [container] } }
const cronSpec = { schedule: '@hourly', suspend: true, jobTemplate: { spec: { template } } }

/** Kinds whose main endpoint does not write the status, and whose controllers leave them alone. */
function statusSteps(thing: ObjectSteps, spec: JsonObject, status: JsonObject): readonly Step[] {
  return [
    thing.create({ spec, status }),
    thing.patch('status by the main endpoint', 'merge', { status }),
    thing.apply('status applied to the main endpoint', 'alice', { spec, status }),
    thing.patch('status', 'merge', { status }, { subresource: 'status' }),
    thing.put('replaced without the status', { spec }),
    thing.patch('the status is taken away by the main endpoint', 'json', [
      { op: 'replace', path: '/status', value: {} },
    ]),
    thing.get(),
  ]
}

export const steps: readonly Step[] = [
  ...statusSteps(new ObjectSteps('an ingress', NETWORKING, 'networking.k8s.io/v1 Ingress'), ingressSpec, {
    loadBalancer: { ingress: [{ ip: '1.1.1.1' }] },
  }),
  ...statusSteps(new ObjectSteps('a cron job', BATCH, 'batch/v1 CronJob'), cronSpec, {
    lastScheduleTime: '2024-01-01T00:00:00Z',
  }),
]
