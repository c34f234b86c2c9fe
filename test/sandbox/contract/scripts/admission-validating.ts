import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { change, createPolicy, type PolicyCase, removePolicy, write } from '../policy-steps.ts'
import { as } from '../user-steps.ts'

const KIND = 'ValidatingAdmissionPolicy'
const check = (expression: string, more: JsonObject = {}): JsonObject => ({ validations: [{ expression, ...more }] })
const SMALL = 'int(object.data.size) < 10'

const CASES: readonly PolicyCase[] = [
  { name: 'plain', policy: check(SMALL) },
  { name: 'message', policy: check(SMALL, { message: ' it is too large ' }) },
  { name: 'reason', policy: check(SMALL, { message: 'no', reason: 'Forbidden' }) },
  { name: 'entity', policy: check(SMALL, { reason: 'RequestEntityTooLarge' }) },
  {
    name: 'text',
    policy: check(SMALL, { message: 'else', messageExpression: "'size is ' + object.data.size + ' of 10'" }),
  },
  { name: 'texterror', policy: check(SMALL, { message: 'else', messageExpression: 'string(object.data.nothing)' }) },
  { name: 'textblank', policy: check(SMALL, { message: 'else', messageExpression: "'  '" }) },
  { name: 'textlines', policy: check(SMALL, { messageExpression: "'a\\nb'" }) },
  { name: 'ignore', policy: { ...check(SMALL), failurePolicy: 'Ignore' } },
  {
    name: 'two',
    policy: {
      validations: [
        { expression: "'a' in object.data", message: 'a is missing' },
        { expression: "'b' in object.data", message: 'b is missing' },
      ],
    },
  },
  { name: 'warn', policy: check(SMALL, { message: 'large' }), binding: { validationActions: ['Warn'] } },
  { name: 'audit', policy: check(SMALL), binding: { validationActions: ['Audit'] } },
  { name: 'both', policy: check(SMALL), binding: { validationActions: ['Warn', 'Audit'] } },
  {
    name: 'condition',
    policy: { ...check(SMALL), matchConditions: [{ name: 'sized', expression: "'size' in object.data" }] },
  },
  {
    name: 'conditions',
    policy: {
      ...check('false'),
      matchConditions: [
        { name: 'broken', expression: "object.data.missing == 'x'" },
        { name: 'sized', expression: "'size' in object.data" },
      ],
    },
  },
  {
    name: 'variables',
    policy: {
      ...check('variables.large ? variables.ok : true', { messageExpression: "'limit ' + string(variables.limit)" }),
      variables: [
        { name: 'limit', expression: '10' },
        { name: 'large', expression: 'int(object.data.size) >= variables.limit' },
        { name: 'ok', expression: "object.data.excuse == 'fine'" },
      ],
    },
  },
  { name: 'old', policy: check('oldObject == null || object.data.size == oldObject.data.size', { message: 'fixed' }) },
  {
    name: 'request',
    policy: check(
      "request.userInfo.username == 'alice' && request.operation == 'CREATE' && request.dryRun && request.namespace == namespaceObject.metadata.name",
      {
        messageExpression:
          "request.userInfo.username + ' ' + request.operation + ' ' + request.name + ' ' + request.resource.resource + ' ' + request.kind.kind",
      },
    ),
  },
  { name: 'groups', policy: check("'team' in request.userInfo.groups", { message: 'not in the team' }) },
  {
    name: 'namespace',
    policy: check("namespaceObject.status.phase == 'Gone'", { messageExpression: 'namespaceObject.status.phase' }),
  },
  {
    name: 'params',
    policy: {
      ...check('int(object.data.size) < int(params.metadata.annotations.limit)', {
        messageExpression: "'limit ' + params.metadata.annotations.limit",
      }),
      paramKind: { apiVersion: 'v1', kind: 'ServiceAccount' },
    },
    binding: { paramRef: { name: 'limits', namespace: '{ns}', parameterNotFoundAction: 'Deny' } },
  },
  {
    name: 'absent',
    policy: { ...check("params.metadata.name == 'x'"), paramKind: { apiVersion: 'v1', kind: 'ServiceAccount' } },
    binding: { paramRef: { name: 'ghost', parameterNotFoundAction: 'Deny' } },
  },
  {
    name: 'allowed',
    policy: { ...check('false'), paramKind: { apiVersion: 'v1', kind: 'ServiceAccount' } },
    binding: { paramRef: { name: 'ghost', parameterNotFoundAction: 'Allow' } },
  },
  {
    name: 'selected',
    policy: {
      ...check('object.data.size != params.metadata.annotations.limit', {
        messageExpression: "'not ' + params.metadata.annotations.limit",
      }),
      paramKind: { apiVersion: 'v1', kind: 'ServiceAccount' },
    },
    binding: { paramRef: { selector: { matchLabels: { param: 'yes' } }, parameterNotFoundAction: 'Deny' } },
  },
  {
    name: 'noref',
    policy: {
      ...check('params == null', { message: 'there are params' }),
      paramKind: { apiVersion: 'v1', kind: 'ServiceAccount' },
    },
  },
  {
    name: 'nokind',
    policy: { ...check('true'), paramKind: { apiVersion: 'nobody.example.com/v1', kind: 'Thing' } },
    binding: { paramRef: { name: 'x', parameterNotFoundAction: 'Deny' } },
  },
  {
    name: 'names',
    policy: {
      ...check('false', { message: 'by name' }),
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['*'],
            resources: ['configmaps'],
            resourceNames: ['names-mine'],
          },
        ],
      },
    },
  },
  {
    name: 'exclude',
    policy: {
      ...check('false', { message: 'not excluded' }),
      matchConstraints: {
        excludeResourceRules: [
          { apiGroups: ['*'], apiVersions: ['*'], operations: ['UPDATE'], resources: ['*'] },
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE'],
            resources: ['configmaps'],
            resourceNames: ['exclude-me'],
          },
        ],
      },
    },
  },
  {
    name: 'delete',
    policy: {
      ...check("object == null && oldObject.data.keep != 'yes'", {
        messageExpression: "oldObject.metadata.name + ' stays'",
      }),
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['configmaps'] }],
      },
    },
  },
  {
    name: 'bound',
    policy: check('false', { message: 'bound' }),
    binding: {
      matchResources: { objectSelector: { matchLabels: { more: 'yes' } } },
    },
  },
  {
    name: 'annotations',
    policy: { ...check('true'), auditAnnotations: [{ key: 'size', valueExpression: 'object.data.size' }] },
  },
  { name: 'last', policy: check('false', { message: 'no' }) },
]

