import { type Base, basesOf } from './base.ts'

/** Conditions of a status. */
const REPORTED = [
  {
    type: 'A',
    status: 'True',
    reason: 'A',
    message: 'a',
    observedGeneration: 1,
    lastTransitionTime: '2020-01-01T00:00:00Z',
  },
]
const SELECTOR = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] }
/** Of a group that is not there: nothing is judged by these. */
const RULE = {
  apiGroups: ['fields.example.com'],
  apiVersions: ['v1'],
  resources: ['widgets'],
  operations: ['CREATE'],
  scope: 'Namespaced',
}
const MATCH = {
  matchPolicy: 'Exact',
  namespaceSelector: SELECTOR,
  objectSelector: SELECTOR,
  resourceRules: [{ ...RULE, resourceNames: ['a'] }],
  excludeResourceRules: [{ ...RULE, resourceNames: ['b'] }],
}
const PARAM_KIND = { apiVersion: 'v1', kind: 'ConfigMap' }
const CONDITIONS = [{ name: 'always', expression: 'true' }]
const WEBHOOK = {
  name: 'hook.example.com',
  admissionReviewVersions: ['v1'],
  clientConfig: { service: { name: 'hook', namespace: 'other', path: '/a', port: 443 } },
  failurePolicy: 'Ignore',
  matchConditions: CONDITIONS,
  matchPolicy: 'Exact',
  namespaceSelector: SELECTOR,
  objectSelector: SELECTOR,
  rules: [RULE],
  sideEffects: 'None',
  timeoutSeconds: 5,
}
const BINDING = {
  matchResources: MATCH,
  paramRef: { name: 'params', namespace: 'other', parameterNotFoundAction: 'Allow' },
  policyName: 'policy',
}
const BINDING_BY_LABELS = {
  paramRef: { selector: SELECTOR, parameterNotFoundAction: 'Deny' },
  policyName: 'policy',
}

export const POLICIES: readonly Base[] = [
  ...basesOf('admissionregistration.k8s.io', 'v1', 'ValidatingWebhookConfiguration', {
    hooks: {
      webhooks: [
        WEBHOOK,
        { ...WEBHOOK, name: 'url.example.com', clientConfig: { url: 'https://example.com/a', caBundle: 'YQ==' } },
      ],
    },
  }),
  ...basesOf('admissionregistration.k8s.io', 'v1', 'MutatingWebhookConfiguration', {
    hooks: {
      webhooks: [
        { ...WEBHOOK, reinvocationPolicy: 'IfNeeded' },
        { ...WEBHOOK, name: 'url.example.com', clientConfig: { url: 'https://example.com/a', caBundle: 'YQ==' } },
      ],
    },
  }),
  ...basesOf('admissionregistration.k8s.io', 'v1', 'ValidatingAdmissionPolicy', {
    policy: {
      spec: {
        paramKind: PARAM_KIND,
        matchConstraints: MATCH,
        matchConditions: CONDITIONS,
        failurePolicy: 'Ignore',
        variables: [{ name: 'one', expression: '1' }],
        validations: [{ expression: 'variables.one == 1', message: 'a', reason: 'Invalid', messageExpression: "'a'" }],
        auditAnnotations: [{ key: 'a', valueExpression: "'a'" }],
      },
      status: {
        observedGeneration: 1,
        typeChecking: { expressionWarnings: [{ fieldRef: 'spec.validations[0].expression', warning: 'a' }] },
        conditions: REPORTED,
      },
    },
  }),
  ...basesOf('admissionregistration.k8s.io', 'v1', 'ValidatingAdmissionPolicyBinding', {
    binding: { spec: { ...BINDING, validationActions: ['Deny', 'Audit'] } },
    labels: { spec: { ...BINDING_BY_LABELS, validationActions: ['Warn'] } },
  }),
  ...basesOf('admissionregistration.k8s.io', 'v1', 'MutatingAdmissionPolicy', {
    policy: {
      spec: {
        paramKind: PARAM_KIND,
        matchConstraints: MATCH,
        matchConditions: CONDITIONS,
        failurePolicy: 'Ignore',
        reinvocationPolicy: 'Never',
        variables: [{ name: 'one', expression: '1' }],
        mutations: [
          {
            patchType: 'ApplyConfiguration',
            applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' },
          },
          { patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "add", path: "/a", value: 1}]' } },
        ],
      },
    },
  }),
  ...basesOf('admissionregistration.k8s.io', 'v1', 'MutatingAdmissionPolicyBinding', {
    binding: { spec: BINDING },
    labels: { spec: BINDING_BY_LABELS },
  }),
  ...basesOf('policy', 'v1', 'PodDisruptionBudget', {
    most: {
      spec: { maxUnavailable: '50%', selector: SELECTOR, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
      status: {
        conditions: REPORTED,
        currentHealthy: 1,
        desiredHealthy: 1,
        disruptedPods: { a: '2020-01-01T00:00:00Z' },
        disruptionsAllowed: 1,
        expectedPods: 1,
        observedGeneration: 1,
      },
    },
    least: { spec: { minAvailable: 1, selector: SELECTOR } },
  }),
  ...basesOf('', 'v1', 'LimitRange', {
    limits: {
      spec: {
        limits: [
          {
            type: 'Container',
            max: { cpu: '2' },
            min: { cpu: '100m' },
            default: { cpu: '1' },
            defaultRequest: { cpu: '500m' },
            maxLimitRequestRatio: { cpu: '4' },
          },
        ],
      },
    },
  }),
  ...basesOf('', 'v1', 'ResourceQuota', {
    quota: {
      spec: {
        hard: { pods: '5' },
        scopes: ['NotTerminating'],
        scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['a'] }] },
      },
      status: { hard: { pods: '5' }, used: { pods: '1' } },
    },
  }),
]
