import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { ObjectSteps } from '../object-steps.ts'

const start: JsonObject = {
  metadata: { labels: { x: '1', y: '2' }, finalizers: ['x.example.com/a', 'x.example.com/b'] },
  template: {
    metadata: { labels: { app: 'x' } },
    spec: {
      containers: [
        {
          name: 'a',
          image: 'a:1',
          args: ['x', 'y'],
          env: [
            { name: 'A', value: '1' },
            { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          ],
          ports: [
            { containerPort: 80, name: 'web' },
            { containerPort: 53, protocol: 'UDP' },
            { containerPort: 53, protocol: 'TCP' },
          ],
          volumeMounts: [
            { name: 'v', mountPath: '/v' },
            { name: 'v', mountPath: '/w' },
          ],
          resources: { limits: { cpu: '1', memory: '1Gi' } },
        },
        { name: 'b', image: 'b:1' },
      ],
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'w', configMap: { name: 'c', items: [{ key: 'k', path: 'p' }] } },
      ],
      tolerations: [{ key: 'a', operator: 'Exists' }],
      imagePullSecrets: [{ name: 's' }, { name: 't' }],
      hostAliases: [{ ip: '1.2.3.4', hostnames: ['h'] }],
      nodeSelector: { disk: 'ssd' },
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
        { maxSkew: 2, topologyKey: 'host', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: {} },
      ],
      securityContext: { supplementalGroups: [1, 2], sysctls: [{ name: 's', value: '1' }] },
    },
  },
}
const inSpec = (spec: JsonValue): JsonObject => ({ template: { spec } })
const inA = (more: JsonObject): JsonObject => inSpec({ containers: [{ name: 'a', ...more }] })

