import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { ObjectSteps } from '../object-steps.ts'

/** What the real server checks once for all kinds and once more for some, it says twice. */
const kinds: readonly (readonly [kind: string, plural: string, fields?: JsonObject])[] = [
  ['v1 ConfigMap', 'configmaps'],
  ['v1 Secret', 'secrets'],
  ['v1 ServiceAccount', 'serviceaccounts'],
  ['v1 PodTemplate', 'podtemplates', { template: { spec: { containers: [{ name: 'a', image: 'a' }] } } }],
  ['v1 LimitRange', 'limitranges', { spec: { limits: [] } }],
  ['v1 Endpoints', 'endpoints'],
  ['apps/v1 ControllerRevision', 'controllerrevisions', { revision: 1 }],
  ['networking.k8s.io/v1 NetworkPolicy', 'networkpolicies', { spec: { podSelector: {} } }],
  [
    'networking.k8s.io/v1 Ingress',
    'ingresses',
    { spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } } },
  ],
  ['rbac.authorization.k8s.io/v1 Role', 'roles'],
  [
    'rbac.authorization.k8s.io/v1 RoleBinding',
    'rolebindings',
    { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' } },
  ],
  ['coordination.k8s.io/v1 Lease', 'leases', { spec: { holderIdentity: 'a' } }],
  ['discovery.k8s.io/v1 EndpointSlice', 'endpointslices', { addressType: 'IPv4' }],
  ['storage.k8s.io/v1 CSIStorageCapacity', 'csistoragecapacities', { storageClassName: 'a' }],
]
const clusterKinds: readonly (readonly [kind: string, plural: string, fields?: JsonObject])[] = [
  ['rbac.authorization.k8s.io/v1 ClusterRole', 'clusterroles'],
  [
    'rbac.authorization.k8s.io/v1 ClusterRoleBinding',
    'clusterrolebindings',
    { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'a' } },
  ],
  ['scheduling.k8s.io/v1 PriorityClass', 'priorityclasses', { value: 1 }],
  ['node.k8s.io/v1 RuntimeClass', 'runtimeclasses', { handler: 'a' }],
  ['networking.k8s.io/v1 IngressClass', 'ingressclasses', { spec: { controller: 'a.io/b' } }],
  ['storage.k8s.io/v1 StorageClass', 'storageclasses', { provisioner: 'a.io/b' }],
  ['storage.k8s.io/v1 CSIDriver', 'csidrivers', { spec: {} }],
  ['admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration', 'validatingwebhookconfigurations'],
  ['admissionregistration.k8s.io/v1 MutatingWebhookConfiguration', 'mutatingwebhookconfigurations'],
  [
    'admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding',
    'validatingadmissionpolicybindings',
    { spec: { policyName: 'a', validationActions: ['Deny'] } },
  ],
]

export const steps: readonly Step[] = [
  ...kinds.flatMap(([kind, plural, fields]) => stepsOf(kind, `namespaces/{ns}/${plural}`, fields)),
  ...clusterKinds.flatMap(([kind, plural, fields]) => stepsOf(kind, plural, fields)),
]

function stepsOf(kind: string, path: string, fields: JsonObject = {}): readonly Step[] {
  const [apiVersion = '', name = ''] = kind.split(' ')
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  const thing = new ObjectSteps(name, `${root}/${path}`, kind, '-{ns}')
  const change = (what: string, metadata: JsonObject): Step => thing.patch(what, 'merge', { metadata })
  return [
    thing.create({ ...fields, metadata: { finalizers: ['x.io/a'] } }),
    change('a wrong label', { labels: { a: '-' } }),
    thing.delete(),
    change('a finalizer more', { finalizers: ['x.io/a', 'x.io/b'] }),
    change('no finalizers', { finalizers: null }),
  ]
}
