import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const metadata = { name: 'x' }
const made = (name: string, path: string, body: JsonObject): Step => ({
  name,
  method: 'POST',
  path: `${path}?dryRun=All`,
  body: { metadata, ...body },
})
const ADMISSION = '/apis/admissionregistration.k8s.io/v1'
const RBAC = '/apis/rbac.authorization.k8s.io/v1'

const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }
const policy = (name: string, matchConstraints: JsonObject): Step =>
  made(`ValidatingAdmissionPolicy: ${name}`, `${ADMISSION}/validatingadmissionpolicies`, {
    spec: { matchConstraints, validations: [{ expression: 'true' }] },
  })
const binding = (name: string, matchResources: JsonObject): Step =>
  made(`ValidatingAdmissionPolicyBinding: ${name}`, `${ADMISSION}/validatingadmissionpolicybindings`, {
    spec: { policyName: 'p', validationActions: ['Deny'], matchResources },
  })
const ingress = (name: string, spec: JsonObject): Step =>
  made(`Ingress: ${name}`, '/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses', {
    spec: { defaultBackend: { service: { name: 'a', port: { number: 1 } } }, ...spec },
  })
const path = (more: JsonObject): JsonObject => ({
  rules: [
    {
      http: {
        paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'a', port: { number: 1 } } }, ...more }],
      },
    },
  ],
})
const service = (name: string, spec: JsonObject): Step =>
  made(`Service: ${name}`, '/api/v1/namespaces/{ns}/services', { spec: { ports: [{ port: 80 }], ...spec } })
const request = (name: string, spec: JsonObject): Step =>
  made(`CertificateSigningRequest: ${name}`, '/apis/certificates.k8s.io/v1/certificatesigningrequests', {
    spec: { request: 'eA==', signerName: 'example.com/a', usages: ['client auth'], ...spec },
  })
const claims = '/api/v1/namespaces/{ns}/persistentvolumeclaims'
const claimed = (name: string, body: JsonObject, query = ''): Step => ({
  name: `PersistentVolumeClaim: ${name}`,
  method: 'POST',
  path: `${claims}${query}`,
  body: {
    metadata: { name: 'c', ...(body.metadata as JsonObject | undefined) },
    spec: {
      accessModes: ['ReadWriteOnce'],
      volumeName: 'none',
      resources: { requests: { storage: '1Gi' } },
      ...(body.spec as JsonObject | undefined),
    },
  },
})
const changed = (name: string, body: JsonValue, more: Partial<Step> = {}): Step => ({
  name: `PersistentVolumeClaim: ${name}`,
  method: 'PATCH',
  path: `${claims}/c?dryRun=All`,
  headers: { 'content-type': 'application/merge-patch+json' },
  body,
  ...more,
})
const OLD_CLASS = 'volume.beta.kubernetes.io/storage-class'
const DIFF = 'the real server adds what differs, in its own notation of structs'

