import { CRD } from '../../support/project-folder.ts'

/** A role, and what rights it needs. */
export interface RightsCase {
  readonly name: string
  /** Besides group, version, kind and role. */
  readonly watch?: string
  /** Instead of the kind of the CRD. */
  readonly kind?: string
  readonly role: string
  readonly crd?: string
  /** Of the roles, without those of the installation. */
  readonly rights: readonly string[]
}

export const WEB = 'group: example.com, version: v1, kind: Web'
const EVENTS = '* events create'
export const RESOURCE = ['* webs get,list,watch', '* webs/status patch', EVENTS]
const OWNED = [...RESOURCE, '* webs/finalizers update']
const FINALIZED = ['* webs get,list,patch,watch', '* webs/status patch', EVENTS]
export const CONFIG_MAP = 'apiVersion: v1, kind: ConfigMap'
const SECRET = 'apiVersion: v1, kind: Secret'
export const ensure = (metadata: string): string => `tasks: [{ensure: {${CONFIG_MAP}, metadata: {${metadata}}}}]`
export const RBAC = 'apiVersion: rbac.authorization.k8s.io/v1'
const ROLE_REF = 'roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}'
export const RULE =
  '{apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [one, two], verbs: [watch, renew]}'
export const ACKNOWLEDGED = `acknowledge: [${['Role', 'ClusterRole', 'RoleBinding'].map((kind) => `${kind}.rbac.authorization.k8s.io`)}]`
const CLUSTER_CRD = CRD.replace('scope: Namespaced', 'scope: Cluster')

