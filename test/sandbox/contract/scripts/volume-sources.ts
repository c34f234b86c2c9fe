import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const PODS = '/api/v1/namespaces/{ns}/pods?dryRun=All'
const VOLUMES = '/api/v1/persistentvolumes?dryRun=All'
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }

const pod = (name: string, source: JsonObject, mount: JsonObject = {}): Step => ({
  name: `in a pod: ${name}`,
  method: 'POST',
  path: PODS,
  body: {
    metadata: { name: 'p' },
    spec: {
      automountServiceAccountToken: false,
      containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/d', ...mount }] }],
      volumes: [{ name: 'v', ...source }],
    },
  },
})
const volume = (name: string, source: JsonObject): Step => ({
  name: `in a volume: ${name}`,
  method: 'POST',
  path: VOLUMES,
  body: {
    metadata: { name: 'v' },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, ...source },
  },
})
const both = (name: string, source: JsonObject): readonly Step[] => [pod(name, source), volume(name, source)]

/** By source, what is complete. */
const COMPLETE: Readonly<Record<string, JsonObject>> = {
  awsElasticBlockStore: { volumeID: 'a' },
  azureDisk: { diskName: 'a', diskURI: 'https://a' },
  azureFile: { secretName: 'a', shareName: 'b' },
  cephfs: { monitors: ['a'] },
  cinder: { volumeID: 'a' },
  fc: { wwids: ['a'] },
  flexVolume: { driver: 'a/b' },
  flocker: { datasetName: 'a' },
  gcePersistentDisk: { pdName: 'a' },
  glusterfs: { endpoints: 'a', path: 'b' },
  iscsi: { targetPortal: 'a', iqn: 'iqn.2001-04.com.example:storage', lun: 0 },
  nfs: { server: 'a', path: '/b' },
  photonPersistentDisk: { pdID: 'a' },
  portworxVolume: { volumeID: 'a' },
  quobyte: { registry: 'a:1', volume: 'b' },
  rbd: { monitors: ['a'], image: 'b' },
  scaleIO: { gateway: 'a', system: 'b', volumeName: 'c', secretRef: { name: 'd', namespace: 'e' } },
  storageos: { volumeName: 'a' },
  vsphereVolume: { volumePath: 'a' },
}
/** Sources of a volume that refer to a Secret of a namespace are other ones in a pod. */
const inPod = (source: JsonObject): JsonObject => {
  const { secretRef, ...rest } = source
  return secretRef === undefined ? rest : { ...rest, secretRef: { name: 'd' } }
}

const each = Object.entries(COMPLETE).flatMap(([name, source]): readonly Step[] => [
  pod(name, { [name]: inPod(source) }),
  volume(name, { [name]: source }),
  ...both(`${name} of nothing`, { [name]: {} }),
])