export const steps: readonly Step[] = [
  policy('a rule of nothing', { resourceRules: [{}] }),
  policy('a rule of empty texts', {
    resourceRules: [{ apiGroups: [''], apiVersions: [''], resources: [''], operations: [''] }],
  }),
  policy('a rule of too much', {
    resourceRules: [
      { apiGroups: ['*', 'a'], apiVersions: ['*', 'b'], resources: ['*', 'c'], operations: ['*', 'CREATE'] },
    ],
  }),
  policy('names twice', { resourceRules: [{ ...rule, resourceNames: ['a', 'a', 'b/c'] }] }),
  policy('another scope', { resourceRules: [{ ...rule, scope: 'X' }] }),
  policy('a bad exception', { resourceRules: [rule], excludeResourceRules: [{}] }),
  policy('bad selectors', { resourceRules: [rule], matchPolicy: 'X', objectSelector: { matchLabels: { 'a b': 'c' } } }),
  binding('a rule of nothing', { resourceRules: [{}] }),
  binding('bad selectors', { matchPolicy: 'X', namespaceSelector: { matchLabels: { 'a b': 'c' } } }),
  made('ClusterRole: a long label', `${RBAC}/clusterroles`, {
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'x'.repeat(64) } }] },
  }),
  made('ClusterRoleBinding: a subject of nothing', `${RBAC}/clusterrolebindings`, {
    roleRef: { kind: 'ClusterRole', name: 'a' },
    subjects: [{ kind: 'ServiceAccount', name: 'A_b' }],
  }),
  made('StorageClass: an empty policy', '/apis/storage.k8s.io/v1/storageclasses', {
    provisioner: 'a',
    reclaimPolicy: '',
  }),
  made('StorageClass: another policy', '/apis/storage.k8s.io/v1/storageclasses', {
    provisioner: 'a',
    reclaimPolicy: 'X',
  }),
  ingress('a Secret of a bad name', { tls: [{ secretName: 'Bad_Name', hosts: ['1.2.3.4', '*', 'a_b'] }] }),
  ingress('a class of a bad name', { ingressClassName: 'Bad_Name' }),
  ingress('a class of no name', { ingressClassName: '' }),
  ingress('a Service that begins with a digit', { defaultBackend: { service: { name: '1a', port: { number: 1 } } } }),
  ingress('a host that is an address', { rules: [{ host: '::1' }] }),
  ingress('a resource', { defaultBackend: { resource: { apiGroup: 'A_b', kind: 'c/d', name: '' } } }),
  ingress('a path that ends upwards', path({ path: '/a/..' })),
  ingress('a path of its own', path({ path: 'a', pathType: 'ImplementationSpecific' })),
  ingress('a path of another type', path({ path: 'a', pathType: 'X' })),
  service('no policy of families', { ipFamilyPolicy: '' }),
  service('another policy of families', { ipFamilyPolicy: 'X' }),
  service('no family', { ipFamilies: [''] }),
  service('a family twice', { ipFamilies: ['IPv4', 'IPv4'] }),
  service('two families', { ipFamilies: ['IPv4', 'IPv6'] }),
  service('the other family', { ipFamilies: ['IPv6'] }),
  service('three addresses', { clusterIPs: ['10.96.0.77', '::1', '10.96.0.78'], clusterIP: '10.96.0.77' }),
  service('None among addresses', { clusterIPs: ['None', '10.96.0.77'], clusterIP: 'None' }),
  service('two addresses', { clusterIPs: ['10.96.0.77', '10.96.0.78'], clusterIP: '10.96.0.77' }),
  service('an address of another family', { clusterIP: '10.96.0.77', ipFamilies: ['IPv6'] }),
  service('a node port twice', {
    type: 'NodePort',
    ports: [
      { name: 'a', port: 80, nodePort: 31234 },
      { name: 'b', port: 81, nodePort: 31234 },
    ],
  }),
  service('a port with its node port twice', {
    type: 'NodePort',
    ports: [
      { name: 'a', port: 80, nodePort: 31234 },
      { name: 'b', port: 80, nodePort: 31234 },
    ],
  }),
  service('a port with its node port for two protocols', {
    clusterIP: '10.96.0.79',
    type: 'NodePort',
    ports: [
      { name: 'a', port: 80, nodePort: 31234 },
      { name: 'b', port: 80, nodePort: 31234, protocol: 'UDP' },
    ],
  }),
  service('an address outside the range, in a dry run', { clusterIP: '10.0.0.12' }),
  request('what is no request', {}),
  request('usages twice', { usages: ['client auth', 'client auth'] }),
  request('other usages', { usages: ['x'] }),
  request('no usages', { usages: [] }),
  request('a signer of one part', { signerName: 'a' }),
  request('a signer of bad parts', { signerName: 'A_b/C_d' }),
  request('the old signer', { signerName: 'kubernetes.io/legacy-unknown' }),
  request('a short while', { expirationSeconds: 599 }),
  claimed('an old class', { metadata: { name: 'old', annotations: { [OLD_CLASS]: 'a' } } }, '?dryRun=All'),
  claimed('created', { metadata: { annotations: { [OLD_CLASS]: 'a' } } }),
  changed('another old class', { metadata: { annotations: { [OLD_CLASS]: 'b' } } }),
  changed('a class', { spec: { storageClassName: 'a' } }),
  changed('another class', { spec: { storageClassName: 'b' } }, { differs: DIFF }),
  changed('no storage', { spec: { resources: { requests: null } } }, { differs: DIFF }),
]
