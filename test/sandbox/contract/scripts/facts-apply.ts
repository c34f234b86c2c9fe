/** What the engine relies on when it decides, without a request, whether an object is as it should be. */
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { crdSteps, crdVersion, customPath, ObjectSteps } from '../object-steps.ts'

const at = (group: string, plural: string): string => `/${group}/namespaces/{ns}/${plural}`
const ENGINE = 'rolebook!'

const podSpec = (container: JsonObject): JsonObject => ({ containers: [{ name: 'app', image: 'app:1', ...container }] })

/** Of a kind that no controller writes to: what others write in their own time would be no answer to compare. */
const template = (container: JsonObject, more: JsonObject = {}): JsonObject => ({
  template: { metadata: { labels: { app: 'x' } }, spec: { ...podSpec(container), ...more } },
})
const TEMPLATES = at('api/v1', 'podtemplates')

interface Kind {
  readonly kind: string
  readonly path: string
  readonly fields: JsonObject
}

/** Fact 1, for one of each form of object. */
const SETTLED: readonly Kind[] = [
  { kind: 'v1 ConfigMap', path: at('api/v1', 'configmaps'), fields: { data: { a: '1' } } },
  { kind: 'v1 Secret', path: at('api/v1', 'secrets'), fields: { data: { a: 'MQ==' } } },
  {
    kind: 'v1 Service',
    path: at('api/v1', 'services'),
    fields: {
      spec: {
        clusterIP: 'None',
        selector: { app: 'x' },
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 81 },
        ],
      },
    },
  },
  {
    kind: 'v1 Pod',
    path: at('api/v1', 'pods'),
    fields: { spec: { ...podSpec({}), schedulerName: 'nobody', automountServiceAccountToken: false } },
  },
  { kind: 'v1 PodTemplate', path: TEMPLATES, fields: template({ env: [{ name: 'A', value: '1' }] }) },
  {
    kind: 'networking.k8s.io/v1 NetworkPolicy',
    path: at('apis/networking.k8s.io/v1', 'networkpolicies'),
    fields: { spec: { podSelector: { matchLabels: { app: 'x' } }, ingress: [{ ports: [{ port: 80 }] }] } },
  },
  {
    kind: 'rbac.authorization.k8s.io/v1 Role',
    path: at('apis/rbac.authorization.k8s.io/v1', 'roles'),
    fields: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
  },
  { kind: 'example/v1 Widget', path: customPath('widgets'), fields: { spec: { size: 2, words: ['a', 'b'] } } },
]

const settled = SETTLED.flatMap(({ kind, path, fields }): readonly Step[] => {
  const name = kind.replace('example', '{ns}.example.com')
  const object = new ObjectSteps(`settled ${kind.split(' ')[1]}`, path, name)
  const labelled = { ...fields, metadata: { labels: { of: 'engine' }, annotations: { note: 'x' } } }
  const as = `settled ${kind}`.replace(/[^\w ]/g, '-')
  return [
    object.apply('is made', ENGINE, labelled, { as }),
    object.apply('applied again', ENGINE, labelled),
    object.unchangedSince(as, 'has the same version after an apply that changes nothing'),
    object.apply('applied without one field', ENGINE, { ...labelled, metadata: { labels: { of: 'engine' } } }),
    object.patch('the former version is refused', 'merge', { metadata: { resourceVersion: `{${as}.rv}` } }),
  ]
})

/** Fact 2: what is sent, and written otherwise. */
const QUANTITIES: readonly (readonly [string, JsonObject])[] = [
  ['whole milli-cpus', { cpu: '1000m' }],
  ['halves', { memory: '0.5Gi' }],
  ['numbers', { cpu: 2, memory: 1024 }],
  ['exponents', { memory: '1e3', cpu: '1e-1' }],
  ['as they are written', { cpu: '250m', memory: '64Mi' }],
]

const quantities = QUANTITIES.flatMap(([label, requests], index): readonly Step[] => {
  const object = new ObjectSteps(`quantities, ${label}`, TEMPLATES, 'v1 PodTemplate')
  const as = `quantity ${index}`
  return [
    object.apply('are made', ENGINE, template({ resources: { requests } }), { as }),
    object.apply('applied again', ENGINE, template({ resources: { requests } })),
    object.unchangedSince(as, 'are the same object'),
  ]
})

/** Fact 3: what leaves our entry, and how it comes back. */
const taken = new ObjectSteps('taken', TEMPLATES, 'v1 PodTemplate')
const wanted = template({
  env: [
    { name: 'A', value: '1' },
    { name: 'B', value: '2' },
  ],
  ports: [{ containerPort: 80 }],
})
const container = (fields: JsonObject): JsonObject => ({
  template: { spec: { containers: [{ name: 'app', ...fields }] } },
})
const PORTS = '/template/spec/containers/0/ports'
const OTHER = { query: 'fieldManager=kubectl-set' }

const drift: readonly Step[] = [
  taken.apply('is made', ENGINE, wanted),
  taken.patch('another client changes the image', 'strategic', container({ image: 'app:2' }), OTHER),
  taken.apply('without force it is a conflict', 'rolebook', wanted),
  taken.apply('a forced apply brings it back', ENGINE, wanted),
  taken.patch(
    'another client removes an item',
    'strategic',
    container({ env: [{ name: 'B', $patch: 'delete' }] }),
    OTHER,
  ),
  taken.apply('a forced apply brings the item back', ENGINE, wanted),
  taken.patch('another client adds an item', 'strategic', container({ env: [{ name: 'C', value: '3' }] }), OTHER),
  taken.apply('the item of another stays', ENGINE, wanted),
  taken.patch('another client removes the whole list', 'json', [{ op: 'remove', path: PORTS }], OTHER),
  taken.apply('a forced apply brings the list back', ENGINE, wanted),
  taken.patch(
    'another client removes a label that we set',
    'json',
    [{ op: 'remove', path: '/template/metadata/labels' }],
    OTHER,
  ),
  taken.apply('a forced apply brings the label back', ENGINE, wanted),
]

/** Fact 4: keys of list items are completed by their defaults. */
const KEYS: readonly (readonly [string, string, string, JsonObject])[] = [
  ['container ports', 'v1 PodTemplate', TEMPLATES, template({ ports: [{ containerPort: 80 }] })],
  ['service ports', 'v1 Service', at('api/v1', 'services'), { spec: { clusterIP: 'None', ports: [{ port: 80 }] } }],
  [
    'two protocols',
    'v1 PodTemplate',
    TEMPLATES,
    template({ ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }] }),
  ],
  [
    'spread constraints',
    'v1 PodTemplate',
    TEMPLATES,
    template({}, { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' }] }),
  ],
]

const keys = KEYS.flatMap(([label, kind, path, fields], index): readonly Step[] => {
  const object = new ObjectSteps(`keys of ${label}`, path, kind)
  return [
    object.apply('are completed', ENGINE, fields, { as: `keys ${index}` }),
    object.apply('applied again', ENGINE, fields),
    object.unchangedSince(`keys ${index}`, 'are the same object'),
  ]
})

export const steps: readonly Step[] = [
  ...crdSteps('Widget', [
    crdVersion({
      type: 'object',
      properties: {
        size: { type: 'integer' },
        words: { type: 'array', items: { type: 'string' } },
        given: { type: 'string', default: 'by default' },
      },
    }),
  ]),
  ...settled,
  ...quantities,
  ...drift,
  ...keys,
]
