import { type Base, basesOf } from './base.ts'

const SELECTOR = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] }
const RULE = { apiGroups: [''], resources: ['pods'], resourceNames: ['a'], verbs: ['get'] }
const SUBJECTS = [
  { kind: 'ServiceAccount', name: 'a', namespace: 'b' },
  { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'a' },
]
const RESOURCE_ATTRIBUTES = {
  group: 'apps',
  name: 'a',
  namespace: 'b',
  resource: 'deployments',
  subresource: 'scale',
  verb: 'get',
  version: 'v1',
  fieldSelector: { requirements: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] },
  labelSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
}
const PATH_ATTRIBUTES = { path: '/healthz', verb: 'get' }
const WHO = { user: 'a', uid: 'b', groups: ['c'], extra: { a: ['b'] } }

/** A certificate request for `CN=fields`. No authority has signed it. */
const REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlITU1ITUNBUUF3RVRFUE1BMEdBMVVFQXd3R1ptbGxiR1J6TUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowRApBUWNEUWdBRWRKT3JGZC85RFlvVlFqeWpqd0VCaEFqUG15S3EwbWtDcW92VjdkNENuWS9VeFA4VXhwbTNmYStwCmNnZzBNa2NETTEySXhNdWphRzNxN2hqTTdEbWVCcUFBTUFvR0NDcUdTTTQ5QkFNQ0Ewa0FNRVlDSVFDckFyVjcKMzdHQkZJRkJaNXFDMHV4MHB3amUrU0k5UEVWOVRaVGw5c2NYaVFJaEFQR0lxck9KWWg3YlhXZ0JoUHNxb29iWgppQ09PUTY0ZHN6MHZqUWtqRDBHaAotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K'

export const ACCESS: readonly Base[] = [
  ...basesOf('rbac.authorization.k8s.io', 'v1', 'Role', { reader: { rules: [RULE] } }),
  ...basesOf('rbac.authorization.k8s.io', 'v1', 'ClusterRole', {
    reader: { rules: [RULE, { nonResourceURLs: ['/healthz'], verbs: ['get'] }] },
    all: { aggregationRule: { clusterRoleSelectors: [SELECTOR] } },
  }),
  ...basesOf('rbac.authorization.k8s.io', 'v1', 'RoleBinding', {
    readers: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: SUBJECTS,
    },
  }),
  ...basesOf('rbac.authorization.k8s.io', 'v1', 'ClusterRoleBinding', {
    readers: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: SUBJECTS,
    },
  }),
  ...basesOf('authentication.k8s.io', 'v1', 'TokenReview', {
    review: { metadata: {}, spec: { token: 'a', audiences: ['b'] } },
  }),
  ...basesOf('authorization.k8s.io', 'v1', 'SubjectAccessReview', {
    resource: { metadata: {}, spec: { ...WHO, resourceAttributes: RESOURCE_ATTRIBUTES } },
    path: { metadata: {}, spec: { ...WHO, nonResourceAttributes: PATH_ATTRIBUTES } },
  }),
  ...basesOf('authorization.k8s.io', 'v1', 'SelfSubjectAccessReview', {
    resource: { metadata: {}, spec: { resourceAttributes: RESOURCE_ATTRIBUTES } },
    path: { metadata: {}, spec: { nonResourceAttributes: PATH_ATTRIBUTES } },
  }),
  ...basesOf('authorization.k8s.io', 'v1', 'LocalSubjectAccessReview', {
    resource: {
      metadata: {},
      spec: {
        ...WHO,
        resourceAttributes: { ...RESOURCE_ATTRIBUTES, namespace: 'fields-localsubjectaccessreviews-authorization-v1' },
      },
    },
  }),
  ...basesOf('authorization.k8s.io', 'v1', 'SelfSubjectRulesReview', {
    rules: { metadata: {}, spec: { namespace: 'default' } },
  }),
  ...basesOf('', 'v1', 'ServiceAccount', {
    robot: {
      automountServiceAccountToken: true,
      imagePullSecrets: [{ name: 'pull' }],
      secrets: [
        { kind: 'Secret', apiVersion: 'v1', name: 'a', namespace: 'b', uid: 'c', resourceVersion: '1', fieldPath: 'd' },
      ],
    },
  }),
  ...basesOf('certificates.k8s.io', 'v1', 'CertificateSigningRequest', {
    fields: {
      spec: {
        request: REQUEST,
        signerName: 'example.com/signer',
        expirationSeconds: 3600,
        usages: ['digital signature', 'client auth'],
      },
    },
  }),
]
