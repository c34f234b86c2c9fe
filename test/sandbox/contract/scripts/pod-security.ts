import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { METADATA, patch, remove, TABLE } from '../map-steps.ts'

const NAMESPACE = '/api/v1/namespaces/{ns}'
const PODS = `${NAMESPACE}/pods`
const PREFIX = 'pod-security.kubernetes.io/'
const KINDS = { apps: '/apis/apps/v1/namespaces/{ns}', batch: '/apis/batch/v1/namespaces/{ns}' }
const SOUND = { name: 'c', image: 'example.com/a' }

type Labels = Readonly<Record<string, string | null>>

const labelled = (labels: Labels): JsonObject =>
  Object.fromEntries(Object.entries(labels).map(([mode, value]) => [PREFIX + mode, value]))

const mode = (name: string, labels: Labels): Step =>
  patch(name, NAMESPACE, { metadata: { labels: labelled(labels) } }, { headers: { ...MERGING, ...METADATA } })
const MERGING = { 'content-type': 'application/merge-patch+json' }

const STRICT = {
  runAsNonRoot: true,
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
}
const strict = (name: string, more: JsonObject = {}): JsonObject => ({
  ...SOUND,
  name,
  securityContext: STRICT,
  ...more,
})

/** The metadata of a pod that is taken are compared elsewhere. */
function pod(name: string, spec: JsonObject, annotations?: JsonObject): Step {
  const metadata = { name: 'tried', ...(annotations && { annotations }) }
  const complete = { containers: [SOUND], automountServiceAccountToken: false, ...spec }
  return { name, method: 'POST', path: `${PODS}?dryRun=All`, headers: METADATA, body: { metadata, spec: complete } }
}

const contexts = (...each: JsonObject[]): JsonObject => ({
  containers: each.map((securityContext, index) => ({ ...SOUND, name: `c${index}`, securityContext })),
})
const container = (more: JsonObject): JsonObject => ({ containers: [{ ...SOUND, ...more }] })

/** What one of the two profiles has something to say about. */
const SPECS: readonly (readonly [name: string, spec: JsonObject, annotations?: JsonObject])[] = [
  ['nothing special', {}],
  ['all as it should be', { containers: [strict('c')] }],
  [
    'all as it should be, said once',
    {
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'Localhost', localhostProfile: 'a' } },
      ...contexts({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } }),
    },
  ],
  ['privileged containers', contexts({ privileged: true }, { privileged: true }, { privileged: false })],
  ['namespaces of the host', { hostNetwork: true, hostPID: true, hostIPC: true }],
  ['a path of the host', { volumes: [{ name: 'h', hostPath: { path: '/etc' } }] }],
  [
    'volumes',
    {
      volumes: [
        { name: 'h', hostPath: { path: '/etc' } },
        { name: 'n', nfs: { server: 'a', path: '/' } },
        { name: 'n2', nfs: { server: 'a', path: '/' } },
        { name: 'i', iscsi: { targetPortal: 'a', iqn: 'iqn.2001-04.com.example:a', lun: 0 } },
        { name: 'e', emptyDir: {} },
        { name: 'm', configMap: { name: 'm' } },
        { name: 'p', persistentVolumeClaim: { claimName: 'p' } },
      ],
    },
  ],
  [
    'ports of the host',
    {
      containers: [
        { ...SOUND, ports: [{ containerPort: 80, hostPort: 80 }] },
        { ...SOUND, name: 'd', ports: [{ containerPort: 9, hostPort: 9 }, { containerPort: 8 }] },
      ],
    },
  ],
  ['a port of the host', container({ ports: [{ containerPort: 80, hostPort: 80 }] })],
  [
    'capabilities',
    contexts(
      { capabilities: { add: ['SYS_ADMIN', 'CHOWN'] } },
      { capabilities: { add: ['NET_RAW'], drop: ['ALL'] } },
      { capabilities: { drop: ['ALL'] } },
    ),
  ],
  [
    'AppArmor',
    {
      securityContext: { appArmorProfile: { type: 'Unconfined' } },
      ...contexts({ appArmorProfile: { type: 'Unconfined' } }, { appArmorProfile: { type: 'RuntimeDefault' } }),
    },
  ],
  [
    'SELinux',
    {
      securityContext: { seLinuxOptions: { type: 'a', user: 'u' } },
      ...contexts({ seLinuxOptions: { type: 'b', role: 'r' } }, { seLinuxOptions: { type: 'container_engine_t' } }),
    },
  ],
  [
    'users of SELinux',
    { securityContext: { seLinuxOptions: { user: 'u' } }, ...contexts({ seLinuxOptions: { role: 'r' } }) },
  ],
  ['proc', contexts({ procMount: 'Default' }, { procMount: 'Default' })],
  ['proc of a user namespace', { hostUsers: false, ...contexts({ procMount: 'Unmasked' }) }],
  ['root of a user namespace', { hostUsers: false, ...contexts({ runAsUser: 0, runAsNonRoot: false }) }],
  [
    'seccomp',
    {
      securityContext: { seccompProfile: { type: 'Unconfined' } },
      ...contexts({ seccompProfile: { type: 'Unconfined' } }, {}),
    },
  ],
  [
    'sysctls',
    {
      securityContext: {
        sysctls: [
          { name: 'net.ipv4.tcp_rmem', value: '1' },
          { name: 'kernel.msgmax', value: '1' },
          { name: 'net.core.somaxconn', value: '1' },
        ],
      },
    },
  ],
  [
    'Windows',
    {
      os: { name: 'windows' },
      hostNetwork: true,
      securityContext: { windowsOptions: { hostProcess: true } },
      ...contexts({ windowsOptions: { hostProcess: true } }),
    },
  ],
  ['plain Windows', { os: { name: 'windows' } }],
  [
    'hosts of probes',
    {
      containers: [
        {
          ...SOUND,
          livenessProbe: { httpGet: { port: 80, host: 'b.example.com' } },
          readinessProbe: { tcpSocket: { port: 80, host: 'a.example.com' } },
          lifecycle: {
            preStop: { httpGet: { port: 80, host: 'c.example.com' } },
            postStart: { exec: { command: ['a'] } },
          },
        },
      ],
    },
  ],
  [
    'hosts of probes of two containers',
    {
      containers: ['c', 'd'].map((name) => ({
        ...SOUND,
        name,
        startupProbe: { tcpSocket: { port: 80, host: `${name}.example.com` } },
      })),
    },
  ],
  [
    'users',
    { securityContext: { runAsUser: 0 }, ...contexts({ runAsUser: 0 }, { runAsUser: 1, runAsNonRoot: false }) },
  ],
  ['root', { securityContext: { runAsNonRoot: false } }],
  ['init containers', { initContainers: [{ ...SOUND, name: 'i' }], containers: [strict('c')] }],
  ['escalation', contexts({ ...STRICT, allowPrivilegeEscalation: true }, STRICT)],
]

