import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const GROUP = '/apis/admissionregistration.k8s.io/v1'
const RULES = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }]

function policy(name: string, spec: JsonObject, kind = 'validating'): Step {
  const path = `${GROUP}/${kind}admissionpolicies?dryRun=All`
  const body = { metadata: { name: 'x-{ns}' }, spec: { matchConstraints: { resourceRules: RULES }, ...spec } }
  return { name: `${kind}: ${name}`, method: 'POST', path, body }
}

function mutating(name: string, mutation: JsonObject, more: JsonObject = {}): Step {
  return policy(name, { reinvocationPolicy: 'Never', mutations: [mutation], ...more }, 'mutating')
}

function binding(name: string, spec: JsonObject, kind = 'validating'): Step {
  const path = `${GROUP}/${kind}admissionpolicybindings?dryRun=All`
  return { name: `${kind} binding: ${name}`, method: 'POST', path, body: { metadata: { name: 'x-{ns}' }, spec } }
}

const ok = [{ expression: 'true' }]
const apply = (expression: string): JsonObject => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
})
const json = (expression: string): JsonObject => ({ patchType: 'JSONPatch', jsonPatch: { expression } })

const EXPRESSIONS = [
  'object.data.size',
  '1 + 1',
  "'text'",
  'nothing == 1',
  'request.nothing == 1',
  'request.userInfo.username == 1',
  'request.dryRun',
  'namespaceObject.metadata.labels.size() > 0',
  'namespaceObject.metadata.managedFields == []',
  'variables.x == 1',
  'params.x == 1',
  'has(object.data) &&',
  'object.data.all(k, k != "")',
  'object.kind.matches("[")',
  ' ',
  '',
]

export const steps: readonly Step[] = [
  ...EXPRESSIONS.map((expression, index) =>
    policy(`expression ${index} ${expression}`, { validations: [{ expression }] }),
  ),
  policy('nothing at all', {}),
  policy('no rules', { matchConstraints: {}, validations: ok }),
  policy('no constraints', { matchConstraints: null, validations: ok }),
  policy('an odd failure policy', { failurePolicy: 'Maybe', validations: ok }),
  policy('an odd reason', { validations: [{ expression: 'true', reason: 'Because' }] }),
  policy('a blank message', { validations: [{ expression: 'true', message: '  ' }] }),
  policy('a message of two lines', { validations: [{ expression: 'true', message: 'a\nb' }] }),
  policy('a blank message expression', { validations: [{ expression: 'true', messageExpression: ' ' }] }),
  policy('a message expression that is a number', { validations: [{ expression: 'true', messageExpression: '1' }] }),
  policy('variables', {
    variables: [
      { name: 'a', expression: '1' },
      { name: 'b', expression: 'variables.a + 1' },
    ],
    validations: [{ expression: 'variables.b == 2' }],
  }),
  policy('variables in the wrong order', {
    variables: [
      { name: 'b', expression: 'variables.a + 1' },
      { name: 'a', expression: '1' },
    ],
    validations: ok,
  }),
  policy('a variable of another type', {
    variables: [{ name: 'a', expression: '1' }],
    validations: [{ expression: "variables.a == 'x'" }],
  }),
  policy('a variable of a bad name', { variables: [{ name: 'a-b', expression: '1' }], validations: ok }),
  policy('a variable without a name', { variables: [{ name: '', expression: '1' }], validations: ok }),
  policy('a condition that is a number', { matchConditions: [{ name: 'a', expression: '1' }], validations: ok }),
  policy('a condition without a name', { matchConditions: [{ name: '', expression: 'true' }], validations: ok }),
  policy('a condition of a bad name', { matchConditions: [{ name: 'a b', expression: 'true' }], validations: ok }),
  policy('too many conditions', {
    matchConditions: Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: 'true' })),
    validations: ok,
  }),
  policy('conditions of one name', {
    matchConditions: [
      { name: 'a', expression: 'true' },
      { name: 'a', expression: 'true' },
    ],
    validations: ok,
  }),
  policy('a parameter without a kind', { paramKind: { apiVersion: 'v1' }, validations: ok }),
  policy('a parameter in use', {
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    validations: [{ expression: 'params.data.x == "1"' }],
  }),
  mutating('an object', apply('Object{data: {"a": "b"}}')),
  mutating('a map', apply('{"data": {"a": "b"}}')),
  mutating('a number', apply('1')),
  mutating('an unknown type', apply('Thing{data: 1}')),
  mutating('a blank expression', apply(' ')),
  mutating('a patch', json('[JSONPatch{op: "add", path: "/data/a", value: "b"}]')),
  mutating('a patch that is no list', json('JSONPatch{op: "add", path: "/data/a", value: "b"}')),
  {
    ...mutating('a patch of an unknown field', json('[JSONPatch{operation: "add"}]')),
    differs:
      'the real server takes an unknown field of JSONPatch for one of a nameless type; the sandbox says that it is unknown',
  },
  mutating('a patch of an odd type', json('[JSONPatch{op: 1}]')),
  mutating('the other field', { patchType: 'JSONPatch', applyConfiguration: { expression: 'Object{}' } }),
  mutating('both fields', { ...apply('Object{}'), jsonPatch: { expression: '[]' } }),
  mutating('no type', { applyConfiguration: { expression: 'Object{}' } }),
  mutating('an odd type', { patchType: 'Merge' }),
  mutating('deletions', apply('Object{}'), {
    matchConstraints: { resourceRules: [{ ...RULES[0], operations: ['DELETE'] }] },
  }),
  policy('no mutations', { reinvocationPolicy: 'Never', mutations: [] }, 'mutating'),
  binding('no policy', { validationActions: ['Deny'] }),
  binding('a bad name', { policyName: 'A B', validationActions: ['Deny'] }),
  binding('no action', { policyName: 'x' }),
  binding('an odd action', { policyName: 'x', validationActions: ['Shout'] }),
  binding('an action twice', { policyName: 'x', validationActions: ['Warn', 'Warn'] }),
  binding('actions that say the same', { policyName: 'x', validationActions: ['Deny', 'Warn'] }),
  binding('an empty parameter', { policyName: 'x', validationActions: ['Deny'], paramRef: {} }),
  binding('a parameter in two ways', {
    policyName: 'x',
    validationActions: ['Deny'],
    paramRef: { name: 'a', selector: {}, parameterNotFoundAction: 'Deny' },
  }),
  binding('an odd action for no parameter', {
    policyName: 'x',
    validationActions: ['Deny'],
    paramRef: { name: 'a', parameterNotFoundAction: 'Wait' },
  }),
  binding('a good one', { policyName: 'x' }, 'mutating'),
  binding(
    'deletions',
    { policyName: 'x', matchResources: { resourceRules: [{ ...RULES[0], operations: ['DELETE'] }] } },
    'mutating',
  ),
]