export const CASES: readonly RightsCase[] = [
  {
    name: 'the resource, also read one by one for who asks what became of it, and its status',
    role: 'tasks: [{set: {a: 1}}]',
    rights: RESOURCE,
  },
  {
    name: 'a resource without its status, when neither the engine nor a task writes it',
    watch: 'manageStatus: false',
    role: 'tasks: [{set: {a: 1}}]',
    rights: ['* webs get,list,watch', EVENTS],
  },
  {
    name: 'a status that a task alone writes',
    watch: 'manageStatus: false',
    role: 'tasks: [{status: {a: 1}}]',
    rights: RESOURCE,
  },
  {
    name: 'a status that a task within another may write',
    watch: 'manageStatus: false',
    role: 'tasks: [{block: {tasks: [{status: {a: 1}}]}}]',
    rights: RESOURCE,
  },
  {
    name: 'the finalizer where children are to go first',
    watch: 'deletion: foreground',
    role: 'tasks: [{set: {a: 1}}]',
    rights: FINALIZED,
  },
  {
    name: 'objects of a computed name',
    role: ensure('name: "${metadata.name}"'),
    rights: ['* configmaps create,delete,get,list,patch,watch', ...OWNED],
  },
  {
    name: 'objects of a literal name: they are changed by it, and found by their label',
    role: ensure('name: settings'),
    rights: ['* configmaps create,delete,get,list,watch', '* configmaps/settings patch', ...OWNED],
  },
  {
    name: 'Jobs, which are noted on the resource when they have run',
    role: 'tasks: [{ensure: {apiVersion: batch/v1, kind: Job, metadata: {name: once}}}]',
    rights: ['* jobs create,delete,get,list,watch', '* jobs/once patch', ...FINALIZED, '* webs/finalizers update'],
  },
  {
    name: 'objects that stay, which take a finalizer and no owner',
    role: `tasks: [{ensure: {${CONFIG_MAP}, metadata: {name: "\${metadata.name}"}}, retain: true}]`,
    rights: ['* configmaps create,delete,get,list,patch,watch', ...FINALIZED],
  },
  {
    name: 'tasks before the end, which take a finalizer',
    role: 'tasks: [{set: {a: 1}}]\nfinalize: [{set: {a: 1}}]',
    rights: FINALIZED,
  },
  {
    name: 'fields of foreign objects, which take a finalizer',
    role: `tasks: [{patch: {${CONFIG_MAP}, metadata: {name: "\${spec.of}"}, data: {a: b}}}]`,
    rights: ['* configmaps get,list,patch,watch', ...FINALIZED],
  },
  {
    name: 'the status of a foreign object of a literal name',
    watch: 'allowedNamespaces: ["*"]',
    role: 'tasks: [{patch: {apiVersion: v1, kind: Node, metadata: {name: one}, status: {phase: Running}}}]',
    rights: ['* nodes list,watch', '* nodes/one get,patch', '* nodes/status/one patch', ...FINALIZED],
  },
  {
    name: 'one object that is read',
    role: `tasks: [{get: {${CONFIG_MAP}, name: settings}, register: a}]`,
    rights: ['* configmaps list,watch', '* configmaps/settings get', ...RESOURCE],
  },
  {
    name: 'objects that are listed: none is got',
    role: `tasks: [{list: {${CONFIG_MAP}, labels: {a: b}}, register: a}]`,
    rights: ['* configmaps list,watch', ...RESOURCE],
  },
  {
    name: 'Secrets that are listed: their data is got',
    role: 'tasks: [{list: {apiVersion: v1, kind: Secret, labels: {a: b}}, register: a}]',
    rights: ['* secrets get,list,watch', ...RESOURCE],
  },
  {
    name: 'events',
    role: 'tasks: [{event: {type: Normal, reason: Done, message: done}}]',
    rights: RESOURCE,
  },
  {
    name: 'events on what is in no namespace',
    role: 'tasks: [{event: {type: Normal, reason: Done, message: done}}]',
    crd: CLUSTER_CRD,
    rights: ['* webs get,list,watch', '* webs/status patch', 'default events create'],
  },
  {
    name: 'two namespaces',
    watch: 'namespaces: [a, b]',
    role: `tasks: [{ensure: {${CONFIG_MAP}, metadata: {name: "\${metadata.name}"}}}, {event: {type: Normal, reason: Done, message: done}}]`,
    rights: ['a', 'b'].flatMap((namespace) => [
      `${namespace} configmaps create,delete,get,list,patch,watch`,
      `${namespace} events create`,
      `${namespace} webs get,list,watch`,
      `${namespace} webs/finalizers update`,
      `${namespace} webs/status patch`,
    ]),
  },
  {
    name: 'a namespace, one that may be written and one that may be read',
    watch: 'namespaces: [a], allowedNamespaces: {read: [r], write: [w]}',
    role: `tasks: [{ensure: {${CONFIG_MAP}, metadata: {name: "\${metadata.name}"}}}, {list: {apiVersion: v1, kind: Pod, namespace: "*"}, register: p}]`,
    rights: [
      'a configmaps create,delete,get,list,patch,watch',
      'a pods list,watch',
      'a webs get,list,patch,watch',
      'a webs/finalizers update',
      'a webs/status patch',
      'a events create',
      'r configmaps list,watch',
      'r pods list,watch',
      'w configmaps create,delete,get,list,patch,watch',
    ],
  },
  {
    name: 'a namespace, where all may be read: what is made is watched everywhere, and touched in that namespace alone',
    watch: 'namespaces: [a], allowedNamespaces: {read: ["*"]}',
    role: `tasks: [{ensure: {${SECRET}, metadata: {name: "\${metadata.name}"}}}, {get: {${CONFIG_MAP}, name: s, namespace: "\${spec.of}"}, register: s}]`,
    rights: [
      '* configmaps list,watch',
      '* configmaps/s get',
      '* secrets list,watch',
      'a events create',
      'a secrets create,delete,get,patch',
      'a webs get,list,watch',
      'a webs/finalizers update',
      'a webs/status patch',
    ],
  },
  {
    name: 'a namespace, where all may be written',
    watch: 'namespaces: [a], allowedNamespaces: {write: ["*"]}',
    role: `tasks: [{patch: {${SECRET}, metadata: {name: s, namespace: "\${spec.of}"}, data: {a: b}}}, {get: {${CONFIG_MAP}, name: s}, register: s}]`,
    rights: [
      '* configmaps list,watch',
      '* secrets list,watch',
      '* secrets/s get,patch',
      'a configmaps/s get',
      'a events create',
      'a webs get,list,patch,watch',
      'a webs/status patch',
    ],
  },
  {
    name: 'namespaces whose resources may read or write in other ones, each for its own',
    watch: 'namespaces: [a, b], allowedNamespaces: {read: [r], write: [w]}',
    role: `tasks: [{ensure: {${SECRET}, metadata: {name: "\${metadata.name}", namespace: w}}}, {get: {${CONFIG_MAP}, name: s, namespace: r}, register: s}]`,
    rights: [
      ...['a', 'b'].flatMap((namespace) => [
        `${namespace} events create`,
        `${namespace} secrets list,watch`,
        `${namespace} webs get,list,patch,watch`,
        `${namespace} webs/finalizers update`,
        `${namespace} webs/status patch`,
      ]),
      'r configmaps list,watch',
      'r configmaps/s get',
      // Children are looked for wherever an entry of the kind reaches.
      'r secrets list,watch',
      'w secrets create,delete,get,list,patch,watch',
    ],
  },
  {
    name: 'resources that are in no namespace: each access where it is allowed',
    watch: 'allowedNamespaces: {read: [r], write: [w]}',
    role: `tasks: [{ensure: {${SECRET}, metadata: {name: "\${metadata.name}", namespace: "\${spec.of}"}}}, {get: {${CONFIG_MAP}, name: s, namespace: "\${spec.of}"}, register: s}]`,
    crd: CLUSTER_CRD,
    rights: [
      '* configmaps list,watch',
      '* secrets list,watch',
      '* webs get,list,watch',
      '* webs/finalizers update',
      '* webs/status patch',
      'default events create',
      'r configmaps/s get',
      'w secrets create,delete,get,patch',
    ],
  },
  {
    name: 'resources that are in no namespace, with one access that is not narrowed',
    watch: 'allowedNamespaces: {read: [r]}',
    role: `tasks: [{ensure: {${SECRET}, metadata: {name: "\${metadata.name}", namespace: "\${spec.of}"}}}]`,
    crd: CLUSTER_CRD,
    rights: [
      '* secrets create,delete,get,list,patch,watch',
      ...['* webs get,list,watch', '* webs/finalizers update', '* webs/status patch', 'default events create'],
    ],
  },
  {
    name: 'a literal namespace',
    watch: 'namespaces: [a], allowedNamespaces: [shared]',
    role: `tasks: [{get: {${CONFIG_MAP}, name: s, namespace: shared}, register: s}]`,
    rights: [
      'a events create',
      'a webs get,list,watch',
      'a webs/status patch',
      'shared configmaps list,watch',
      'shared configmaps/s get',
    ],
  },
  {
    name: 'a literal namespace, where all are watched',
    watch: 'allowedNamespaces: {read: ["*"]}',
    role: `tasks: [{get: {${CONFIG_MAP}, name: s, namespace: shared}, register: s}]`,
    rights: ['* configmaps list,watch', ...RESOURCE, 'shared configmaps/s get'],
  },
  {
    name: 'what is in no namespace, from one',
    watch: 'namespaces: [a], allowedNamespaces: {read: ["*"]}',
    role: 'tasks: [{get: {apiVersion: v1, kind: Node, name: one}, register: node}]',
    rights: [
      '* nodes list,watch',
      '* nodes/one get',
      'a events create',
      'a webs get,list,watch',
      'a webs/status patch',
    ],
  },
  {
    name: 'resources that are in no namespace, whatever namespaces are watched',
    watch: 'namespaces: [a]',
    role: ensure('name: "${metadata.name}", namespace: a'),
    crd: CLUSTER_CRD,
    rights: [
      ...OWNED.filter((right) => right !== EVENTS),
      'a configmaps create,delete,get,list,patch,watch',
      'default events create',
    ],
  },
  {
    name: 'a kind that every server has',
    kind: 'group: "", version: v1, kind: Namespace',
    role: 'tasks: [{status: {a: 1}}]',
    rights: ['* namespaces get,list,watch', '* namespaces/status patch', 'default events create'],
  },
  {
    name: 'a binding: the verb bind on the role that it names, where the binding is',
    watch: `namespaces: [a], allowedNamespaces: {write: [w]}, ${ACKNOWLEDGED}`,
    role: `tasks: [{ensure: {${RBAC}, kind: RoleBinding, metadata: {name: b, namespace: w}, ${ROLE_REF}}}]`,
    rights: [
      'a events create',
      'a rolebindings list,watch',
      'a webs get,list,patch,watch',
      'a webs/finalizers update',
      'a webs/status patch',
      'w clusterroles/edit bind',
      'w rolebindings create,delete,get,list,watch',
      'w rolebindings/b patch',
    ],
  },
  {
    name: 'a binding that is changed: as for one that is made',
    watch: ACKNOWLEDGED,
    role: `tasks: [{patch: {${RBAC}, kind: RoleBinding, metadata: {name: b, namespace: w}, ${ROLE_REF}}}]`,
    rights: ['w clusterroles/edit bind', '* rolebindings list,watch', 'w rolebindings/b get,patch', ...FINALIZED],
  },
  {
    name: 'a role: what it grants, name by name',
    watch: ACKNOWLEDGED,
    role: `tasks: [{ensure: {${RBAC}, kind: Role, metadata: {name: r}, rules: [${RULE}, {apiGroups: [""], resources: [nodes], verbs: [get]}]}}]`,
    rights: [
      ...['* leases/one renew,watch', '* leases/two renew,watch', '* nodes get'],
      '* roles create,delete,get,list,watch',
      '* roles/r patch',
      ...OWNED,
    ],
  },
]
