import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { crdSteps, customPath, ObjectSteps } from '../object-steps.ts'

const token = (text: string): string => Buffer.from(text).toString('base64url')
const MAPS = '/api/v1/namespaces/{ns}/configmaps'
const PODS = '/api/v1/namespaces/{ns}/pods'
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** Tokens of lists that hold null where there is to be something. */
const continued: readonly Step[] = ['null', '[]', '{"v":null}', '{"v":"meta.k8s.io/v1","rv":null}', '{"rv":"1"}'].map(
  (text) => ({ name: `continued at ${text}`, method: 'GET', path: `${MAPS}?limit=1&continue=${token(text)}` }),
)

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const scaled: JsonObject = {
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: open },
  subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.count.replicas' } },
}
const loose: readonly (readonly [what: string, fields: JsonObject])[] = [
  ['a text', { spec: { replicas: 'x' } }],
  ['null', { spec: { replicas: null } }],
  ['a fraction', { spec: { replicas: 1.5 } }],
  ['within a text', { spec: 'x' }],
  ['within null', { spec: null }],
  ['a list, and a map within a text', { spec: { replicas: [] }, status: { count: 'x' } }],
  ['a map within a map within a text', { spec: { replicas: 1 }, status: 'x' }],
]

const STATUS = `${CRDS}/keepers.{ns}.example.com/status`
const statuses: readonly (readonly [what: string, status: JsonValue])[] = [
  ['null', null],
  ['no stored versions', { storedVersions: null }],
  ['an empty list of stored versions', { storedVersions: [] }],
]

const CSI = '/apis/storage.k8s.io/v1/csidrivers'
const BATCH = '/apis/batch/v1/namespaces/{ns}/cronjobs'
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices'
const BUDGETS = '/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets'
const driver = new ObjectSteps('driver', CSI, 'storage.k8s.io/v1 CSIDriver', '.{ns}')
const cron = new ObjectSteps('cron', BATCH, 'batch/v1 CronJob')
const slice = new ObjectSteps('slice', SLICES, 'discovery.k8s.io/v1 EndpointSlice')
const budget = new ObjectSteps('budget', BUDGETS, 'policy/v1 PodDisruptionBudget')
const map = new ObjectSteps('map', MAPS, 'v1 ConfigMap')
const pod = new ObjectSteps('pod', PODS, 'v1 Pod')
const LIMITS = '/api/v1/namespaces/{ns}/limitranges'
const limits = new ObjectSteps('limits', LIMITS, 'v1 LimitRange')
/** The version of an object that is gone. */
const FORMER = { metadata: { resourceVersion: '7' }, spec: { limits: [{ type: 'Container' }] } }
const jobs = { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }] } } } }
const ports = Array.from({ length: 20_001 }, () => ({}))
const LABELLED = { metadata: { labels: { '-': 'x' } } }
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'

/** Its kind has a rule. */
const guarded = (rule: string): JsonObject => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { kind: { type: 'string', 'x-kubernetes-validations': [{ rule, message: 'no' }] } },
    },
  },
})
const guard = new ObjectSteps('guard', customPath('guardeds'), '{ns}.example.com/v1 Guarded')

/** Each of its rules is cheap enough, all of them are not: a text, and what it is searched for. */
const LONG = 'a'.repeat(30_000)
const SOUGHT = 'b'.repeat(1200)
const costly: JsonObject = {
  name: 'v1',
  served: true,
  storage: true,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        text: {
          type: 'string',
          maxLength: LONG.length,
          'x-kubernetes-validations': Array.from({ length: 13 }, (_, number) => ({
            rule: `${number} < 0 || !self.matches('${SOUGHT}')`,
          })),
        },
      },
    },
  },
}
const DRY = { query: 'dryRun=All' }
/** On a node without a kubelet. */
const POD = {
  spec: {
    nodeName: '{ns}-no',
    automountServiceAccountToken: false,
    containers: [{ name: 'c', image: 'example.com/a' }],
  },
}
const evict = (what: string, resourceVersion: string): Step => ({
  name: what,
  method: 'POST',
  path: `${PODS}/pod/eviction`,
  body: {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: 'pod' },
    deleteOptions: { preconditions: { resourceVersion } },
  },
})

/** What few clients ever write. */
export const steps: readonly Step[] = [
  ...continued,
  ...crdSteps('Keeper', [scaled]),
  ...loose.flatMap(([what, fields]) => {
    const thing = new ObjectSteps(`replicas: ${what}`, customPath('keepers'), '{ns}.example.com/v1 Keeper')
    return [thing.create(fields, { ...DRY, unordered: true })]
  }),
  ...statuses.map(
    ([what, status]): Step => ({
      name: `the status of a CRD becomes ${what}`,
      method: 'PATCH',
      path: `${STATUS}?dryRun=All`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { status },
    }),
  ),
  ...crdSteps('Guarded', [guarded('true')]),
  guard.create({}),
  ...['self.size() > 100'].map(
    (rule): Step => ({
      name: `the rule becomes ${rule}`,
      method: 'PATCH',
      path: `${CRDS}/guardeds.{ns}.example.com?fieldManager=contract&includeObject=None`,
      headers: { 'content-type': 'application/merge-patch+json', accept: TABLE },
      body: { spec: { versions: [guarded(rule)] } },
    }),
  ),
  new ObjectSteps('guarded', customPath('guardeds'), '{ns}.example.com/v1 Guarded').create(
    {},
    { ...DRY, name: 'the rule holds', until: 422 },
  ),
  guard.patch('a label', 'merge', { metadata: { labels: { a: 'b' } } }),
  ...crdSteps('Costly', [costly]),
  new ObjectSteps('costly', customPath('costlys'), '{ns}.example.com/v1 Costly').create({ text: LONG }, DRY),
  driver.create({ spec: {} }),
  driver.patch('a label', 'merge', { metadata: { labels: { a: 'b' } } }),
  driver.patch('a change', 'merge', { spec: { podInfoOnMount: true } }),
  driver.delete(),
  cron.create({ spec: { schedule: '@daily', timeZone: '', jobTemplate: jobs } }, DRY),
  slice.create({ addressType: 'IPv4', ports }, { ...DRY, name: 'too many ports' }),
  budget.create({ ...LABELLED, spec: { minAvailable: -1 } }, { ...DRY, name: 'a label and an amount' }),
  budget.create({ ...LABELLED, spec: { minAvailable: 1 } }, { ...DRY, name: 'a label' }),
  map.create({ data: { a: 'b' }, metadata: { finalizers: ['example.com/a'] } }),
  map.patch('a name within a list', 'json', [{ op: 'add', path: '/metadata/finalizers/x/y', value: 1 }]),
  map.patch('no more finalizers', 'merge', { metadata: { finalizers: null } }),
  pod.create(POD, { as: 'made' }),
  evict('evicted as it was not', '1'),
  evict('evicted as it was made', '{made.rv}'),
  limits.put('put anew with a version on trial', FORMER, DRY),
  limits.put('put anew with a version', FORMER),
  limits.delete(),
]