const tried = (what: string): readonly Step[] =>
  SPECS.map(([name, spec, annotations]) => pod(`${what}: ${name}`, spec, annotations))

const template: JsonObject = { metadata: { labels: { app: 'x' } }, spec: { containers: [SOUND] } }
const selector = { matchLabels: { app: 'x' } }

const workload = (name: string, path: string, spec: JsonObject, more: JsonObject = {}): Step => ({
  name,
  method: 'POST',
  path: `${path}?dryRun=All`,
  headers: METADATA,
  body: { metadata: { name: 'tried' }, ...(Object.keys(spec).length > 0 && { spec }), ...more },
})

const workloads = (what: string): readonly Step[] => [
  workload(`${what}: Deployment`, `${KINDS.apps}/deployments`, { selector, template }),
  workload(`${what}: ReplicaSet`, `${KINDS.apps}/replicasets`, { selector, template }),
  {
    ...workload(`${what}: DaemonSet`, `${KINDS.apps}/daemonsets`, { selector, template }),
    path: `${KINDS.apps}/daemonsets?dryRun=All&includeObject=None`,
    headers: TABLE,
  },
  workload(`${what}: StatefulSet`, `${KINDS.apps}/statefulsets`, { selector, template, serviceName: 's' }),
  workload(`${what}: Job`, `${KINDS.batch}/jobs`, {
    template: { spec: { containers: [SOUND], restartPolicy: 'Never' } },
  }),
  workload(`${what}: CronJob`, `${KINDS.batch}/cronjobs`, {
    schedule: '0 0 1 1 *',
    jobTemplate: { spec: { template: { spec: { containers: [SOUND], restartPolicy: 'Never' } } } },
  }),
  workload(`${what}: ReplicationController`, `${NAMESPACE}/replicationcontrollers`, { template }),
  workload(`${what}: ReplicationController without a template`, `${NAMESPACE}/replicationcontrollers`, {
    selector: { app: 'x' },
  }),
  workload(`${what}: PodTemplate`, `${NAMESPACE}/podtemplates`, {}, { template }),
]

const namespace = (name: string, labels: Labels, query = '?dryRun=All'): Step => ({
  name,
  method: 'POST',
  path: `/api/v1/namespaces${query}`,
  headers: METADATA,
  body: { metadata: { name: '{ns}-tried', labels: labelled(labels) } },
})

const real = (name: string, spec: JsonObject): Step => ({
  name: `create ${name}`,
  method: 'POST',
  path: PODS,
  headers: METADATA,
  body: {
    metadata: { name },
    spec: { schedulerName: 'nobody', automountServiceAccountToken: false, ...spec },
  },
})

const change = (name: string, of: string, body: JsonValue, path = ''): Step =>
  patch(name, `${PODS}/${of}${path}`, body as JsonObject, {
    headers: { 'content-type': 'application/strategic-merge-patch+json', ...METADATA },
  })

