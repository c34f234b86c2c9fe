import type { JsonObject } from '../../../../src/core/base/json.ts'
import { type Base, basesOf } from './base.ts'
import { SOURCES_ALIKE, sourcesWith } from './volume-sources.ts'

const SELECTOR = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] }
const SECRET = { name: 'secret', namespace: 'other' }
const WITH_SECRET = sourcesWith(SECRET)
const COMMON = {
  accessModes: ['ReadWriteOnce'],
  capacity: { storage: '1Gi' },
  mountOptions: ['ro'],
  persistentVolumeReclaimPolicy: 'Retain',
  storageClassName: 'fast',
  volumeMode: 'Filesystem',
}

const { capacity: _capacity, storageClassName: _class, persistentVolumeReclaimPolicy: _policy, ...INLINE } = COMMON

/** A volume has one source. */
const SOURCES: Readonly<Record<string, JsonObject>> = {
  csi: {
    driver: 'csi.example.com',
    fsType: 'ext4',
    readOnly: true,
    volumeHandle: 'a',
    volumeAttributes: { a: 'b' },
    controllerExpandSecretRef: SECRET,
    controllerPublishSecretRef: SECRET,
    nodeExpandSecretRef: SECRET,
    nodePublishSecretRef: SECRET,
    nodeStageSecretRef: SECRET,
  },
  hostPath: { path: '/tmp', type: 'Directory' },
  local: { path: '/mnt/a', fsType: 'ext4' },
  nfs: SOURCES_ALIKE.nfs,
  iscsi: WITH_SECRET.iscsi,
  fc: { wwids: ['a'], fsType: 'ext4', readOnly: true },
  flexVolume: WITH_SECRET.flexVolume,
  gcePersistentDisk: SOURCES_ALIKE.gcePersistentDisk,
  awsElasticBlockStore: SOURCES_ALIKE.awsElasticBlockStore,
  glusterfs: { endpoints: 'a', endpointsNamespace: 'b', path: 'a', readOnly: true },
  rbd: WITH_SECRET.rbd,
  cephfs: WITH_SECRET.cephfs,
  cinder: WITH_SECRET.cinder,
  flocker: { datasetName: 'a' },
  azureFile: { secretName: 'secret', secretNamespace: 'other', shareName: 'a', readOnly: true },
  azureDisk: SOURCES_ALIKE.azureDisk,
  vsphereVolume: SOURCES_ALIKE.vsphereVolume,
  quobyte: SOURCES_ALIKE.quobyte,
  portworxVolume: SOURCES_ALIKE.portworxVolume,
  scaleIO: WITH_SECRET.scaleIO,
  storageos: {
    volumeName: 'a',
    volumeNamespace: 'a',
    fsType: 'ext4',
    readOnly: true,
    secretRef: {
      apiVersion: 'v1',
      kind: 'Secret',
      name: 'secret',
      namespace: 'other',
      uid: 'a',
      resourceVersion: '1',
      fieldPath: 'a',
    },
  },
  photonPersistentDisk: SOURCES_ALIKE.photonPersistentDisk,
}

const AFFINITY = {
  required: {
    nodeSelectorTerms: [
      {
        matchExpressions: [{ key: 'size', operator: 'In', values: ['big'] }],
        matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }],
      },
    ],
  },
}

const VOLUMES = Object.entries(SOURCES).map(([name, source], index) => [
  name.toLowerCase(),
  {
    spec: {
      ...COMMON,
      [name]: source,
      ...(index === 0 && {
        claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name: 'claim', namespace: 'other' },
        volumeAttributesClassName: 'gold',
      }),
      ...((index === 0 || name === 'local') && { nodeAffinity: AFFINITY }),
    },
    ...(index === 0 && {
      status: { phase: 'Available', message: 'a', reason: 'A', lastPhaseTransitionTime: '2020-01-01T00:00:00Z' },
    }),
  },
])

const CLAIM_CONDITION = {
  type: 'Resizing',
  status: 'True',
  reason: 'A',
  message: 'a',
  lastProbeTime: '2020-01-01T00:00:00Z',
  lastTransitionTime: '2020-01-01T00:00:00Z',
}

export const STORAGE: readonly Base[] = [
  ...basesOf('', 'v1', 'PersistentVolume', Object.fromEntries(VOLUMES)),
  ...basesOf('', 'v1', 'PersistentVolumeClaim', {
    data: {
      spec: {
        accessModes: ['ReadWriteOnce'],
        dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'snap' },
        resources: { requests: { storage: '1Gi' }, limits: { storage: '2Gi' } },
        selector: SELECTOR,
        storageClassName: 'fast',
        volumeAttributesClassName: 'gold',
        volumeMode: 'Filesystem',
        volumeName: 'volume',
      },
      status: {
        phase: 'Bound',
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        allocatedResources: { storage: '1Gi' },
        allocatedResourceStatuses: { storage: 'ControllerResizeInProgress' },
        conditions: [CLAIM_CONDITION],
        currentVolumeAttributesClassName: 'gold',
        modifyVolumeStatus: { status: 'Pending', targetVolumeAttributesClassName: 'gold' },
      },
    },
    pending: {
      spec: {
        accessModes: ['ReadWriteOnce'],
        dataSourceRef: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'snap' },
        resources: { requests: { storage: '1Gi' } },
      },
    },
  }),
  ...basesOf('storage.k8s.io', 'v1', 'StorageClass', {
    fast: {
      provisioner: 'example.com/disk',
      parameters: { a: 'b' },
      reclaimPolicy: 'Delete',
      mountOptions: ['ro'],
      allowVolumeExpansion: true,
      volumeBindingMode: 'Immediate',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a'] }] }],
    },
  }),
  ...basesOf('storage.k8s.io', 'v1', 'VolumeAttributesClass', {
    gold: { driverName: 'csi.example.com', parameters: { a: 'b' } },
  }),
  ...basesOf('storage.k8s.io', 'v1', 'CSIDriver', {
    'csi.example.com': {
      spec: {
        attachRequired: true,
        fsGroupPolicy: 'File',
        podInfoOnMount: true,
        requiresRepublish: true,
        seLinuxMount: true,
        storageCapacity: true,
        tokenRequests: [{ audience: 'a', expirationSeconds: 1200 }],
        volumeLifecycleModes: ['Persistent'],
        nodeAllocatableUpdatePeriodSeconds: 100,
      },
    },
  }),
  ...basesOf('storage.k8s.io', 'v1', 'CSINode', {
    node: {
      spec: { drivers: [{ name: 'csi.example.com', nodeID: 'a', topologyKeys: ['zone'], allocatable: { count: 3 } }] },
    },
  }),
  ...basesOf('storage.k8s.io', 'v1', 'CSIStorageCapacity', {
    capacity: { storageClassName: 'fast', capacity: '1Gi', maximumVolumeSize: '1Gi', nodeTopology: SELECTOR },
  }),
  ...basesOf('storage.k8s.io', 'v1', 'VolumeAttachment', {
    named: {
      spec: { attacher: 'csi.example.com', nodeName: 'node', source: { persistentVolumeName: 'volume' } },
      status: {
        attached: true,
        attachmentMetadata: { a: 'b' },
        attachError: { message: 'a', time: '2020-01-01T00:00:00Z', errorCode: 1 },
        detachError: { message: 'a', time: '2020-01-01T00:00:00Z', errorCode: 1 },
      },
    },
    inline: {
      spec: {
        attacher: 'csi.example.com',
        nodeName: 'node',
        source: { inlineVolumeSpec: { ...INLINE, csi: SOURCES.csi as JsonObject } },
      },
    },
  }),
]