/** Each is tried against the same PodTemplate, in dry run. */
const patches: readonly (readonly [what: string, patch: JsonValue])[] = [
  ['nothing', {}],
  ['a container by its name', inA({ image: 'a:2' })],
  ['one more container', inSpec({ containers: [{ name: 'c', image: 'c' }] })],
  ['a container without a name', inSpec({ containers: [{ image: 'c' }] })],
  ['a container with a name that is null', inSpec({ containers: [{ name: null, image: 'c' }] })],
  ['a container of another type', inSpec({ containers: ['a'] })],
  ['delete a container', inSpec({ containers: [{ name: 'a', $patch: 'delete' }] })],
  ['delete a container that is not there', inSpec({ containers: [{ name: 'z', $patch: 'delete' }] })],
  ['delete without a name', inSpec({ containers: [{ $patch: 'delete' }] })],
  [
    'delete all containers',
    inSpec({
      containers: [
        { name: 'a', $patch: 'delete' },
        { name: 'b', $patch: 'delete' },
      ],
    }),
  ],
  [
    'delete and add',
    inSpec({
      containers: [
        { name: 'a', $patch: 'delete' },
        { name: 'a', image: 'new' },
      ],
    }),
  ],
  ['replace the containers', inSpec({ containers: [{ name: 'n', image: 'n' }, { $patch: 'replace' }] })],
  ['replace the containers by none', inSpec({ containers: [{ $patch: 'replace' }] })],
  ['merge in an item', inSpec({ containers: [{ name: 'a', $patch: 'merge', image: 'm' }] })],
  ['an unknown directive in an item', inSpec({ containers: [{ name: 'a', $patch: 'other' }] })],
  ['a directive of another type', inSpec({ containers: [{ name: 'a', $patch: 5 }] })],
  ['replace a map', { template: { metadata: { labels: { $patch: 'replace', new: '1' } } } }],
  ['delete a map', { template: { metadata: { labels: { $patch: 'delete' } } } }],
  ['delete a map with fields', { template: { metadata: { labels: { $patch: 'delete', a: '1' } } } }],
  ['merge a map', { template: { metadata: { labels: { $patch: 'merge', a: '1' } } } }],
  ['an unknown directive', { template: { metadata: { labels: { $patch: 'foo' } } } }],
  ['replace the spec', inSpec({ $patch: 'replace', containers: [{ name: 'x', image: 'x' }] })],
  ['replace the whole', { $patch: 'replace', template: {} }],
  ['delete the whole', { $patch: 'delete' }],
  ['delete what is not there', { template: { metadata: { annotations: { $patch: 'delete' } } } }],
  ['null for a list', inSpec({ volumes: null })],
  ['null for a field of an item', inA({ args: null })],
  ['null for a map', inSpec({ nodeSelector: null })],
  ['null for a key of a map', inSpec({ nodeSelector: { disk: null, other: '1' } })],
  [
    'null in what is new',
    inSpec({ containers: [{ name: 'n', image: 'n', args: null, env: [{ name: 'X', value: null }] }] }),
  ],
  ['null for an item', inSpec({ containers: [null] })],
  ['an empty list', inSpec({ containers: [] })],
  ['an empty list without merging', inSpec({ tolerations: [] })],
  ['a list as a whole', inSpec({ tolerations: [{ key: 'b', operator: 'Exists' }] })],
  ['a list of texts as a whole', inA({ args: ['z'] })],
  [
    'env by name',
    inA({
      env: [
        { name: 'B', value: '2', valueFrom: null },
        { name: 'C', value: '3' },
      ],
    }),
  ],
  ['env that has both', inA({ env: [{ name: 'B', value: '2' }] })],
  ['ports by number', inA({ ports: [{ containerPort: 80, name: 'http' }] })],
  ['ports of one number', inA({ ports: [{ containerPort: 53, name: 'dns' }] })],
  ['delete ports of one number', inA({ ports: [{ containerPort: 53, $patch: 'delete' }] })],
  ['a port by a text', inA({ ports: [{ containerPort: '80', name: 'x' }] })],
  [
    'mounts by path',
    inA({
      volumeMounts: [
        { mountPath: '/w', readOnly: true },
        { mountPath: '/x', name: 'v' },
      ],
    }),
  ],
  ['quantities', inA({ resources: { limits: { cpu: '2000m', memory: null }, requests: { cpu: 1 } } })],
  ['another source of a volume', inSpec({ volumes: [{ name: 'v', hostPath: { path: '/h' } }] })],
  [
    'another source with its keys',
    inSpec({ volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/h' } }] }),
  ],
  ['keys that forget one', inSpec({ volumes: [{ name: 'v', $retainKeys: ['hostPath'], hostPath: { path: '/h' } }] })],
  ['keys without values', inSpec({ volumes: [{ name: 'v', $retainKeys: ['name'] }] })],
  ['keys of another type', inSpec({ volumes: [{ name: 'v', $retainKeys: 'name' }] })],
  ['keys of the spec', inSpec({ $retainKeys: ['containers'], containers: [] })],
  ['items of a volume', inSpec({ volumes: [{ name: 'w', configMap: { items: [{ key: 'l', path: 'q' }] } }] })],
  ['order of containers', inSpec({ '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] })],
  [
    'order with a new one',
    inSpec({
      '$setElementOrder/containers': [{ name: 'b' }, { name: 'n' }, { name: 'a' }],
      containers: [{ name: 'n', image: 'n' }],
    }),
  ],
  [
    'order that forgets one',
    inSpec({ '$setElementOrder/containers': [{ name: 'b' }], containers: [{ name: 'a', image: 'z' }] }),
  ],
  ['order of what is not there', inSpec({ '$setElementOrder/containers': [{ name: 'z' }, { name: 'a' }] })],
  ['order of null', inSpec({ '$setElementOrder/containers': [null], containers: [{ name: 'a' }, { name: 'b' }] })],
  ['no order', inSpec({ '$setElementOrder/containers': null, containers: [{ name: 'a' }] })],
  ['order without keys', inSpec({ '$setElementOrder/containers': [{}] })],
  ['order of another type', inSpec({ '$setElementOrder/containers': 'a' })],
  ['order of nothing', inSpec({ '$setElementOrder/': [] })],
  ['order without a slash', inSpec({ $setElementOrder: [] })],
  ['order of an unknown list', inSpec({ '$setElementOrder/nothing': [] })],
  ['order of a list within labels', { metadata: { labels: { '$setElementOrder/labels': [null, 1] } } }],
  [
    'order of secrets',
    inSpec({
      '$setElementOrder/imagePullSecrets': [{ name: 't' }, { name: 'u' }, { name: 's' }],
      imagePullSecrets: [{ name: 'u' }],
    }),
  ],
  [
    'order and delete',
    inSpec({ '$setElementOrder/containers': [{ name: 'b' }], containers: [{ name: 'a', $patch: 'delete' }] }),
  ],
  ['finalizers', { metadata: { finalizers: ['x.example.com/c', 'x.example.com/a'] } }],
  [
    'finalizers in an order',
    {
      metadata: {
        '$setElementOrder/finalizers': ['x.example.com/b', 'x.example.com/c', 'x.example.com/a'],
        finalizers: ['x.example.com/c'],
      },
    },
  ],
  ['finalizers to delete', { metadata: { '$deleteFromPrimitiveList/finalizers': ['x.example.com/a'] } }],
  [
    'finalizers to delete and add',
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['x.example.com/a'], finalizers: ['x.example.com/z'] } },
  ],
  [
    'finalizers to delete that are not there',
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['x.example.com/q'] } },
  ],
  ['items to delete from a list of maps', inSpec({ '$deleteFromPrimitiveList/containers': [{ name: 'a' }] })],
  ['items to delete of another type', { metadata: { '$deleteFromPrimitiveList/finalizers': 'x' } }],
  ['items to delete without a slash', { metadata: { $deleteFromPrimitiveList: ['x'] } }],
  ['items to delete from a list that is not merged', inA({ '$deleteFromPrimitiveList/args': ['x'] })],
  ['groups', inSpec({ securityContext: { supplementalGroups: [3] } })],
  ['sysctls', inSpec({ securityContext: { sysctls: [{ name: 't', value: '2' }] } })],
  ['constraints by key', inSpec({ topologySpreadConstraints: [{ topologyKey: 'zone', maxSkew: 5 }] })],
  ['aliases by address', inSpec({ hostAliases: [{ ip: '1.2.3.4', hostnames: ['i'] }] })],
  ['an unknown field', { foo: 1 }],
  ['an unknown field in an item', inA({ foo: 1 })],
  ['an unknown object', inSpec({ foo: { bar: 1 } })],
  ['a scalar for an object', { template: 'x' }],
  ['a scalar for a list', inSpec({ containers: 'x' })],
  ['an object for a list', inSpec({ containers: { name: 'a' } })],
  ['a list for an object', inSpec([])],
  ['a list of lists', inSpec({ containers: [[]] })],
  ['lists of several types', inSpec({ containers: [{ name: 'a' }, 'b'] })],
  ['a number for a text', inA({ image: 5 })],
  ['a text for a number', inSpec({ terminationGracePeriodSeconds: 'x' })],
  ['an invalid value', inSpec({ restartPolicy: 'Sometimes' })],
  ['another kind', { kind: 'Pod' }],
  ['another version', { apiVersion: 'v2' }],
  ['no kind', { kind: null, apiVersion: null }],
  ['another name', { metadata: { name: 'x' } }],
  ['its version', { metadata: { resourceVersion: '{made.rv}' } }],
  ['another version of the object', { metadata: { resourceVersion: '1' } }],
  ['another uid', { metadata: { uid: 'x' } }],
  ['labels', { metadata: { labels: { x: null, z: '1' } } }],
  ['owners by uid', { metadata: { ownerReferences: [{ uid: 'u', apiVersion: 'v1', kind: 'ConfigMap', name: 'c' }] } }],
  ['a list', []],
  ['null', null],
  ['a text', 'x'],
]

const subject = new ObjectSteps('strategic', '/api/v1/namespaces/{ns}/podtemplates', 'v1 PodTemplate')
const levels = ['Strict', 'Warn', 'Ignore']
const raw = (what: string, text: string, query: string): Step => ({
  ...subject.patch(what, 'strategic', {}, { query }),
  body: null,
  text,
})

export const steps: readonly Step[] = [
  subject.create(start, { as: 'made' }),
  ...patches.map(([what, patch]) => subject.patch(what, 'strategic', patch, { query: 'dryRun=All' })),
  subject.get('is unharmed'),
  ...levels.map((level) =>
    raw(
      `keys twice by ${level}`,
      '{"metadata":{"labels":{"q":"1","q":"2"}},"foo":1}',
      `dryRun=All&fieldValidation=${level}`,
    ),
  ),
  ...levels.map((level) =>
    subject.patch(`unknown fields by ${level}`, 'strategic', inA({ foo: 1, image: level }), {
      query: `dryRun=All&fieldValidation=${level}`,
    }),
  ),
  raw('no JSON', '{', 'dryRun=All'),
  raw('no text', '', 'dryRun=All'),
  subject.patch('for good', 'strategic', inA({ image: 'a:3' })),
  subject.patch('again', 'strategic', inA({ image: 'a:3' })),
]
