import type { JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const VOLUMES = '/api/v1/persistentvolumes'
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const JOBS = '/apis/batch/v1/namespaces/{ns}/jobs'

const patched = (name: string, path: string, body: JsonValue): Step => ({
  name,
  method: 'PATCH',
  path: `${path}?dryRun=All`,
  headers: { 'content-type': 'application/merge-patch+json' },
  body,
})
const spec = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/a' } }
const openAPIV3Schema = { type: 'object' }
const OTHER = { spec: { template: { spec: { containers: [{ name: 'A_b', image: 'i' }] } } } }
const ENDLESS = { spec: { template: { spec: { restartPolicy: 'Always' } } } }
const CONTROLLER = 'no controller looks after volumes where the servers are compared'
const STRUCT = 'the real server shows the template in its own notation of structs'
const pods = { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } }

export const steps: readonly Step[] = [
  { name: 'a volume', method: 'POST', path: VOLUMES, body: { metadata: { name: 'repeated-{ns}' }, spec } },
  patched('a volume of other modes', `${VOLUMES}/repeated-{ns}`, { spec: { accessModes: ['X'] } }),
  patched('a volume of other capacity', `${VOLUMES}/repeated-{ns}`, { spec: { capacity: { storage: '-1' } } }),
  patched('a volume of another policy', `${VOLUMES}/repeated-{ns}`, { spec: { persistentVolumeReclaimPolicy: 'X' } }),
  patched('a volume of old options', `${VOLUMES}/repeated-{ns}`, {
    metadata: { annotations: { 'volume.beta.kubernetes.io/mount-options': 'a' } },
  }),
  patched('a volume of bad labels', `${VOLUMES}/repeated-{ns}`, { metadata: { labels: { 'a b': 'c' } } }),
  { name: 'no volume', method: 'DELETE', path: `${VOLUMES}/repeated-{ns}`, differs: CONTROLLER },
  {
    name: 'a CRD',
    method: 'POST',
    path: CRDS,
    body: {
      metadata: { name: 'repeats.{ns}.example.com' },
      spec: {
        group: '{ns}.example.com',
        scope: 'Namespaced',
        names: { plural: 'repeats', kind: 'Repeat' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      },
    },
  },
  { name: 'its kind is served', method: 'GET', path: '/apis/{ns}.example.com/v1/namespaces/{ns}/repeats', until: 200 },
  patched('a CRD of bad labels', `${CRDS}/repeats.{ns}.example.com`, { metadata: { labels: { 'a b': 'c' } } }),
  { name: 'no CRD', method: 'DELETE', path: `${CRDS}/repeats.{ns}.example.com` },
  {
    name: 'a Job of bad pods',
    method: 'POST',
    path: `${JOBS}?dryRun=All`,
    body: {
      metadata: { name: 'j' },
      spec: { template: { spec: { containers: [{ name: 'A_b', image: 'i' }], restartPolicy: 'X' } } },
    },
  },
  {
    name: 'a Job',
    method: 'POST',
    path: JOBS,
    body: { metadata: { name: 'j' }, spec: { parallelism: 0, template: pods } },
  },
  { ...patched('a Job of other pods', `${JOBS}/j`, OTHER), differs: STRUCT },
  { ...patched('a Job of pods without an end', `${JOBS}/j`, ENDLESS), differs: STRUCT },
]
