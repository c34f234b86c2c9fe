import type { JsonObject } from '../../../../src/core/base/json.ts'

/** What volumes of pods and PersistentVolumes say alike of sources of the same name. */
export const SOURCES_ALIKE = {
  nfs: { server: 'nfs', path: '/a', readOnly: true },
  gcePersistentDisk: { pdName: 'a', fsType: 'ext4', partition: 1, readOnly: true },
  awsElasticBlockStore: { volumeID: 'a', fsType: 'ext4', partition: 1, readOnly: true },
  azureDisk: {
    diskName: 'a',
    diskURI: 'https://example.com/a',
    cachingMode: 'None',
    fsType: 'ext4',
    kind: 'Shared',
    readOnly: true,
  },
  vsphereVolume: { volumePath: 'a', fsType: 'ext4', storagePolicyName: 'a', storagePolicyID: 'a' },
  quobyte: { registry: 'a:1', volume: 'a', user: 'a', group: 'a', tenant: 'a', readOnly: true },
  portworxVolume: { volumeID: 'a', fsType: 'ext4', readOnly: true },
  photonPersistentDisk: { pdID: 'a', fsType: 'ext4' },
}

/** Those that are alike but for the reference of a Secret. */
export function sourcesWith(secretRef: JsonObject) {
  return {
    iscsi: {
      targetPortal: '1.2.3.4',
      iqn: 'iqn.2001-04.com.example:storage.disk1',
      lun: 1,
      fsType: 'ext4',
      iscsiInterface: 'default',
      portals: ['1.2.3.5'],
      chapAuthSession: true,
      chapAuthDiscovery: true,
      secretRef,
      initiatorName: 'iqn.2001-04.com.example:initiator',
      readOnly: true,
    },
    flexVolume: { driver: 'example.com/a', fsType: 'ext4', options: { a: 'b' }, readOnly: true, secretRef },
    rbd: {
      monitors: ['a'],
      image: 'a',
      pool: 'rbd',
      user: 'a',
      keyring: '/a',
      fsType: 'ext4',
      readOnly: true,
      secretRef,
    },
    cephfs: { monitors: ['a'], path: '/a', user: 'a', secretFile: '/a', readOnly: true, secretRef },
    cinder: { volumeID: 'a', fsType: 'ext4', readOnly: true, secretRef },
    scaleIO: {
      gateway: 'https://a',
      system: 'a',
      volumeName: 'a',
      secretRef,
      storageMode: 'ThinProvisioned',
      storagePool: 'a',
      protectionDomain: 'a',
      sslEnabled: true,
      fsType: 'ext4',
      readOnly: true,
    },
  }
}
