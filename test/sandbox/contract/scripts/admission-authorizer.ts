import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { createPolicy, matchCase, type PolicyCase, policyName, removePolicy, write } from '../policy-steps.ts'
import { as, createBinding, createRole, rule, untilAllowed, user } from '../user-steps.ts'

const VALIDATING = 'ValidatingAdmissionPolicy'
const MUTATING = 'MutatingAdmissionPolicy'
const MAPS = "authorizer.group('').resource('configmaps')"
const HERE = `${MAPS}.namespace('{ns}')`
const ME = as('chosen-{ns}')

/** Each is warned of when it is false. */
function asking(name: string, ...expressions: readonly string[]): PolicyCase {
  return {
    name,
    policy: { validations: expressions.map((expression) => ({ expression })) },
    binding: { validationActions: ['Warn'] },
  }
}

const CASES: readonly PolicyCase[] = [
  asking(
    'allowed',
    `${MAPS}.check('create').allowed()`,
    `!${MAPS}.check('create').allowed()`,
    `${HERE}.check('create').allowed()`,
    `!${HERE}.check('create').allowed()`,
    `${HERE}.check('delete').allowed()`,
    `!${HERE}.check('delete').allowed()`,
    `${HERE}.name('named').check('get').allowed()`,
    `!${HERE}.name('named').check('get').allowed()`,
    `${HERE}.name('other').check('get').allowed()`,
    `!${HERE}.name('other').check('get').allowed()`,
    `${HERE}.subresource('status').check('create').allowed()`,
    `!${HERE}.subresource('status').check('create').allowed()`,
    `${HERE}.subresource('').check('create').allowed()`,
    `authorizer.group('apps').resource('configmaps').namespace('{ns}').check('create').allowed()`,
  ),
  asking(
    'reasons',
    `${HERE}.check('create').reason() == ''`,
    `${HERE}.check('create').reason().contains('RBAC: allowed by RoleBinding')`,
    `!${HERE}.check('create').reason().contains('RBAC: allowed by RoleBinding')`,
    `${HERE}.check('delete').reason() == ''`,
    `${HERE}.check('create').errored()`,
    `${HERE}.check('create').error() == ''`,
    `${HERE}.check('create').error() != ''`,
    `${HERE}.fieldSelector('metadata.name=x').check('create').allowed()`,
    `!${HERE}.labelSelector('a in (b, c').check('create').allowed()`,
  ),
  asking(
    'requests',
    `authorizer.requestResource.check('create').allowed()`,
    `!authorizer.requestResource.check('create').allowed()`,
    `authorizer.requestResource.check('delete').allowed()`,
    `!authorizer.requestResource.name('named').check('get').allowed()`,
    `authorizer.requestResource.namespace('other').check('create').allowed()`,
  ),
  asking(
    'paths',
    `authorizer.path('/healthz').check('get').allowed()`,
    `!authorizer.path('/healthz').check('get').allowed()`,
    `authorizer.path('/nothing').check('get').allowed()`,
    `authorizer.path('/nothing').check('get').reason() != ''`,
  ),
  asking(
    'accounts',
    `authorizer.serviceAccount('{ns}', 'default').group('').resource('configmaps').namespace('{ns}').check('create').allowed()`,
    `!authorizer.serviceAccount('{ns}', 'default').group('').resource('configmaps').namespace('{ns}').check('create').allowed()`,
    `authorizer.serviceAccount('{ns}', 'trusted').group('').resource('secrets').namespace('{ns}').check('get').allowed()`,
    `!authorizer.serviceAccount('{ns}', 'trusted').group('').resource('secrets').namespace('{ns}').check('get').allowed()`,
  ),
  asking('no-path', `authorizer.path('').check('get').allowed()`),
  asking('blank-path', `authorizer.path('  ').check('get').allowed()`),
  asking('no-resource', `authorizer.group('').resource(' ').check('get').allowed()`),
  asking('bad-account', `authorizer.serviceAccount('{ns}', 'not@valid').path('/x').check('get').allowed()`),
  asking('bad-namespace', `authorizer.serviceAccount('a.b', 'valid').path('/x').check('get').allowed()`),
  asking('three-checks', `['a', 'b', 'c'].exists(v, ${HERE}.check(v).allowed())`),
  asking('two-checks', `['a', 'b'].exists(v, ${HERE}.check(v).allowed())`),
  asking('types', `type(${HERE}) == string`, `authorizer == authorizer`, `${HERE} == ${HERE}`),
  {
    name: 'in-conditions',
    policy: {
      validations: [{ expression: 'false', message: 'creators only' }],
      matchConditions: [{ name: 'may', expression: `!${HERE}.check('delete').allowed()` }],
    },
  },
  {
    name: 'in-variables',
    policy: {
      variables: [{ name: 'check', expression: HERE }],
      validations: [
        { expression: `variables.check.check('delete').allowed()`, messageExpression: `'may not ' + string(1)` },
      ],
    },
  },
  {
    name: 'spent',
    policy: {
      validations: [
        ...Array.from({ length: 30 }, () => ({ expression: `${HERE}.check('create').allowed()` })),
        { expression: 'false', message: 'is not reached' },
      ],
    },
  },
  {
    name: 'denied-and-spent',
    policy: {
      validations: [
        { expression: 'false', message: 'comes first' },
        ...Array.from({ length: 30 }, () => ({ expression: `${HERE}.check('create').allowed()` })),
      ],
    },
  },
  {
    name: 'spent-and-ignored',
    policy: {
      failurePolicy: 'Ignore',
      validations: [
        { expression: 'false', message: 'comes first' },
        ...Array.from({ length: 30 }, () => ({ expression: `${HERE}.check('create').allowed()` })),
      ],
    },
  },
  {
    name: 'spent-conditions',
    policy: {
      validations: [{ expression: 'false', message: 'is not reached' }],
      matchConditions: Array.from({ length: 8 }, (_, index) => ({
        name: `c${index}`,
        expression: `${HERE}.check('create').allowed()`,
      })),
    },
  },
  {
    name: 'spent-messages',
    policy: {
      validations: [
        ...Array.from({ length: 26 }, () => ({ expression: `${HERE}.check('create').allowed()` })),
        ...Array.from({ length: 4 }, () => ({
          expression: 'true',
          messageExpression: `string(lists.range(1000).map(x, lists.range(300).sum() + x).sum())`,
        })),
      ],
    },
  },
  { name: 'last', policy: { validations: [{ expression: 'false', message: 'in force' }] } },
]

