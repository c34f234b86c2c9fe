import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { get, METADATA, patch, remove } from '../map-steps.ts'

const NAMESPACE = '/api/v1/namespaces/{ns}'
const PODS = `${NAMESPACE}/pods`
const STRATEGIC = { 'content-type': 'application/strategic-merge-patch+json' }
const APPLY = { 'content-type': 'application/apply-patch+yaml' }

const amounts = (cpu: string, memory = '64Mi'): JsonObject => ({ cpu, memory })
const some = { requests: amounts('100m'), limits: amounts('200m', '128Mi') }

const SPEC = {
  schedulerName: 'nobody',
  automountServiceAccountToken: false,
  initContainers: [
    { name: 'i', image: 'example.com/a', resources: some },
    { name: 's', image: 'example.com/a', resources: some, restartPolicy: 'Always' },
  ],
  containers: [
    { name: 'c', image: 'example.com/a', resources: some },
    { name: 'd', image: 'example.com/a', resources: { requests: { ...amounts('100m'), 'ephemeral-storage': '1Gi' } } },
  ],
}

const create = (name: string, spec: JsonObject): Step => ({
  name: `create ${name}`,
  method: 'POST',
  path: PODS,
  body: { metadata: { name, labels: { app: 'a' } }, spec },
})

const resize = (name: string, containers: JsonObject[], more: JsonObject = {}, of = 'p'): Step =>
  patch(
    name,
    `${PODS}/${of}/resize`,
    { ...more, spec: { ...(more.spec as JsonObject | undefined), ...(containers.length > 0 && { containers }) } },
    { headers: STRATEGIC },
  )

const apply = (name: string, manager: string, cpu: string): Step => ({
  name,
  method: 'PATCH',
  path: `${PODS}/p/resize?fieldManager=${manager}`,
  headers: APPLY,
  body: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', labels: { by: 'apply' } },
    spec: { containers: [{ name: 'c', resources: { limits: { cpu } } }] },
  },
})

const running = (name: string, of: string, resources?: JsonObject): Step =>
  patch(name, `${PODS}/${of}/status`, {
    status: {
      containerStatuses: [
        {
          name: 'c',
          image: 'a',
          imageID: '',
          ready: true,
          restartCount: 0,
          state: { running: {} },
          ...(resources && { resources }),
        },
      ],
    },
  })

const PLAIN = { ...SPEC, initContainers: [], containers: [{ name: 'c', image: 'example.com/a' }] }

const limiting = (name: string, plural: string, spec: JsonObject): Step => ({
  name,
  method: 'POST',
  path: `${NAMESPACE}/${plural}`,
  headers: METADATA,
  body: { metadata: { name: 'limit' }, spec },
})

/** Until it is refused: the real server learns of limits a moment later. */
const tried = (name: string, refusal: string): Step => ({
  ...resize(name, [{ name: 'c', resources: { limits: { cpu: '10' } } }]),
  path: `${PODS}/old/resize?dryRun=All`,
  until: (body) => JSON.stringify(body).includes(refusal),
})

