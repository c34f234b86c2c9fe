import type { JsonValue } from '../../../../src/core/base/json.ts'

/**
 * By definition, the fields that random objects have, with their possible values: `true` leaves the value to the schema.
 * A name with `!` is nearly always there. The key of a definition is the last part of its name. Fields that are not
 * listed are not generated.
 */
export type Vocabulary = Readonly<Record<string, Readonly<Record<string, true | readonly JsonValue[]>>>>

const NAMES = ['one', 'two', 'three']
const PORTS = [80, 443, 8080]
const PORT_NAMES = ['http', 'https', 'web']
const PROTOCOLS = ['TCP', 'UDP', 'SCTP']
const SMALL = [0, 1, 2, 10]
const QUANTITIES = ['1', '500m', '0.5', '1Gi', '1024Mi', '100000k', 2]
const TEXTS = ['', 'a', 'b', 'some text']
const ADDRESSES = ['1.1.1.1', '2.2.2.2']
const MODES = [0o644, 0o400]

const WORKLOADS: Vocabulary = {
  DeploymentSpec: {
    replicas: [0, 1, 3],
    'selector!': [{ matchLabels: { app: 'x' } }],
    'template!': true,
    strategy: true,
    minReadySeconds: SMALL,
    revisionHistoryLimit: SMALL,
    paused: true,
    progressDeadlineSeconds: [600, 30],
  },
  DeploymentStrategy: { 'type!': ['RollingUpdate', 'RollingUpdate', 'Recreate'], rollingUpdate: true },
  RollingUpdateDeployment: { maxUnavailable: [0, 1, '25%'], maxSurge: [1, 2, '50%'] },
  StatefulSetSpec: {
    replicas: [0, 1, 3],
    'selector!': [{ matchLabels: { app: 'x' } }],
    'template!': true,
    'serviceName!': ['svc'],
    podManagementPolicy: ['OrderedReady', 'Parallel'],
    minReadySeconds: SMALL,
  },
  PodTemplateSpec: { 'metadata!': true, 'spec!': true },
  JobTemplateSpec: { metadata: [{}, { labels: { job: '1' } }], 'spec!': true },
  CronJobSpec: {
    'schedule!': ['* * * * *', '@hourly', '5 4 * * 1-5'],
    'jobTemplate!': true,
    concurrencyPolicy: ['Allow', 'Forbid', 'Replace'],
    suspend: true,
    startingDeadlineSeconds: [0, 10],
    successfulJobsHistoryLimit: SMALL,
    failedJobsHistoryLimit: SMALL,
    timeZone: ['Etc/UTC'],
  },
  JobSpec: {
    'template!': [
      { spec: { restartPolicy: 'Never', containers: [{ name: 'one', image: 'busybox' }] } },
      { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'two', image: 'nginx', args: ['-x'] }] } },
    ],
    parallelism: SMALL,
    completions: SMALL,
    backoffLimit: SMALL,
    ttlSecondsAfterFinished: SMALL,
    activeDeadlineSeconds: [5, 50],
  },
  PodSpec: {
    'containers!': true,
    initContainers: true,
    volumes: true,
    nodeSelector: [{ disk: 'ssd' }, { disk: 'hdd', zone: 'a' }],
    tolerations: true,
    hostAliases: true,
    imagePullSecrets: true,
    serviceAccountName: ['default', 'other'],
    dnsPolicy: ['ClusterFirst', 'Default'],
    terminationGracePeriodSeconds: [0, 30],
    securityContext: true,
    topologySpreadConstraints: true,
    hostNetwork: [false],
    priorityClassName: ['system-node-critical'],
    schedulerName: ['default-scheduler', 'mine'],
    readinessGates: [[{ conditionType: 'x.io/ready' }]],
  },
  Container: {
    'name!': NAMES,
    'image!': ['busybox', 'nginx:1', 'nginx:latest'],
    command: [['sh'], ['sh', '-c'], []],
    args: [['-x'], ['-x', '-y'], ['-y', '-x']],
    env: true,
    envFrom: true,
    ports: true,
    resources: true,
    volumeMounts: true,
    livenessProbe: true,
    readinessProbe: true,
    securityContext: true,
    imagePullPolicy: ['Always', 'IfNotPresent', 'Never'],
    workingDir: ['/', '/tmp'],
    tty: true,
  },
  EnvVar: { 'name!': ['A', 'B', 'C'], value: TEXTS, valueFrom: true },
  EnvVarSource: {
    fieldRef: [{ fieldPath: 'metadata.name' }, { fieldPath: 'metadata.name', apiVersion: 'v1' }],
    configMapKeyRef: true,
    secretKeyRef: true,
  },
  ConfigMapKeySelector: { name: NAMES, 'key!': ['k'], optional: true },
  SecretKeySelector: { name: NAMES, 'key!': ['k'], optional: true },
  EnvFromSource: { prefix: ['P_'], 'configMapRef!': [{ name: 'one' }, { name: 'two', optional: true }] },
  ContainerPort: { 'containerPort!': PORTS, protocol: PROTOCOLS, name: PORT_NAMES },
  ResourceRequirements: { requests: true, limits: [{ cpu: '4' }, { memory: '200Gi' }] },
  VolumeMount: { 'name!': ['vol'], 'mountPath!': ['/a', '/b', '/c'], readOnly: true, subPath: ['x'] },
  Volume: { 'name!': ['vol', 'data', 'conf'], emptyDir: true, configMap: true, secret: true },
  EmptyDirVolumeSource: { medium: ['', 'Memory'], sizeLimit: QUANTITIES },
  ConfigMapVolumeSource: { 'name!': NAMES, items: true, defaultMode: MODES, optional: true },
  SecretVolumeSource: { 'secretName!': NAMES, items: true, defaultMode: MODES, optional: true },
  KeyToPath: { 'key!': ['k', 'l'], 'path!': ['p', 'q/r'], mode: MODES },
  Probe: { 'httpGet!': true, periodSeconds: [1, 10], failureThreshold: [1, 3], initialDelaySeconds: SMALL },
  HTTPGetAction: { 'port!': [80, 'http'], path: ['/', '/x'], scheme: ['HTTP', 'HTTPS'], httpHeaders: true },
  HTTPHeader: { 'name!': ['X-One', 'X-Two'], 'value!': TEXTS },
  SecurityContext: { runAsUser: [0, 1000], privileged: true, capabilities: true, readOnlyRootFilesystem: true },
  Capabilities: { add: [['NET_ADMIN'], ['A', 'B']], drop: [['ALL']] },
  PodSecurityContext: { runAsUser: [0, 1000], fsGroup: [0, 5], supplementalGroups: [[1], [2, 1]], sysctls: true },
  Sysctl: { 'name!': ['kernel.a', 'kernel.b'], 'value!': TEXTS },
  Toleration: { key: ['k', 'l'], 'operator!': ['Exists'], effect: ['NoSchedule', 'PreferNoSchedule'] },
  HostAlias: { 'ip!': ADDRESSES, hostnames: [['a'], ['b', 'a']] },
  LocalObjectReference: { 'name!': NAMES },
  TopologySpreadConstraint: {
    'maxSkew!': [1, 2],
    'topologyKey!': ['zone', 'host'],
    'whenUnsatisfiable!': ['DoNotSchedule', 'ScheduleAnyway'],
    labelSelector: true,
  },
}

