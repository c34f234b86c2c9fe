import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { long } from '../../../support/long-tests.ts'
import { customResourceDefinition, Sandbox, settle } from '../sandbox.ts'

const GROUP = '/apis/admissionregistration.k8s.io/v1'
const MAPS = '/api/v1/namespaces/default/configmaps'
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets'
const EVERYTHING = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }
const ON_MAPS = { resourceRules: [{ ...EVERYTHING, apiGroups: [''], resources: ['configmaps'] }] }
const EXPENSIVE = 'object.data.l.split("").all(a, object.data.l.split("").all(b, object.data.l.split("").all(c, true)))'

interface Row {
  readonly name: string
  readonly kind?: 'Validating' | 'Mutating'
  readonly policy: JsonObject
  readonly binding?: JsonObject
  readonly path?: string
  readonly body?: JsonObject
  readonly status: number
  readonly message?: RegExp | string
  readonly has?: JsonObject
  readonly long?: true
}

const deny = (more: JsonObject = {}): JsonObject => ({ validations: [{ expression: 'false', message: 'no' }], ...more })
const check = (expression: string, more: JsonObject = {}): JsonObject => ({ validations: [{ expression }], ...more })
const json = (expression: string, more: JsonObject = {}): JsonObject => ({
  reinvocationPolicy: 'Never',
  mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
  ...more,
})
const apply = (expression: string, more: JsonObject = {}): JsonObject => ({
  reinvocationPolicy: 'Never',
  mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
  ...more,
})
const onWidgets = (version: string, more: JsonObject = {}): JsonObject => ({
  matchConstraints: {
    matchPolicy: 'Equivalent',
    resourceRules: [{ ...EVERYTHING, apiGroups: ['example.com'], apiVersions: [version], resources: ['widgets'] }],
    ...more,
  },
})
const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, size: 1 }
const longText = { data: { l: 'x'.repeat(1500) } }

const DEAR = 'object.data.l.split("").all(a, object.data.l.split("").all(b, true))'
const MANY = Array.from({ length: 34 }, (_, index) => `v${index}`)
const ALL_DEAR = MANY.map((name) => `variables.${name}`).join(' && ')
const dear = { data: { l: 'x'.repeat(400) } }
const variables = MANY.map((name) => ({ name, expression: DEAR }))

/** Each expression may cost what it does: all of them together may not. */
const TOGETHER: readonly Row[] = [
  { name: 'validations', policy: { validations: MANY.map(() => ({ expression: DEAR })) }, status: 422 },
  { name: 'variables', policy: check(ALL_DEAR, { variables }), status: 422 },
  {
    name: 'variables of a message',
    policy: {
      variables,
      validations: [{ expression: 'false', messageExpression: `${ALL_DEAR} ? 'a' : 'b'` }],
    },
    status: 422,
  },
  {
    name: 'conditions',
    policy: deny({ matchConditions: MANY.map((name) => ({ name, expression: DEAR })) }),
    status: 422,
  },
  {
    name: 'variables of a mutation',
    kind: 'Mutating' as const,
    policy: json(`[JSONPatch{op: "add", path: "/data/x", value: ${ALL_DEAR}}]`, { variables }),
    status: 403,
  },
].map((row) => ({
  ...row,
  name: `a sum of ${row.name} that is too much`,
  long: true as const,
  body: dear,
  message: /validation failed due to running out of cost budget, no further validation rules will be run$/,
}))