export const steps: readonly Step[] = [
  create('p', SPEC),
  get('get its sizes', `${PODS}/p/resize`),
  resize('more', [{ name: 'c', resources: { requests: { cpu: '150m' }, limits: { cpu: '1' } } }]),
  resize('the same again', [{ name: 'c', resources: { requests: { cpu: '150m' } } }]),
  resize(
    'and change all sorts of things',
    [{ name: 'c', image: 'example.com/other', env: [{ name: 'A', value: 'a' }], resources: { limits: { cpu: '2' } } }],
    {
      metadata: { labels: { app: 'b' }, annotations: { a: 'b' }, finalizers: ['example.com/a'] },
      spec: { activeDeadlineSeconds: 5, tolerations: [] },
      status: { phase: 'Running' },
    },
  ),
  resize('a policy', [{ name: 'c', resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }]),
  resize('a sidecar', [], { spec: { initContainers: [{ name: 's', resources: { limits: { memory: '1Gi' } } }] } }),
  resize('an init container', [], { spec: { initContainers: [{ name: 'i', resources: { limits: { cpu: '1' } } }] } }),
  resize('add a limit', [{ name: 'd', resources: { limits: { cpu: '1' } } }]),
  resize('remove a limit', [{ name: 'c', resources: { limits: { cpu: null } } }]),
  resize('remove all limits', [{ name: 'c', resources: { limits: null } }]),
  resize('remove a request', [{ name: 'd', resources: { requests: { cpu: null } } }]),
  resize('requests above limits', [{ name: 'c', resources: { requests: { cpu: '20' } } }]),
  resize('less than nothing', [{ name: 'c', resources: { requests: { cpu: '-1' } } }]),
  resize('other resources', [{ name: 'd', resources: { requests: { 'ephemeral-storage': '2Gi' } } }]),
  resize('other resources of an init container', [], {
    spec: { initContainers: [{ name: 's', resources: { requests: { 'ephemeral-storage': '2Gi' } } }] },
  }),
  resize('add a container', [{ name: 'new', image: 'example.com/a' }]),
  resize('another class', [{ name: 'c', resources: { requests: amounts('1'), limits: amounts('1') } }]),
  {
    name: 'in another order',
    method: 'PATCH',
    path: `${PODS}/p/resize`,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: {
      spec: {
        containers: [
          { name: 'd', image: 'x' },
          { name: 'c', image: 'x' },
        ],
      },
    },
  },
  {
    name: 'without init containers',
    method: 'PATCH',
    path: `${PODS}/p/resize`,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { spec: { initContainers: null } },
  },
  apply('by apply', 'alice', '3'),
  apply('by apply what another has', 'bob', '4'),
  {
    name: 'by PUT',
    method: 'PUT',
    path: `${PODS}/p/resize?fieldManager=carol`,
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', labels: { app: 'put' } },
      spec: {
        initContainers: SPEC.initContainers,
        containers: [{ ...SPEC.containers[0], image: 'example.com/put' }, SPEC.containers[1] as JsonObject],
      },
    },
  },
  create('plain', PLAIN),
  resize('what asks for nothing', [{ name: 'c', resources: { requests: { cpu: '1' } } }], {}, 'plain'),
  create('guaranteed', {
    ...PLAIN,
    containers: [{ name: 'c', image: 'example.com/a', resources: { limits: amounts('1') } }],
  }),
  resize(
    'less of both',
    [{ name: 'c', resources: { requests: amounts('500m'), limits: amounts('500m') } }],
    {},
    'guaranteed',
  ),
  resize('less of one', [{ name: 'c', resources: { requests: amounts('100m') } }], {}, 'guaranteed'),
  create('windows', { ...PLAIN, os: { name: 'windows' } }),
  resize('one of windows', [{ name: 'c', resources: { requests: { cpu: '1' } } }], {}, 'windows'),
  create('whole', { ...PLAIN, resources: { requests: amounts('1'), limits: amounts('2') } }),
  resize('the pod itself', [], { spec: { resources: { limits: { cpu: '3' } } } }, 'whole'),
  resize('the pod itself without a limit', [], { spec: { resources: { limits: { cpu: null } } } }, 'whole'),
  resize('the pod itself without any', [], { spec: { resources: null } }, 'whole'),
  resize(
    'the pod itself with pages',
    [],
    { spec: { resources: { requests: { 'hugepages-2Mi': '2Mi' }, limits: { 'hugepages-2Mi': '2Mi' } } } },
    'whole',
  ),
  create('whole-later', {
    ...PLAIN,
    containers: [{ name: 'c', image: 'example.com/a', resources: { requests: amounts('100m') } }],
  }),
  resize('the pod itself, which had none', [], { spec: { resources: { requests: amounts('1') } } }, 'whole-later'),
  create('old', { ...PLAIN, containers: [{ name: 'c', image: 'example.com/a', resources: some }] }),
  running('it runs', 'old'),
  resize('on an old node', [{ name: 'c', resources: { limits: { cpu: '1' } } }], {}, 'old'),
  running('it runs on a new one', 'old', some),
  resize('on a new node', [{ name: 'c', resources: { limits: { cpu: '1' } } }], {}, 'old'),
  create('bound', {
    ...PLAIN,
    nodeName: '{ns}-nowhere',
    containers: [{ name: 'c', image: 'example.com/a', resources: some }],
  }),
  resize('where no node is', [{ name: 'c', resources: { limits: { cpu: '1' } } }], {}, 'bound'),
  resize('no change where no node is', [{ name: 'c', resources: { limits: { cpu: '200m' } } }], {}, 'bound'),
  patch('it has ended', `${PODS}/bound/status`, { status: { phase: 'Failed' } }),
  {
    name: 'a node',
    method: 'POST',
    path: '/api/v1/nodes',
    body: { metadata: { name: '{ns}-nowhere' }, status: { allocatable: { cpu: '2', memory: '1Gi' } } },
  },
  {
    ...resize(
      'more than the node has',
      [{ name: 'c', resources: { requests: { cpu: '3' }, limits: { cpu: '4' } } }],
      {},
      'bound',
    ),
    until: (body) => JSON.stringify(body).includes('allocatable'),
  },
  resize(
    'more memory than the node has',
    [{ name: 'c', resources: { requests: { memory: '3Gi' }, limits: { memory: '4Gi' } } }],
    {},
    'bound',
  ),
  resize(
    'what the node has',
    [{ name: 'c', resources: { requests: { cpu: '1' }, limits: { cpu: '4' } } }],
    {},
    'bound',
  ),
  create('bound-too', {
    ...PLAIN,
    nodeName: '{ns}-windows',
    containers: [{ name: 'c', image: 'example.com/a', resources: some }],
  }),
  patch('it has ended, too', `${PODS}/bound-too/status`, { status: { phase: 'Failed' } }),
  {
    name: 'a node of Windows',
    method: 'POST',
    path: '/api/v1/nodes',
    headers: METADATA,
    body: { metadata: { name: '{ns}-windows', labels: { 'kubernetes.io/os': 'windows' } } },
  },
  {
    ...resize('on a node of Windows', [{ name: 'c', resources: { limits: { cpu: '5' } } }], {}, 'bound-too'),
    until: (body) => JSON.stringify(body).includes('UnsupportedPlatform'),
  },
  { name: 'the node of Windows goes', method: 'DELETE', path: '/api/v1/nodes/{ns}-windows' },
  create('restarting', {
    ...PLAIN,
    initContainers: [
      {
        name: 's',
        image: 'example.com/a',
        resources: some,
        restartPolicy: 'Always',
        resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }],
      },
    ],
  }),
  resize(
    'a policy of a sidecar',
    [],
    {
      spec: { initContainers: [{ name: 's', resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }] }] },
    },
    'restarting',
  ),
  { name: 'the node goes', method: 'DELETE', path: '/api/v1/nodes/{ns}-nowhere' },
  patch('sizes on the main endpoint', `${PODS}/p`, { spec: { containers: [{ name: 'c', resources: {} }] } }),
  get('what became of it', `${PODS}/p`),
  limiting('a range', 'limitranges', { limits: [{ type: 'Container', max: { cpu: '5' } }] }),
  tried('above the range', 'maximum'),
  { name: 'the range goes', method: 'DELETE', path: `${NAMESPACE}/limitranges/limit` },
  remove('p goes', `${PODS}/p`, undefined, { headers: METADATA }),
  remove('whole goes', `${PODS}/whole`, undefined, { headers: METADATA }),
  limiting('a quota', 'resourcequotas', { hard: { 'limits.cpu': '9' } }),
  tried('above the quota', 'exceeded'),
]