const NETWORK: Vocabulary = {
  ServiceSpec: {
    'ports!': [
      [{ port: 80 }],
      [{ port: 80, name: 'http', targetPort: 'http' }],
      [
        { port: 443, name: 'https', protocol: 'TCP' },
        { port: 443, name: 'quic', protocol: 'UDP', appProtocol: 'x.io/q' },
      ],
    ],
    selector: [{ app: 'x' }, { app: 'x', tier: 'web' }],
    type: ['ClusterIP'],
    sessionAffinity: ['None', 'ClientIP'],
    externalIPs: [['8.8.8.8'], ['8.8.4.4', '8.8.8.8']],
    internalTrafficPolicy: ['Cluster', 'Local'],
    publishNotReadyAddresses: true,
  },
  NetworkPolicySpec: {
    'podSelector!': true,
    ingress: true,
    egress: true,
    policyTypes: [['Ingress'], ['Egress', 'Ingress']],
  },
  NetworkPolicyIngressRule: { ports: true, from: true },
  NetworkPolicyEgressRule: { ports: true, to: true },
  NetworkPolicyPort: { protocol: PROTOCOLS, port: [80, 'http'] },
  NetworkPolicyPeer: { 'podSelector!': true, namespaceSelector: true },
  LabelSelector: { matchLabels: [{ app: 'x' }, {}, { a: '1', b: '' }], matchExpressions: true },
  LabelSelectorRequirement: { 'key!': ['k', 'l'], 'operator!': ['In', 'NotIn'], 'values!': [['a'], ['b', 'a']] },
  IngressSpec: { ingressClassName: ['nginx'], defaultBackend: true, 'rules!': true, tls: true },
  IngressRule: { host: ['a.example', 'b.example', '*.example'], 'http!': true },
  HTTPIngressRuleValue: { 'paths!': true },
  HTTPIngressPath: { 'path!': ['/', '/x'], 'pathType!': ['Prefix', 'Exact'], 'backend!': true },
  IngressBackend: { 'service!': true },
  IngressServiceBackend: { 'name!': NAMES, 'port!': [{ number: 80 }, { name: 'http' }] },
  IngressTLS: { hosts: [['a.example'], ['a.example', 'b.example']], secretName: NAMES },
  EndpointSlice: { 'addressType!': ['IPv4'], 'endpoints!': true, ports: true },
  Endpoint: {
    'addresses!': [['1.1.1.1'], ['2.2.2.2'], ['1.1.1.1', '3.3.3.3']],
    conditions: [{ ready: true }, { serving: false }],
    hostname: ['host'],
    nodeName: ['node-1'],
  },
  EndpointPort: { 'name!': PORT_NAMES, port: PORTS, protocol: PROTOCOLS, appProtocol: ['http'] },
}