export const steps: readonly Step[] = [
  namespace('labels of a new namespace', { enforce: 'baseline', 'warn-version': 'v1.25', 'audit-version': 'latest' }),
  namespace('wrong levels', { enforce: 'strict', warn: '', audit: 'Restricted' }),
  namespace('wrong versions', { 'enforce-version': '1.25', 'warn-version': 'v1', 'audit-version': 'v2.0' }),
  real('plain', { containers: [SOUND] }),
  real('plain-too', { containers: [SOUND] }),
  real('and-again', { containers: [SOUND] }),
  real('on-host', { hostNetwork: true, containers: [SOUND] }),
  real('good', { containers: [strict('c')] }),
  mode('wrong on an old namespace', { enforce: 'none' }),
  mode('a warning is nothing to existing pods', { warn: 'restricted' }),
  ...tried('warn restricted'),
  ...workloads('warn restricted'),
  mode('warn of less', { warn: 'baseline' }),
  ...tried('warn baseline'),
  ...workloads('warn baseline'),
  mode('an older version', { 'warn-version': 'v1.18', warn: 'restricted' }),
  pod('warn v1.18: nothing special', {}),
  pod('warn v1.18: seccomp', {}, { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' }),
  pod('warn v1.18: sysctls', { securityContext: { sysctls: [{ name: 'net.ipv4.tcp_rmem', value: '1' }] } }),
  pod('warn v1.18: SELinux', contexts({ seLinuxOptions: { type: 'container_engine_t' } })),
  mode('a version in between', { 'warn-version': 'v1.24' }),
  pod('warn v1.24: plain Windows', { os: { name: 'windows' } }),
  pod('warn v1.24: root of a user namespace', { hostUsers: false, ...contexts({ runAsUser: 0, runAsNonRoot: false }) }),
  pod('warn v1.24: capabilities', contexts({ capabilities: { add: ['SYS_ADMIN'] } })),
  pod('warn v1.24: hosts of probes', container({ livenessProbe: { httpGet: { port: 80, host: 'a' } } })),
  mode('a version to come', { 'warn-version': 'v1.99' }),
  pod('warn v1.99: nothing special', {}),
  mode('an audit alone', { warn: null, 'warn-version': null, audit: 'restricted' }),
  pod('audit: nothing special', {}),
  mode('less than all', { audit: null, enforce: 'baseline' }),
  ...tried('enforce baseline'),
  ...workloads('enforce baseline'),
  mode('all', { enforce: 'restricted' }),
  ...tried('enforce restricted'),
  ...workloads('enforce restricted'),
  mode('the same again', { enforce: 'restricted' }),
  mode('less again', { enforce: 'baseline' }),
  mode('another version', { enforce: 'restricted', 'enforce-version': 'v1.25' }),
  pod('enforce v1.25: nothing special', {}),
  mode('a version of what is not said', { enforce: null }),
  mode('of any version', { enforce: 'restricted', 'enforce-version': null, warn: 'privileged' }),
  // Well before the namespace is looked at again: the real server learns a moment later that they are gone.
  remove('a pod goes', `${PODS}/on-host?gracePeriodSeconds=0`, undefined, { headers: METADATA }),
  remove('another pod goes', `${PODS}/and-again?gracePeriodSeconds=0`, undefined, { headers: METADATA }),
  change('a label of a bad pod', 'plain', { metadata: { labels: { a: 'b' } } }),
  change('an image of a bad pod', 'plain', { spec: { containers: [{ name: 'c', image: 'example.com/b' }] } }),
  change('an image of a good pod', 'good', { spec: { containers: [{ name: 'c', image: 'example.com/b' }] } }),
  change('the status of a bad pod', 'plain', { status: { message: 'x' } }, '/status'),
  change(
    'an ephemeral container',
    'good',
    { spec: { ephemeralContainers: [{ name: 'e', image: 'example.com/a' }] } },
    '/ephemeralcontainers',
  ),
  change(
    'a good ephemeral container',
    'good',
    { spec: { ephemeralContainers: [{ name: 'e', image: 'example.com/a', securityContext: STRICT }] } },
    '/ephemeralcontainers',
  ),
  {
    name: 'a name that the server makes',
    method: 'POST',
    path: `${PODS}?dryRun=All`,
    body: { metadata: { generateName: 'made-' }, spec: { containers: [SOUND] } },
  },
  {
    name: 'another annotation of a Deployment',
    method: 'PATCH',
    path: `${KINDS.apps}/deployments/none?dryRun=All&fieldManager=a`,
    headers: { 'content-type': 'application/apply-patch+yaml', ...METADATA },
    body: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'none' }, spec: { selector, template } },
  },
  mode('wrong again', { enforce: 'none', warn: 'none' }),
  mode('no labels at all', { enforce: null, warn: null, audit: null }),
  pod('without labels', { hostNetwork: true }),
  mode('less than all, as all pods are', { enforce: 'baseline' }),
  mode('all, as two pods are not', { enforce: 'restricted' }),
]