const bad: readonly Step[] = [
  ...both('awsElasticBlockStore, a partition', { awsElasticBlockStore: { volumeID: 'a', partition: 256 } }),
  ...both('azureDisk, its modes', { azureDisk: { diskName: 'a', diskURI: 'b', cachingMode: 'X', kind: 'Y' } }),
  ...both('azureDisk, managed', { azureDisk: { diskName: 'a', diskURI: 'https://b', kind: 'Managed' } }),
  ...both('fc of both', { fc: { targetWWNs: ['a'], wwids: ['b'] } }),
  ...both('fc, a number', { fc: { targetWWNs: ['a'], lun: 256 } }),
  ...both('flexVolume, reserved options', { flexVolume: { driver: 'a', options: { 'x.k8s.io/a': 'b' } } }),
  ...both('flocker of both', { flocker: { datasetName: 'a/b', datasetUUID: 'c' } }),
  ...both('iscsi, its names', {
    iscsi: { targetPortal: 'a', iqn: 'x', lun: 256, initiatorName: 'iqn', chapAuthSession: true },
  }),
  ...both('iscsi, a long one', {
    iscsi: { targetPortal: 'a'.repeat(64), iqn: 'naa.x', lun: 0, initiatorName: 'eui.0123456789abcdef' },
  }),
  ...both('nfs, a path', { nfs: { server: 'a', path: 'b' } }),
  ...both('quobyte, a registry', { quobyte: { registry: 'a,b:1', volume: 'c' } }),
  ...both('quobyte, a tenant', { quobyte: { registry: 'a:1', tenant: 'x'.repeat(65), volume: 'c' } }),
  ...both('storageos, its names', { storageos: { volumeName: 'A_b', volumeNamespace: 'C_d', secretRef: {} } }),
  ...both('cinder, a Secret', { cinder: { volumeID: 'a', secretRef: {} } }),
  ...both('two at once', { cephfs: {}, nfs: {}, hostPath: { path: '/a' } }),
  pod('a volume of all names', { emptyDir: {}, gcePersistentDisk: { pdName: 'a' }, cephfs: {}, downwardAPI: {} }),
  volume('glusterfs, an empty namespace', { glusterfs: { endpoints: 'a', path: 'b', endpointsNamespace: '' } }),
  volume('glusterfs, a namespace', { glusterfs: { endpoints: 'a', path: 'b', endpointsNamespace: 'A_b' } }),
  volume('azureFile, an empty namespace', { azureFile: { secretName: 'a', shareName: 'b', secretNamespace: '' } }),
  pod('gitRepo', { gitRepo: { repository: 'a' } }),
  pod('gitRepo of nothing', { gitRepo: { directory: '../a' } }),
  pod('csi', { csi: { driver: 'a' } }),
  pod('csi of nothing', { csi: { driver: '', nodePublishSecretRef: {} } }),
  pod('csi, its names', { csi: { driver: 'a_b'.repeat(30), nodePublishSecretRef: { name: 'C_d' } } }),
  pod('ephemeral', { ephemeral: { volumeClaimTemplate: { spec: claim } } }),
  pod('ephemeral of nothing', { ephemeral: {} }),
  pod('ephemeral of an empty claim', { ephemeral: { volumeClaimTemplate: { spec: {} } } }),
  pod('ephemeral, its labels', {
    ephemeral: { volumeClaimTemplate: { metadata: { labels: { 'a b': 'c d' } }, spec: claim } },
  }),
  pod('a key with a reserved path', { configMap: { name: 'a', items: [{ key: 'b', path: '..c' }] } }),
  pod('projected, the same path twice', {
    projected: {
      sources: [
        { secret: { name: 'a', items: [{ key: 'b', path: 'c' }] } },
        { configMap: { name: 'd', items: [{ key: 'e', path: 'c' }] } },
      ],
    },
  }),
  pod('projected, two at once', { projected: { sources: [{ secret: { name: 'a' }, configMap: { name: 'b' } }] } }),
  pod('projected, nothing', { projected: { sources: [{}] } }),
  pod('projected, a mode', { projected: { sources: [], defaultMode: 512 } }),
  pod('projected, overlapping paths', {
    projected: {
      sources: [{ secret: { name: 'a', items: [{ key: 'b', path: 'c' }] } }, { serviceAccountToken: { path: 'c/d' } }],
    },
  }),
  pod('a Secret with overlapping paths', {
    secret: {
      secretName: 'a',
      items: [
        { key: 'b', path: 'c/' },
        { key: 'd', path: 'c' },
      ],
    },
  }),
  pod('an expression of a path with a path', { emptyDir: {} }, { subPath: 'a', subPathExpr: '../b' }),
  pod('propagation to all', { emptyDir: {} }, { mountPropagation: 'Bidirectional' }),
  pod('another propagation', { emptyDir: {} }, { mountPropagation: 'X' }),
  pod(
    'recursion of what is written to',
    { emptyDir: {} },
    { recursiveReadOnly: 'Enabled', mountPropagation: 'HostToContainer' },
  ),
  pod('another recursion', { emptyDir: {} }, { recursiveReadOnly: 'X' }),
]

const devices = (name: string, volumeDevices: readonly JsonObject[], source: JsonObject): Step => ({
  name: `devices: ${name}`,
  method: 'POST',
  path: PODS,
  body: {
    metadata: { name: 'p' },
    spec: {
      automountServiceAccountToken: false,
      containers: [
        { name: 'c', image: 'i', volumeMounts: [{ name: 'm', mountPath: '/m' }], volumeDevices: [...volumeDevices] },
      ],
      volumes: [
        { name: 'v', ...source },
        { name: 'm', emptyDir: {} },
      ],
    },
  },
})
const ofClaim = { persistentVolumeClaim: { claimName: 'a' } }

export const steps: readonly Step[] = [
  ...each,
  ...bad,
  devices('of a claim', [{ name: 'v', devicePath: '/dev/x' }], ofClaim),
  devices('of no block', [{ name: 'v', devicePath: '/dev/x' }], { emptyDir: {} }),
  devices('of nothing', [{ name: '', devicePath: '' }], ofClaim),
  devices(
    'twice',
    [
      { name: 'v', devicePath: '/dev/x' },
      { name: 'v', devicePath: '/dev/x' },
    ],
    ofClaim,
  ),
  devices('upwards', [{ name: 'v', devicePath: '/dev/../x' }], ofClaim),
  devices('that are mounted', [{ name: 'm', devicePath: '/m' }], ofClaim),
]