const OTHERS: Vocabulary = {
  ConfigMap: { data: true, binaryData: [{ x: 'AA==' }, { y: '' }], immutable: [false, false, false, true] },
  Secret: {
    data: [{ x: 'AA==' }, { a: 'aGVsbG8=', y: '' }],
    stringData: [{ x: 'text' }, { a: '', z: 'z' }],
    type: ['Opaque', 'Opaque', 'x.io/mine', 'kubernetes.io/basic-auth'],
    immutable: [false, false, false, true],
  },
  ServiceAccount: { secrets: true, imagePullSecrets: true, automountServiceAccountToken: true },
  ObjectReference: { 'name!': NAMES, kind: ['Secret'], namespace: ['default'] },
  Role: { 'rules!': true },
  PolicyRule: {
    'apiGroups!': [[''], ['', 'apps'], ['apps', '']],
    'resources!': [['pods'], ['pods', 'services'], ['*']],
    'verbs!': [['get'], ['get', 'list'], ['*']],
    resourceNames: [['a'], ['b', 'a']],
  },
  RoleBinding: {
    'roleRef!': [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' }],
    subjects: true,
  },
  Subject: { 'kind!': ['User', 'Group'], 'name!': NAMES, apiGroup: ['rbac.authorization.k8s.io'] },
  HorizontalPodAutoscalerSpec: {
    'scaleTargetRef!': [
      { apiVersion: 'apps/v1', kind: 'Deployment', name: 'one' },
      { kind: 'Deployment', name: 'two' },
    ],
    'maxReplicas!': [1, 5, 10],
    minReplicas: [1, 2],
  },
  PodDisruptionBudgetSpec: {
    minAvailable: [1, '50%'],
    selector: true,
    unhealthyPodEvictionPolicy: ['IfHealthyBudget', 'AlwaysAllow'],
  },
  LeaseSpec: {
    holderIdentity: NAMES,
    leaseDurationSeconds: [1, 15],
    leaseTransitions: SMALL,
    acquireTime: ['2024-01-01T00:00:00.000000Z'],
  },
  LimitRangeSpec: { 'limits!': true },
  LimitRangeItem: {
    'type!': ['Container', 'Pod'],
    max: [{ cpu: '4' }, { cpu: '4', memory: '8Gi' }],
    min: [{ cpu: '1m' }],
  },
  ResourceQuotaSpec: { hard: [{ pods: '5' }, { pods: 5, 'requests.cpu': '4' }], scopes: [['BestEffort']] },
  PersistentVolumeClaimSpec: {
    'accessModes!': [['ReadWriteOnce'], ['ReadOnlyMany', 'ReadWriteOnce']],
    'resources!': [{ requests: { storage: '1Gi' } }, { requests: { storage: '2048Mi' } }],
    storageClassName: ['', 'fast'],
    volumeMode: ['Filesystem', 'Block'],
    selector: true,
  },
}

const STATES: Vocabulary = {
  DeploymentStatus: { replicas: SMALL, readyReplicas: SMALL, observedGeneration: [1, 2], conditions: true },
  DeploymentCondition: {
    'type!': ['Available', 'Progressing'],
    'status!': ['True', 'False'],
    reason: NAMES,
    message: TEXTS,
  },
  StatefulSetStatus: { 'replicas!': SMALL, observedGeneration: [1, 2], conditions: true },
  StatefulSetCondition: { 'type!': ['Available', 'Progressing'], 'status!': ['True', 'False'], reason: NAMES },
  ServiceStatus: { conditions: true },
  Condition: {
    'type!': ['Ready', 'Synced', 'x.io/A'],
    'status!': ['True', 'False', 'Unknown'],
    'reason!': ['Because', 'Since'],
    'message!': TEXTS,
    'lastTransitionTime!': ['2024-01-01T00:00:00Z', '2024-02-01T00:00:00Z'],
    observedGeneration: [1, 2],
  },
  PodDisruptionBudgetStatus: {
    'currentHealthy!': SMALL,
    'desiredHealthy!': SMALL,
    'disruptionsAllowed!': SMALL,
    'expectedPods!': SMALL,
    conditions: true,
  },
  CronJobStatus: { lastScheduleTime: ['2024-01-01T00:00:00Z'] },
  IngressStatus: { loadBalancer: [{ ingress: [{ ip: '1.1.1.1' }] }, { ingress: [{ hostname: 'a.example' }] }] },
}

const ROOT = { 'spec!': true, 'status!': true } as const
const ROOTS: Vocabulary = {
  PodTemplate: { 'template!': true },
  Deployment: ROOT,
  StatefulSet: ROOT,
  CronJob: ROOT,
  Service: ROOT,
  NetworkPolicy: ROOT,
  Ingress: ROOT,
  HorizontalPodAutoscaler: ROOT,
  PodDisruptionBudget: ROOT,
  Lease: ROOT,
  LimitRange: ROOT,
  ResourceQuota: ROOT,
  PersistentVolumeClaim: ROOT,
}

export const VOCABULARY: Vocabulary = { ...ROOTS, ...WORKLOADS, ...NETWORK, ...OTHERS, ...STATES }

/** Values for quantities of a map (`requests`), and metadata below templates. */
export const SPECIAL = {
  quantities: QUANTITIES,
  templateMetadata: [
    { labels: { app: 'x' } },
    { labels: { app: 'x', tier: 'web' } },
    { labels: { app: 'x' }, annotations: { note: 'text' } },
  ],
} as const