const ROWS: readonly Row[] = [
  ...TOGETHER,
  {
    name: 'a variable that is asked for twice',
    policy: check('variables.v + variables.v == 2', { variables: [{ name: 'v', expression: '1' }] }),
    status: 201,
  },
  {
    name: 'a patch of too many operations',
    kind: 'Mutating',
    policy: json('lists.range(10001).map(x, JSONPatch{op: "test", path: "/kind", value: "ConfigMap"})'),
    status: 403,
    message: /allowed maximum operations in a JSON patch is 10000/,
  },
  {
    name: 'a selector, which is replaced as a whole',
    kind: 'Mutating',
    policy: apply('Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {"a": "b"}}}}', {
      matchConstraints: { resourceRules: [{ ...EVERYTHING, apiGroups: ['apps'], resources: ['deployments'] }] },
    }),
    path: '/apis/apps/v1/namespaces/default/deployments',
    body: {
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'c' }] } },
      },
    },
    status: 403,
    message: /may not mutate atomic arrays, maps or structs: .spec.selector/,
  },
  {
    name: 'a binding of another policy',
    policy: deny(),
    binding: { policyName: 'other' },
    status: 201,
  },
  {
    name: 'a name that is still to be made',
    policy: deny(),
    body: { metadata: { generateName: 'a-' } },
    status: 422,
    message: /^configmaps "a-[a-z0-9]{5}" is forbidden: .* denied request: no$/,
  },
  {
    name: 'a group of its own',
    policy: deny(onWidgets('v1')),
    path: WIDGETS,
    body: widget,
    status: 422,
    message: /^widgets.example.com "a" is forbidden: /,
    has: { details: { name: 'a', group: 'example.com', kind: 'widgets' } },
  },
  {
    name: 'another version of the resource',
    policy: check("object.apiVersion != 'example.com/v2'", onWidgets('v2')),
    path: WIDGETS,
    body: widget,
    status: 422,
  },
  { name: 'a version that is not served', policy: deny(onWidgets('v9')), path: WIDGETS, body: widget, status: 201 },
  {
    name: 'a version exactly',
    policy: deny(onWidgets('v2', { matchPolicy: 'Exact' })),
    path: WIDGETS,
    body: widget,
    status: 201,
  },
  {
    name: 'namespaced resources alone, of a cluster-scoped one',
    policy: deny({ matchConstraints: { resourceRules: [{ ...EVERYTHING, scope: 'Namespaced' }] } }),
    path: '/api/v1/namespaces',
    body: { metadata: { name: 'other' } },
    status: 201,
  },
  {
    name: 'namespaced resources alone, of one',
    policy: deny({ matchConstraints: { resourceRules: [{ ...EVERYTHING, scope: 'Namespaced' }] } }),
    status: 422,
  },
  {
    name: 'a selector of expressions',
    policy: deny({
      matchConstraints: {
        ...ON_MAPS,
        objectSelector: { matchExpressions: [{ key: 'skip', operator: 'Exists' }] },
      },
    }),
    status: 201,
  },
  {
    name: 'a namespace, of a cluster-scoped resource',
    policy: deny({
      matchConstraints: {
        resourceRules: [{ ...EVERYTHING, resources: ['priorityclasses'] }],
        namespaceSelector: { matchLabels: { a: 'b' } },
      },
    }),
    path: '/apis/scheduling.k8s.io/v1/priorityclasses',
    body: { metadata: { name: 'x' }, value: 1 },
    status: 422,
  },
  {
    name: 'no namespace object for a cluster-scoped resource',
    policy: check('namespaceObject == null', {
      matchConstraints: { resourceRules: [{ ...EVERYTHING, resources: ['priorityclasses'] }] },
    }),
    path: '/apis/scheduling.k8s.io/v1/priorityclasses',
    body: { metadata: { name: 'x' }, value: 1 },
    status: 201,
  },
  {
    name: 'a binding about something else',
    policy: deny(),
    binding: { matchResources: { resourceRules: [{ ...EVERYTHING, resources: ['pods'] }] } },
    status: 201,
  },
  {
    name: 'a condition that does not hold',
    policy: deny({ matchConditions: [{ name: 'a', expression: 'false' }] }),
    status: 201,
  },
  {
    name: 'an expression that costs too much',
    policy: check(EXPENSIVE),
    body: longText,
    status: 422,
    message: /cost/,
  },
  {
    name: 'a variable that costs too much',
    policy: check('variables.x', { variables: [{ name: 'x', expression: EXPENSIVE }] }),
    body: longText,
    status: 422,
    message: /cost/,
  },
  {
    name: 'a condition that costs too much',
    policy: deny({ matchConditions: [{ name: 'a', expression: EXPENSIVE }] }),
    body: longText,
    status: 422,
    message: /cost/,
  },
  {
    name: 'a message that costs too much',
    policy: { validations: [{ expression: 'false', messageExpression: `string(${EXPENSIVE})` }] },
    body: longText,
    status: 422,
    message: /denied request: /,
  },
  {
    name: 'parameters of the cluster in a namespace',
    policy: deny({ paramKind: { apiVersion: 'v1', kind: 'Namespace' } }),
    binding: { paramRef: { name: 'default', namespace: 'default', parameterNotFoundAction: 'Deny' } },
    status: 422,
    message: /failed to configure binding: paramRef.namespace must not be provided for a cluster-scoped `paramKind`$/,
  },
  {
    name: 'parameters of the cluster',
    policy: check("params.metadata.name == 'kube-system'", { paramKind: { apiVersion: 'v1', kind: 'Namespace' } }),
    binding: { paramRef: { name: 'default', parameterNotFoundAction: 'Deny' } },
    status: 422,
  },
  {
    name: 'parameters of a namespace for the cluster',
    policy: deny({
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: { resourceRules: [{ ...EVERYTHING, resources: ['priorityclasses'] }] },
    }),
    binding: { paramRef: { name: 'default', parameterNotFoundAction: 'Deny' } },
    path: '/apis/scheduling.k8s.io/v1/priorityclasses',
    body: { metadata: { name: 'x' }, value: 1 },
    status: 422,
    message: /cannot use namespaced paramRef in policy binding that matches cluster-scoped resources$/,
  },
  {
    name: 'another version of what it changes',
    kind: 'Mutating',
    policy: json('[JSONPatch{op: "add", path: "/seen", value: object.apiVersion}]', onWidgets('v2')),
    path: WIDGETS,
    body: widget,
    status: 201,
    has: { apiVersion: 'example.com/v1', seen: 'example.com/v2' },
  },
  {
    name: 'a field that no schema knows',
    kind: 'Mutating',
    policy: apply('Object{metadata: Object.metadata{labels: {"a": "b"}}, free: {"x": 1}}', onWidgets('v1')),
    path: WIDGETS,
    body: widget,
    status: 201,
    has: { free: { x: 1 } },
  },
  {
    name: 'a name to be made, and fails',
    kind: 'Mutating',
    policy: json('[JSONPatch{op: "remove", path: "/nothing/there"}]'),
    body: { metadata: { generateName: 'a-' } },
    status: 403,
    message: /denied request: JSON Patch: /,
  },
  {
    name: 'an object without any name, and fails',
    kind: 'Mutating',
    policy: json('[JSONPatch{op: "remove", path: "/nothing/there"}]'),
    body: { metadata: {} },
    status: 403,
    has: { details: { name: 'Unknown', kind: 'configmaps' } },
  },
  {
    name: 'a group of its own, and fails',
    kind: 'Mutating',
    policy: json('[JSONPatch{op: "replace", path: "/nothing/there", value: 1}]', onWidgets('v1')),
    path: WIDGETS,
    body: widget,
    status: 403,
    has: { details: { name: 'a', group: 'example.com', kind: 'widgets' } },
  },
  {
    name: 'a parameter kind that is not there',
    kind: 'Mutating',
    policy: json('[JSONPatch{op: "add", path: "/data", value: 1}]', {
      paramKind: { apiVersion: 'x.example.com/v1', kind: 'Thing' },
    }),
    binding: { paramRef: { name: 'x', parameterNotFoundAction: 'Deny' } },
    status: 403,
    message: /^policy "p" denied request: failed to configure policy: failed to find resource referenced by paramKind/,
    has: { reason: 'Forbidden' },
  },
  {
    name: 'an expression that costs too much to change with',
    kind: 'Mutating',
    policy: json(`[JSONPatch{op: "add", path: "/data/x", value: ${EXPENSIVE}}]`),
    body: longText,
    status: 403,
    message: /cost/,
  },
  {
    name: 'an operation that JSON Patch does not have',
    kind: 'Mutating',
    policy: json('[JSONPatch{op: "swap", path: "/data", value: 1}]'),
    status: 403,
    message: /denied request: JSON Patch: /,
  },
]

