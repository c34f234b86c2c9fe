import type { JsonObject } from '../../../../src/core/base/json.ts'
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

const FITS = { requests: { cpu: '500m' }, limits: { cpu: '1' } }
const LARGE = { requests: { cpu: '1600m' }, limits: { cpu: '1600m' } }

function two(resources: JsonObject): JsonObject {
  return { containers: ['a', 'b'].map((name) => ({ name, image: 'a', resources })) }
}

function init(resources: readonly JsonObject[], isHelper = false): { initContainers: readonly JsonObject[] } {
  const more = isHelper ? { restartPolicy: 'Always' } : {}
  return {
    initContainers: resources.map((each, index) => ({ name: `i${index}`, image: 'a', resources: each, ...more })),
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
  { name: 'the first limits end', method: 'DELETE', path: `${CORE}/limitranges/defaults` },
  { ...pod('after the first limits', {}), until: (body) => !JSON.stringify(body).includes('limit-ranger') },
  range('ratio', [{ type: 'Container', maxLimitRequestRatio: { cpu: '2500m' } }]),
  { ...pod('until the ratio holds', {}), until: 403 },
  pod('a ratio without anything', {}),
  pod('a ratio of requests alone', { requests: { cpu: '1' } }),
  pod('a ratio of nothing', { requests: { cpu: '0' }, limits: { cpu: '1' } }),
  pod('a good ratio', { requests: { cpu: '100m' }, limits: { cpu: '250m' } }),
  pod('a bad ratio', { requests: { cpu: '300m' }, limits: { cpu: '1' } }),
  pod('a ratio of two', {}, two({ requests: { cpu: '300m' }, limits: { cpu: '1' } })),
  { name: 'the ratio ends', method: 'DELETE', path: `${CORE}/limitranges/ratio` },
  { ...pod('after the ratio', {}), until: 201 },
  range('pods', [{ type: 'Pod', min: { cpu: '500m' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }]),
  { ...pod('until limits of pods hold', {}), until: 403, unordered: true },
  { ...pod('a pod without anything', {}), unordered: true },
  pod('a small pod', { requests: { cpu: '100m' }, limits: { cpu: '200m' } }),
  pod('a fitting pod', { requests: { cpu: '500m' }, limits: { cpu: '1500m' } }),
  pod('a large pod', { requests: { cpu: '1' }, limits: { cpu: '2500m' } }),
  pod('a pod of two', {}, two({ requests: { cpu: '250m' }, limits: { cpu: '500m' } })),
  pod('a large pod of two', {}, two({ requests: { cpu: '1' }, limits: { cpu: '1500m' } })),
  pod('a pod with a large start', FITS, init([{ requests: { cpu: '2500m' }, limits: { cpu: '2500m' } }])),
  pod('a pod with a small start', FITS, init([{ requests: { cpu: '1' }, limits: { cpu: '1' } }])),
  pod('a pod with a helper', FITS, init([{ requests: { cpu: '1' }, limits: { cpu: '1200m' } }], true)),
  pod('a pod with a helper and a start', FITS, {
    initContainers: [...init([FITS], true).initContainers, { name: 'late', image: 'a', resources: LARGE }],
  }),
  pod('a pod that says it itself', {}, { resources: { requests: { cpu: '1' }, limits: { cpu: '1' } } }),
  pod('a pod that says too much itself', FITS, { resources: { requests: { cpu: '3' }, limits: { cpu: '3' } } }),
]
