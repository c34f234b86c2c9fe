import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const VOLUMES = '/api/v1/persistentvolumes?dryRun=All'

const hostPath = { path: '/data' }
const capacity = { storage: '1Gi' }
const volume = (spec: JsonObject): JsonObject => ({ metadata: { name: 'v' }, spec })
const tried = (name: string, spec: JsonObject): Step => ({
  name,
  method: 'POST',
  path: VOLUMES,
  body: volume({ accessModes: ['ReadWriteOnce'], capacity, hostPath, ...spec }),
})
/** Without the path of the host. */
const of = (name: string, spec: JsonObject): Step => ({
  name,
  method: 'POST',
  path: VOLUMES,
  body: volume({ accessModes: ['ReadWriteOnce'], capacity, ...spec }),
})
const terms = (...nodeSelectorTerms: JsonValue[]): JsonObject => ({ nodeAffinity: { required: { nodeSelectorTerms } } })
const expression = (more: JsonObject): JsonObject => ({ matchExpressions: [{ key: 'a', operator: 'In', ...more }] })
const local = { path: '/disk' }
const here = terms(expression({ values: ['b'] }))
const csi = { driver: 'example.com', volumeHandle: 'h' }

export const steps: readonly Step[] = [
  tried('another access mode', { accessModes: ['ReadWriteOnce', 'Some'] }),
  tried('ReadWriteOncePod', { accessModes: ['ReadWriteOncePod'] }),
  tried('ReadWriteOncePod with others', { accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] }),
  tried('ReadWriteOncePod with unknown ones', { accessModes: ['ReadWriteOncePod', 'Some'] }),
  tried('another volume mode', { volumeMode: 'Tape' }),
  tried('no volume mode', { volumeMode: '' }),
  tried('a bad class', { storageClassName: 'A_b' }),
  tried('a capacity of zero', { capacity: { storage: 0 } }),
  tried('a negative capacity', { capacity: { storage: '-1Gi' } }),
  tried('another capacity', { capacity: { storage: '1Gi', cpu: 1 } }),
  tried('nothing but another capacity', { capacity: { cpu: '0' } }),
  tried('another policy', { persistentVolumeReclaimPolicy: 'Keep' }),
  tried('recycling', { persistentVolumeReclaimPolicy: 'Recycle' }),
  tried('recycling of everything', { persistentVolumeReclaimPolicy: 'Recycle', hostPath: { path: '/' } }),
  tried('recycling of everything, with detours', {
    persistentVolumeReclaimPolicy: 'Recycle',
    hostPath: { path: '//./' },
  }),
  tried('no path of the host', { hostPath: { path: '' } }),
  tried('a path of the host upwards', { hostPath: { path: '/a/../b' } }),
  tried('a path of another type', { hostPath: { path: '/a', type: 'Tape' } }),
  tried('a class of attributes without CSI', { volumeAttributesClassName: 'a' }),
  of('an empty class of attributes', { csi, volumeAttributesClassName: '' }),
  of('a bad class of attributes', { csi, volumeAttributesClassName: 'A_b' }),
  of('a local disk', { local, ...here }),
  of('a local disk anywhere', { local }),
  of('a local disk without a path', { local: { path: '' }, ...here }),
  of('a local disk upwards', { local: { path: '/a/../b' }, ...here }),
  tried('nodes of no terms', terms()),
  tried('nodes of no requirement', { nodeAffinity: {} }),
  tried('nodes of an empty term', terms({})),
  tried('nodes without values', terms(expression({ values: [] }))),
  tried('nodes of a bad key', terms(expression({ key: 'a b', values: ['b'] }))),
  tried('nodes by another operator', terms(expression({ operator: 'Like', values: ['b'] }))),
  tried('nodes by name', terms({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] })),
  tried('nodes by another field', terms({ matchFields: [{ key: 'spec.x', operator: 'In', values: ['n', 'm'] }] })),
  tried('nodes by the existence of a name', terms({ matchFields: [{ key: 'metadata.name', operator: 'Exists' }] })),
  tried('nodes greater than two values', terms(expression({ operator: 'Gt', values: ['1', '2'] }))),
  tried('nodes of bad values', terms(expression({ values: ['a b'] }))),
  of('of a driver', { csi }),
  of('of no driver', { csi: { driver: '', volumeHandle: 'h' } }),
  of('of a driver without a handle', { csi: { driver: 'example.com', volumeHandle: '' } }),
  of('of a bad driver', { csi: { ...csi, driver: 'Bad_Driver' } }),
  of('of a driver with a long name', { csi: { ...csi, driver: 'x'.repeat(64) } }),
  of('of a driver with secrets', {
    csi: {
      ...csi,
      nodeStageSecretRef: {},
      nodePublishSecretRef: { name: 'a' },
      nodeExpandSecretRef: { namespace: 'b' },
      controllerPublishSecretRef: {},
      controllerExpandSecretRef: { name: 'a', namespace: 'b' },
    },
  }),
  of('of a server', { nfs: { server: '', path: '' } }),
  of('of a server without a root', { nfs: { server: 's', path: 'p' } }),
  of('of a server with a root', { nfs: { server: 's', path: '/p' } }),
  of('of a fibre', { fc: { targetWWNs: ['50060e801049cfd1'], lun: 0 } }),
  of('of nothing', {}),
  tried('of two', { local, ...here, csi }),
]
