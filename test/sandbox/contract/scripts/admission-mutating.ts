import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { change, createPolicy, type PolicyCase, removePolicy, write } from '../policy-steps.ts'

const KIND = 'MutatingAdmissionPolicy'
const APPLY = { 'content-type': 'application/apply-patch+yaml' }
const DEPLOYMENTS = '/apis/apps/v1/namespaces/{ns}/deployments'

function apply(...expressions: readonly string[]): JsonObject {
  return {
    reinvocationPolicy: 'Never',
    mutations: expressions.map((expression) => ({
      patchType: 'ApplyConfiguration',
      applyConfiguration: { expression },
    })),
  }
}

function json(...expressions: readonly string[]): JsonObject {
  return {
    reinvocationPolicy: 'Never',
    mutations: expressions.map((expression) => ({ patchType: 'JSONPatch', jsonPatch: { expression } })),
  }
}

const forDeployments = {
  resourceRules: [
    { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['deployments'] },
  ],
}

const CASES: readonly PolicyCase[] = [
  { name: 'label', policy: apply('Object{metadata: Object.metadata{labels: {"added": "yes"}}}') },
  { name: 'data', policy: apply('Object{data: {"size": object.data.size + "0", "more": "1"}}') },
  { name: 'patched', policy: json('[JSONPatch{op: "add", path: "/metadata/labels/added", value: "yes"}]') },
  {
    name: 'removed',
    policy: json(
      '[JSONPatch{op: "remove", path: "/data/size"}, JSONPatch{op: "add", path: "/data/other", value: "x"}]',
    ),
  },
  { name: 'replaced', policy: json('[JSONPatch{op: "replace", path: "/data", value: {"only": "this"}}]') },
  { name: 'moved', policy: json('[JSONPatch{op: "move", from: "/data/size", path: "/data/weight"}]') },
  {
    name: 'tested',
    policy: json(
      '[JSONPatch{op: "test", path: "/data/size", value: "12"}, JSONPatch{op: "add", path: "/data/tested", value: "yes"}]',
    ),
  },
  {
    name: 'conditional',
    policy: json(
      'has(object.data) && "size" in object.data ? [JSONPatch{op: "add", path: "/data/seen", value: object.data.size}] : []',
    ),
  },
  { name: 'two', policy: apply('Object{data: {"one": "1"}}', 'Object{data: {"two": object.data.one + "2"}}') },
  {
    name: 'mixed',
    policy: {
      reinvocationPolicy: 'Never',
      mutations: [
        { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{data: {"one": "1"}}' } },
        {
          patchType: 'JSONPatch',
          jsonPatch: { expression: '[JSONPatch{op: "copy", from: "/data/one", path: "/data/three"}]' },
        },
      ],
    },
  },
  {
    name: 'variables',
    policy: {
      ...apply('Object{data: {"half": string(variables.half)}}'),
      variables: [
        { name: 'size', expression: 'int(object.data.size)' },
        { name: 'half', expression: 'variables.size / 2' },
      ],
    },
  },
  {
    name: 'condition',
    policy: {
      ...apply('Object{data: {"added": "yes"}}'),
      matchConditions: [{ name: 'sized', expression: '"size" in object.data' }],
    },
  },
  { name: 'failing', policy: apply('Object{data: {"x": object.data.missing}}') },
  { name: 'ignored', policy: { ...apply('Object{data: {"x": object.data.missing}}'), failurePolicy: 'Ignore' } },
  { name: 'broken', policy: json('[JSONPatch{op: "remove", path: "/data/missing"}]') },
  { name: 'unknown', policy: apply('Object{nothing: "x"}') },
  { name: 'wrongname', policy: apply('Object{metadata: Object.spec{labels: {"a": "b"}}}') },
  {
    name: 'params',
    policy: {
      ...apply('Object{data: params.metadata.annotations}'),
      paramKind: { apiVersion: 'v1', kind: 'ServiceAccount' },
    },
    binding: { paramRef: { name: 'defaults', namespace: '{ns}', parameterNotFoundAction: 'Deny' } },
  },
  {
    name: 'again',
    policy: {
      ...json(
        '[JSONPatch{op: "add", path: "/data/count", value: ("count" in object.data ? object.data.count : "") + "x"}]',
      ),
      reinvocationPolicy: 'IfNeeded',
    },
  },
  {
    name: 'request',
    policy: apply('Object{data: {"operation": request.operation, "old": string(oldObject != null)}}'),
  },
  {
    name: 'replicas',
    policy: { ...apply('Object{spec: Object.spec{replicas: 5}}'), matchConstraints: forDeployments },
  },
  {
    name: 'sidecar',
    policy: {
      ...apply(
        'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: "side", image: "side:1"}]}}}}',
      ),
      matchConstraints: forDeployments,
    },
  },
  {
    name: 'atomic',
    policy: {
      ...apply(
        'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: "a", command: ["x"]}]}}}}',
      ),
      matchConstraints: forDeployments,
    },
  },
  { name: 'last', policy: apply('Object{data: {"last": "yes"}}') },
]

function deployment(name: string): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: { case: name } },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { schedulerName: 'nobody', containers: [{ name: 'a', image: 'a:1' }] },
      },
    },
  }
}

/** By trial: no controller of the real server is to act on it. */
function create(name: string): Step {
  return { name: `${name}: create`, method: 'POST', path: `${DEPLOYMENTS}?dryRun=All`, body: deployment(name) }
}

const applied = (what: string, data: JsonObject): Step => ({
  name: `apply ${what}`,
  method: 'PATCH',
  path: '/api/v1/namespaces/{ns}/configmaps/applied?fieldManager=me&force=true',
  headers: APPLY,
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied', labels: { case: 'data' } }, data },
})

const size = { size: '12' }

export const steps: readonly Step[] = [
  {
    name: 'the defaults',
    method: 'POST',
    path: '/api/v1/namespaces/{ns}/serviceaccounts',
    body: { metadata: { name: 'defaults', annotations: { a: 'b' } } },
  },
  ...CASES.flatMap((each) => createPolicy(KIND, each)),
  write('last', 'until it acts', {}, { until: (body) => JSON.stringify(body).includes('"last":"yes"') }),
  write('params', 'until they are found', {}, { until: (body) => JSON.stringify(body).includes('"a":"b"') }),
  ...CASES.slice(0, 20)
    .filter(({ name }) => name !== 'params')
    .map(({ name }) => write(name, 'a sized one', size)),
  ...['label', 'patched', 'removed', 'tested', 'conditional', 'condition', 'broken'].map((name) =>
    write(name, 'another', { other: 'x' }),
  ),
  ...['replicas', 'sidecar', 'atomic'].map(create),
  write('label', 'kept', size, { real: true }),
  change('label', 'changed', 'kept', { data: { size: '13' } }),
  change('label', 'asked to lose it', 'kept', { metadata: { labels: { added: null } } }),
  write('request', 'made', size, { real: true }),
  change('request', 'touched', 'made', { data: { size: '1' } }),
  applied('creates', size),
  applied('again', size),
  applied('another value', { size: '13' }),
  applied('the other value again', { size: '13' }),
  { name: 'get what was applied', method: 'GET', path: '/api/v1/namespaces/{ns}/configmaps/applied' },
  ...CASES.flatMap((each) => removePolicy(KIND, each)),
]
