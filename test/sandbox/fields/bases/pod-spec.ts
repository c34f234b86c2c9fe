import type { JsonObject } from '../../../../src/core/base/json.ts'
import { SOURCES_ALIKE, sourcesWith } from './volume-sources.ts'

const SELECTOR = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] }
const TERM = {
  labelSelector: SELECTOR,
  namespaceSelector: SELECTOR,
  namespaces: ['other'],
  topologyKey: 'kubernetes.io/hostname',
}
const ALIKE = {
  labelSelector: { matchLabels: { app: 'web' } },
  topologyKey: 'zone',
  matchLabelKeys: ['tier'],
  mismatchLabelKeys: ['stage'],
}
const TIMES = { initialDelaySeconds: 1, periodSeconds: 5, timeoutSeconds: 2, successThreshold: 1, failureThreshold: 3 }
const HTTP = { path: '/', port: 8080, host: 'web', scheme: 'HTTP', httpHeaders: [{ name: 'X-A', value: 'b' }] }
const NODE_TERM = {
  matchExpressions: [{ key: 'size', operator: 'In', values: ['big'] }],
  matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }],
}

const ENV = [
  { name: 'PLAIN', value: 'a' },
  { name: 'FIELD', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
  { name: 'CONFIG', valueFrom: { configMapKeyRef: { name: 'config', key: 'a', optional: true } } },
  { name: 'SECRET', valueFrom: { secretKeyRef: { name: 'secret', key: 'a', optional: true } } },
  { name: 'LIMIT', valueFrom: { resourceFieldRef: { containerName: 'web', resource: 'limits.cpu', divisor: '1m' } } },
]

const SECURITY = {
  allowPrivilegeEscalation: false,
  appArmorProfile: { type: 'RuntimeDefault' },
  capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
  privileged: false,
  procMount: 'Default',
  readOnlyRootFilesystem: true,
  runAsGroup: 3,
  runAsNonRoot: true,
  runAsUser: 2,
  seLinuxOptions: { user: 'u', role: 'r', type: 't', level: 's0' },
  seccompProfile: { type: 'Localhost', localhostProfile: 'profiles/a.json' },
}

const CONTAINERS = [
  {
    name: 'web',
    image: 'nginx:1.27',
    imagePullPolicy: 'Always',
    command: ['run'],
    args: ['--fast'],
    workingDir: '/srv',
    env: ENV,
    envFrom: [
      { prefix: 'A_', configMapRef: { name: 'config', optional: true } },
      { secretRef: { name: 'secret', optional: true } },
    ],
    ports: [{ name: 'http', containerPort: 8080, hostPort: 8080, hostIP: '127.0.0.1', protocol: 'TCP' }],
    resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m', memory: '1Gi' } },
    resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
    livenessProbe: { ...TIMES, httpGet: HTTP, terminationGracePeriodSeconds: 5 },
    readinessProbe: { ...TIMES, httpGet: HTTP },
    startupProbe: { ...TIMES, httpGet: HTTP, terminationGracePeriodSeconds: 5 },
    lifecycle: { postStart: { httpGet: HTTP }, preStop: { httpGet: HTTP } },
    securityContext: SECURITY,
    terminationMessagePath: '/dev/end',
    terminationMessagePolicy: 'File',
    stdin: true,
    stdinOnce: true,
    tty: true,
    volumeMounts: [
      { name: 'scratch', mountPath: '/scratch', readOnly: false, mountPropagation: 'None', subPath: 'a' },
      { name: 'scratch', mountPath: '/other', subPathExpr: '$(PLAIN)', readOnly: true, recursiveReadOnly: 'Disabled' },
    ],
    volumeDevices: [{ name: 'claim', devicePath: '/dev/a' }],
  },
  {
    name: 'exec',
    image: 'busybox',
    livenessProbe: { exec: { command: ['true'] } },
    readinessProbe: { exec: { command: ['true'] } },
    startupProbe: { exec: { command: ['true'] } },
    lifecycle: { postStart: { exec: { command: ['true'] } }, preStop: { exec: { command: ['true'] } } },
  },
  {
    name: 'tcp',
    image: 'busybox',
    livenessProbe: { tcpSocket: { port: 80, host: 'web' } },
    readinessProbe: { tcpSocket: { port: 'http', host: 'web' } },
    startupProbe: { tcpSocket: { port: 80, host: 'web' } },
    lifecycle: { postStart: { tcpSocket: { port: 80, host: 'web' } }, preStop: { sleep: { seconds: 3 } } },
  },
  {
    name: 'grpc',
    image: 'busybox',
    livenessProbe: { grpc: { port: 80, service: 'a' } },
    readinessProbe: { grpc: { port: 80, service: 'a' } },
    startupProbe: { grpc: { port: 80, service: 'a' } },
    lifecycle: { postStart: { sleep: { seconds: 3 } }, preStop: { tcpSocket: { port: 80, host: 'web' } } },
  },
]

/** Containers, and where a pod is put. */
const WEB = {
  containers: CONTAINERS,
  initContainers: [
    { ...CONTAINERS[0], name: 'first', ports: [], restartPolicy: 'Always' },
    { name: 'second', image: 'busybox' },
  ],
  volumes: [
    { name: 'scratch', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } },
    { name: 'claim', persistentVolumeClaim: { claimName: 'data', readOnly: false } },
  ],
  activeDeadlineSeconds: 600,
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [NODE_TERM] },
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, preference: NODE_TERM }],
    },
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [TERM, ALIKE],
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 5, podAffinityTerm: TERM },
        { weight: 6, podAffinityTerm: ALIKE },
      ],
    },
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [TERM, ALIKE],
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 5, podAffinityTerm: TERM },
        { weight: 6, podAffinityTerm: ALIKE },
      ],
    },
  },
  automountServiceAccountToken: false,
  dnsConfig: { nameservers: ['1.2.3.4'], searches: ['example.com'], options: [{ name: 'ndots', value: '2' }] },
  dnsPolicy: 'None',
  enableServiceLinks: true,
  hostAliases: [{ ip: '1.2.3.4', hostnames: ['a.example.com'] }],
  hostname: 'web',
  subdomain: 'sub',
  setHostnameAsFQDN: true,
  imagePullSecrets: [{ name: 'pull' }],
  nodeSelector: { size: 'big' },
  os: { name: 'linux' },
  preemptionPolicy: 'PreemptLowerPriority',
  priorityClassName: 'fields-priority',
  readinessGates: [{ conditionType: 'example.com/ready' }],
  restartPolicy: 'Always',
  schedulerName: 'scheduler',
  schedulingGates: [{ name: 'example.com/gate' }],
  securityContext: {
    appArmorProfile: { type: 'Localhost', localhostProfile: 'profile' },
    fsGroup: 1,
    fsGroupChangePolicy: 'OnRootMismatch',
    runAsGroup: 1,
    runAsNonRoot: true,
    runAsUser: 1,
    seLinuxChangePolicy: 'Recursive',
    seLinuxOptions: { user: 'u', role: 'r', type: 't', level: 's0' },
    seccompProfile: { type: 'Localhost', localhostProfile: 'profiles/a.json' },
    supplementalGroups: [5],
    supplementalGroupsPolicy: 'Merge',
    sysctls: [{ name: 'kernel.shm_rmid_forced', value: '0' }],
  },
  serviceAccountName: 'default',
  shareProcessNamespace: true,
  terminationGracePeriodSeconds: 20,
  tolerations: [
    { key: 'a', operator: 'Equal', value: 'b', effect: 'NoExecute', tolerationSeconds: 5 },
    { key: 'b', operator: 'Exists', effect: 'NoSchedule' },
  ],
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      minDomains: 2,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: SELECTOR,
      matchLabelKeys: ['stage'],
      nodeAffinityPolicy: 'Honor',
      nodeTaintsPolicy: 'Ignore',
    },
  ],
}

