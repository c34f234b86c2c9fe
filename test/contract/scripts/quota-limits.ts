import type { JsonObject } from '../../../src/base/json.ts'
import type { Step } from '../exchange.ts'

const CORE = '/api/v1/namespaces/{ns}'

function range(name: string, limits: readonly JsonObject[]): Step {
  return {
    name: `limits ${name}`,
    method: 'POST',
    path: `${CORE}/limitranges`,
    body: { metadata: { name }, spec: { limits } },
  }
}

/** By trial; a controller would act on it otherwise. */
function pod(what: string, resources: JsonObject, more: JsonObject = {}): Step {
  const name = what.replaceAll(' ', '-')
  const spec = {
    schedulerName: 'nobody',
    automountServiceAccountToken: false,
    containers: [{ name: 'a', image: 'a', resources }],
    ...more,
  }
  return { name: what, method: 'POST', path: `${CORE}/pods?dryRun=All`, body: { metadata: { name }, spec } }
}

function claim(what: string, storage: string): Step {
  const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'none', resources: { requests: { storage } } }
  const name = what.replaceAll(' ', '-')
  return {
    name: what,
    method: 'POST',
    path: `${CORE}/persistentvolumeclaims?dryRun=All`,
    body: { metadata: { name }, spec },
  }
}

export const steps: readonly Step[] = [
  pod('before all limits', {}),
  range('defaults', [
    {
      type: 'Container',
      default: { cpu: '500m', memory: '512Mi' },
      defaultRequest: { cpu: '100m' },
      max: { cpu: '1' },
      min: { cpu: '50m' },
    },
    { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } },
  ]),
  { ...pod('nothing said', {}), until: (body) => JSON.stringify(body).includes('limit-ranger') },
  pod('requests said', { requests: { cpu: '200m' } }),
  pod('limits said', { limits: { cpu: '200m', memory: '1Gi' } }),
  pod('all said', { requests: { cpu: '200m', memory: '1Gi' }, limits: { cpu: '300m', memory: '2Gi' } }),
  pod('too much', { limits: { cpu: '2' } }),
  pod('too little', { requests: { cpu: '10m' } }),
  pod('too little and too much', { requests: { cpu: '10m' }, limits: { cpu: '3' } }),
  pod('an init container', {}, { initContainers: [{ name: 'i', image: 'i' }] }),
  pod(
    'a small init container',
    {},
    { initContainers: [{ name: 'i', image: 'i', resources: { requests: { cpu: '1m' } } }] },
  ),
  claim('a small claim', '1Mi'),
  claim('a good claim', '1Gi'),
  claim('a large claim', '1Ti'),
]