const param = (name: string, limit: string): Step => ({
  name: `params ${name}`,
  method: 'POST',
  path: '/api/v1/namespaces/{ns}/serviceaccounts',
  body: { metadata: { name, labels: { param: 'yes' }, annotations: { limit } } },
})

const SIZES = ['plain', 'message', 'reason', 'entity', 'text', 'texterror', 'textblank', 'textlines']
const large = { size: '12' }

const requests: readonly Step[] = [
  ...[...SIZES, 'warn', 'audit', 'both', 'ignore', 'condition'].map((name) => write(name, 'a large one', large)),
  ...['plain', 'text', 'warn'].map((name) => write(name, 'a small one', { size: '3' })),
  ...['plain', 'ignore', 'condition', 'warn', 'annotations'].map((name) => write(name, 'none', {})),
  write('plain', 'no number', { size: 'x' }),
  write('two', 'neither', {}),
  write('two', 'one', { a: '1' }),
  write('two', 'all', { a: '1', b: '2' }),
  write('conditions', 'a broken and a true one', large),
  write('conditions', 'a broken and a false one', {}),
  write('variables', 'a large one', large),
  write('variables', 'an excused one', { ...large, excuse: 'fine' }),
  write('variables', 'another excuse', { ...large, excuse: 'none' }),
  write('variables', 'a small one', { size: '3' }),
  write('old', 'created', { size: '3' }, { real: true }),
  change('old', 'changed', 'created', { data: { size: '4' } }),
  change('old', 'labelled', 'created', { metadata: { labels: { a: 'b' } } }),
  change('old', 'out of its sight', 'created', { metadata: { labels: { case: null } }, data: { size: '5' } }),
  write('request', 'by alice', {}, { headers: as('alice', 'system:masters') }),
  write('request', 'by bob', {}, { headers: as('bob', 'system:masters') }),
  write(
    'request',
    'for real',
    {},
    { real: true, headers: as('alice', 'system:masters'), path: '/api/v1/namespaces/{ns}/configmaps' },
  ),
  write(
    'request',
    'generated',
    {},
    {
      headers: as('bob', 'system:masters'),
      body: { metadata: { generateName: 'request-', labels: { case: 'request' } } },
    },
  ),
  write(
    'groups',
    'in the team',
    {},
    { headers: { ...as('bob', 'system:masters'), 'impersonate-group': 'system:masters' } },
  ),
  write('namespace', 'anything', {}),
  write('params', 'a large one', large, { until: (body) => JSON.stringify(body).includes('limit 5') }),
  write('params', 'a small one', { size: '3' }),
  write('absent', 'anything', {}),
  write('allowed', 'anything', {}),
  write('selected', 'the limit', { size: '5' }, { until: (body) => JSON.stringify(body).includes('not 5') }),
  write('selected', 'another size', { size: '6' }),
  write('noref', 'anything', {}),
  write('nokind', 'anything', {}),
  write('names', 'mine', {}),
  write('names', 'yours', {}),
  write('exclude', 'me', {}),
  write('exclude', 'you', {}),
  write('bound', 'without the label', {}),
  write(
    'bound',
    'with the label',
    {},
    { body: { metadata: { name: 'bound-x', labels: { case: 'bound', more: 'yes' } } } },
  ),
  write('delete', 'keep', { keep: 'yes' }, { real: true }),
  { name: 'delete what stays', method: 'DELETE', path: '/api/v1/namespaces/{ns}/configmaps/delete-keep' },
  change('delete', 'let go', 'keep', { data: { keep: 'no' } }),
  { name: 'delete what may go', method: 'DELETE', path: '/api/v1/namespaces/{ns}/configmaps/delete-keep' },
  write('nobody', 'has a policy', large),
]

export const steps: readonly Step[] = [
  param('limits', '5'),
  ...CASES.flatMap((each) => createPolicy(KIND, each)),
  write('last', 'until it is asked', {}, { until: (body) => JSON.stringify(body).includes('denied request') }),
  ...requests,
  ...CASES.flatMap((each) => removePolicy(KIND, each)),
]