describe('Admission policies', () => {
  const sandbox = new Sandbox()
  before(async () => {
    await sandbox.start()
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
    const versions = ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema }))
    sandbox.objects.create(customResourceDefinition('widgets', 'Widget', { versions }), 'test')
    await settle()
  })
  after(() => sandbox.stop())

  async function install({ kind = 'Validating', policy, binding }: Row): Promise<readonly string[]> {
    const made = [
      [`${kind.toLowerCase()}admissionpolicies`, { matchConstraints: ON_MAPS, ...policy }],
      [
        `${kind.toLowerCase()}admissionpolicybindings`,
        { policyName: 'p', ...(kind === 'Validating' && { validationActions: ['Deny'] }), ...binding },
      ],
    ] as const
    for (const [plural, spec] of made) {
      const created = await sandbox.send('POST', `${GROUP}/${plural}`, { body: { metadata: { name: 'p' }, spec } })
      expect(created.status, created.text).to.equal(201)
    }
    return made.map(([plural]) => `${GROUP}/${plural}/p`)
  }

  for (const row of ROWS) {
    long.when(row.long ?? false).it(`heed ${row.name}`, async function () {
      this.timeout(60_000)
      const paths = await install(row)
      const body = { metadata: { name: 'a' }, ...row.body }
      const answer = await sandbox.send('POST', `${row.path ?? MAPS}?dryRun=All`, { body })
      for (const path of paths) await sandbox.send('DELETE', path)
      expect(answer.status, answer.text).to.equal(row.status)
      if (row.message !== undefined) expect(answer.body.message).to.match(new RegExp(row.message))
      for (const [name, value] of Object.entries(row.has ?? {})) {
        if (name === 'details') expect(answer.body.details).to.deep.include(value as JsonObject)
        else expect(answer.body[name]).to.deep.equal(value)
      }
    })
  }

  it('see subresources by their names', async () => {
    sandbox.objects.create(
      {
        apiVersion: 'v1',
        kind: 'ReplicationController',
        metadata: { name: 'rc', namespace: 'default' },
        spec: {
          replicas: 0,
          selector: { a: 'b' },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
        },
      } as KubeObject,
      'test',
    )
    const paths = await install({
      name: '',
      status: 0,
      policy: {
        matchConstraints: { resourceRules: [{ ...EVERYTHING, resources: ['replicationcontrollers/scale'] }] },
        validations: [
          {
            expression: 'false',
            messageExpression: "request.subResource + ' ' + request.requestSubResource + ' ' + object.kind",
          },
        ],
      },
    })
    const path = '/api/v1/namespaces/default/replicationcontrollers/rc/scale'
    const { body } = await sandbox.send('GET', path)
    const answer = await sandbox.send('PUT', path, { body: { ...body, spec: { replicas: 1 } } })
    for (const each of paths) await sandbox.send('DELETE', each)
    expect(answer.body.message).to.match(/denied request: scale scale Scale$/)
  })
})