const ITEMS = [{ key: 'a', path: 'a', mode: 0o400 }]
const FIELD_FILES = [
  { path: 'labels', mode: 0o400, fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.labels' } },
  { path: 'cpu', resourceFieldRef: { containerName: 'web', resource: 'limits.cpu', divisor: '1m' } },
]
const SECRET_REF = { name: 'secret' }
const WITH_SECRET = sourcesWith(SECRET_REF)

/** A volume of every sort. */
const VOLUMES = [
  { name: 'host', hostPath: { path: '/tmp', type: 'Directory' } },
  { name: 'secret', secret: { secretName: 'secret', defaultMode: 0o400, optional: true, items: ITEMS } },
  { name: 'config', configMap: { name: 'config', defaultMode: 0o400, optional: true, items: ITEMS } },
  { name: 'down', downwardAPI: { defaultMode: 0o400, items: FIELD_FILES } },
  {
    name: 'projected',
    projected: {
      defaultMode: 0o400,
      sources: [
        { secret: { name: 'secret', optional: true, items: ITEMS } },
        { configMap: { name: 'config', optional: true, items: [{ ...ITEMS[0], path: 'b' }] } },
        { downwardAPI: { items: FIELD_FILES } },
        { serviceAccountToken: { audience: 'a', expirationSeconds: 1200, path: 'token' } },
        { clusterTrustBundle: { name: 'a', optional: true, path: 'trust' } },
        {
          clusterTrustBundle: {
            signerName: 'example.com/a',
            labelSelector: SELECTOR,
            path: 'trust2',
          },
        },
      ],
    },
  },
  {
    name: 'ephemeral',
    ephemeral: {
      volumeClaimTemplate: {
        metadata: { labels: { a: 'b' }, annotations: { a: 'b' } },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'fast',
          volumeMode: 'Filesystem',
          volumeAttributesClassName: 'gold',
          resources: { requests: { storage: '1Gi' }, limits: { storage: '2Gi' } },
          selector: SELECTOR,
          dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'snap' },
        },
      },
    },
  },
  {
    name: 'csi',
    csi: {
      driver: 'csi.example.com',
      fsType: 'ext4',
      readOnly: true,
      volumeAttributes: { a: 'b' },
      nodePublishSecretRef: SECRET_REF,
    },
  },
  { name: 'nfs', nfs: SOURCES_ALIKE.nfs },
  {
    name: 'iscsi',
    iscsi: WITH_SECRET.iscsi,
  },
  { name: 'fc', fc: { targetWWNs: ['a'], lun: 1, fsType: 'ext4', readOnly: true } },
  {
    name: 'flex',
    flexVolume: WITH_SECRET.flexVolume,
  },
  { name: 'image', image: { reference: 'busybox', pullPolicy: 'Always' } },
  { name: 'gce', gcePersistentDisk: SOURCES_ALIKE.gcePersistentDisk },
  { name: 'aws', awsElasticBlockStore: SOURCES_ALIKE.awsElasticBlockStore },
  { name: 'git', gitRepo: { repository: 'https://example.com/a', revision: 'a', directory: 'a' } },
  { name: 'gluster', glusterfs: { endpoints: 'a', path: 'a', readOnly: true } },
  {
    name: 'rbd',
    rbd: WITH_SECRET.rbd,
  },
  {
    name: 'ceph',
    cephfs: WITH_SECRET.cephfs,
  },
  { name: 'cinder', cinder: WITH_SECRET.cinder },
  { name: 'flocker', flocker: { datasetName: 'a' } },
  { name: 'flocker-uuid', flocker: { datasetUUID: 'a' } },
  { name: 'azure-file', azureFile: { secretName: 'secret', shareName: 'a', readOnly: true } },
  {
    name: 'azure-disk',
    azureDisk: SOURCES_ALIKE.azureDisk,
  },
  { name: 'vsphere', vsphereVolume: SOURCES_ALIKE.vsphereVolume },
  { name: 'quobyte', quobyte: SOURCES_ALIKE.quobyte },
  { name: 'portworx', portworxVolume: SOURCES_ALIKE.portworxVolume },
  {
    name: 'scale-io',
    scaleIO: WITH_SECRET.scaleIO,
  },
  {
    name: 'storage-os',
    storageos: { volumeName: 'a', volumeNamespace: 'a', fsType: 'ext4', readOnly: true, secretRef: SECRET_REF },
  },
  { name: 'photon', photonPersistentDisk: SOURCES_ALIKE.photonPersistentDisk },
]

const WINDOWS_OPTIONS = {
  gmsaCredentialSpec: '{}',
  gmsaCredentialSpecName: 'gmsa',
  runAsUserName: 'ContainerUser',
  hostProcess: false,
}

/** Specs that the server takes, by name; between them, they have nearly every field. */
export const POD_SPECS: Readonly<Record<string, JsonObject>> = {
  web: WEB,
  volumes: {
    containers: [{ name: 'web', image: 'nginx', volumeMounts: [{ name: 'config', mountPath: '/config' }] }],
    volumes: VOLUMES,
  },
  host: {
    containers: [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80, hostPort: 80 }] }],
    hostNetwork: true,
    hostPID: true,
    hostIPC: true,
    nodeName: 'node-7',
    runtimeClassName: 'fields-runtime',
    resources: { limits: { cpu: '2' }, requests: { cpu: '1' } },
    priority: 0,
    dnsPolicy: 'ClusterFirstWithHostNet',
  },
  windows: {
    os: { name: 'windows' },
    containers: [{ name: 'web', image: 'nginx', securityContext: { windowsOptions: WINDOWS_OPTIONS } }],
    securityContext: { windowsOptions: WINDOWS_OPTIONS },
  },
}