const patching = (expression: string): JsonObject => ({
  reinvocationPolicy: 'Never',
  mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
})

const MUTATIONS: readonly PolicyCase[] = [
  {
    name: 'escaped',
    policy: patching(
      `[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("example.com/a"), value: "yes"}]`,
    ),
  },
  {
    name: 'escaped-both',
    policy: patching(
      `[JSONPatch{op: "add", path: "/metadata/annotations", value: {"key": jsonpatch.escapeKey("a~b/c~1")}}]`,
    ),
  },
  {
    name: 'by-rights',
    policy: patching(`[JSONPatch{op: "add", path: "/data/may", value: string(${HERE}.check("delete").allowed())}]`),
  },
]

function tried(name: string, expression: string, more: JsonObject = {}): Step {
  return {
    name,
    method: 'POST',
    path: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies?dryRun=All',
    body: {
      metadata: { name: policyName('tried') },
      spec: { matchConstraints: matchCase('tried'), validations: [{ expression, ...more }] },
    },
  }
}

export const steps: readonly Step[] = [
  createRole('Role', 'makers', [
    rule('create patch', 'configmaps'),
    rule('get', 'configmaps', { resourceNames: ['named'] }),
  ]),
  createBinding('RoleBinding', 'makers', 'Role/makers', [user('chosen-{ns}')]),
  createRole('Role', 'readers', [rule('get', 'secrets')]),
  createBinding('RoleBinding', 'readers', 'Role/readers', [
    { kind: 'ServiceAccount', name: 'trusted', namespace: '{ns}' },
  ]),
  untilAllowed('maps can be made', ME, { verb: 'create', resource: 'configmaps' }),
  ...CASES.flatMap((each) => createPolicy(VALIDATING, each)),
  ...MUTATIONS.flatMap((each) => createPolicy(MUTATING, each)),
  write('last', 'until it denies', {}, { until: 422 }),
  write('by-rights', 'until it acts', { size: '1' }, { until: (body) => JSON.stringify(body).includes('"may"') }),
  ...CASES.flatMap(({ name }) => [
    write(name, 'by whom may', { size: '1' }, { headers: ME }),
    write(name, 'by an administrator', { size: '1' }),
  ]),
  ...MUTATIONS.flatMap(({ name }) => [
    write(name, 'by whom may', { size: '1' }, { headers: ME }),
    write(name, 'by an administrator', { size: '1' }),
  ]),
  tried('an authorizer in a message', 'false', { messageExpression: `${MAPS}.check('x').reason()` }),
  tried('an escape in a validation', `jsonpatch.escapeKey('a') == 'a'`),
  tried('a decision is no answer', `${MAPS}.check('x')`),
  tried('a group cannot be checked', `authorizer.group('').check('x').allowed()`),
  tried('an authorizer has no fields', `authorizer.user == 'x'`),
  tried('a verb is a text', `${MAPS}.check(1).allowed()`),
  ...CASES.flatMap((each) => removePolicy(VALIDATING, each)),
  ...MUTATIONS.flatMap((each) => removePolicy(MUTATING, each)),
]
